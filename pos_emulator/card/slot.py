"""A card in a reader: carries commands, saves memory before an answer leaves, applies faults."""

from collections.abc import Iterable
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import ApduError, CardResponse, parse_command
from pos_emulator.card.faults import CardFaultKind, Fault, fault_named, step_of
from pos_emulator.card.machine import answer
from pos_emulator.card.memory import MemoryPort
from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import CardFile, card_file
from pos_emulator.card.records import Chip, ChipState, Interface, power_on


class CardMuteError(RuntimeError):
    """The chip does not answer."""


class CardRemovedError(RuntimeError):
    """The card is no longer in the reader or in the field."""


class CardSlot:
    """One card and the reader it is in. Power goes on with `power`, and off with the next one."""

    def __init__(self, chip: Chip, memory: MemoryPort, faults: Iterable[Fault] = ()) -> None:
        self.chip = chip
        self._memory = memory
        self._faults = list(faults)
        self._state: ChipState | None = None
        self._cryptograms = 0
        self._commands = 0

    def power(self, interface: Interface = Interface.CONTACT) -> None:
        """Reset the chip. Raises CardMuteError if it does not answer."""
        self._cryptograms = self._commands = 0
        if any(fault.kind is CardFaultKind.DEAD for fault in self._faults):
            raise CardMuteError("no answer to reset")
        self._state = replace(
            power_on(self.chip, self._memory.load(self.chip), interface),
            refuses_issuer=any(f.kind is CardFaultKind.REFUSES_ISSUER for f in self._faults),
        )

    def transmit(self, command: bytes) -> bytes:
        """The response to a command. Raises CardMuteError or CardRemovedError."""
        if self._state is None:
            raise CardRemovedError("no card under power")
        fault = self._fault_at(command)
        if fault in (CardFaultKind.MUTE, CardFaultKind.REMOVED):
            return self._lose(fault)
        if fault is CardFaultKind.ERROR:
            return CardResponse(apdu.UNKNOWN_ERROR).encode()
        state, response = answer(self._state, command)
        if state.memory != self._state.memory:
            self._memory.save(self.chip, state.memory)
        self._state = state
        if fault is CardFaultKind.TORN:
            return self._lose(fault)
        return response

    def _lose(self, fault: CardFaultKind) -> bytes:
        if fault is CardFaultKind.MUTE:
            raise CardMuteError("no answer to a command")
        self._state = None
        raise CardRemovedError("the card was pulled")

    def _fault_at(self, command: bytes) -> CardFaultKind | None:
        self._commands += 1
        try:
            step = step_of(parse_command(command), self._cryptograms)
        except ApduError:
            return None
        self._cryptograms += step in ("AC1", "AC2")
        due = next((f for f in self._faults if f.at in (step, self._commands)), None)
        if due is not None and due.kind is not CardFaultKind.MUTE:
            self._faults.remove(due)
        return due.kind if due else None


def slot_of(
    name: str, memory: MemoryPort, faults: Iterable[Fault] = (), file: CardFile | None = None
) -> CardSlot:
    """The card with this name, of those that the memory is of, with the faults of its profile and
    these. Raises KeyError.
    """
    file = file or card_file()
    of_profile = [fault_named(fault) for fault in file.cards[name].faults]
    return CardSlot(personalize(name, file, memory.sequence), memory, [*of_profile, *faults])

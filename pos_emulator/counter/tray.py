"""The cards on the counter, what may be wrong with the next one, and how one reaches a reader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pos_emulator.card.faults import AC1, AC2, CardFaultKind, Fault
from pos_emulator.card.magstripe import magstripe_of
from pos_emulator.card.memory import MemoryPort
from pos_emulator.card.profiles import Profile, card_file
from pos_emulator.card.records import Interface
from pos_emulator.card.slot import CardRemovedError, CardSlot, slot_of
from pos_emulator.card_numbers import MaskedError, without_card_numbers
from pos_emulator.kernel.models import CHIP, MAGSTRIPE, TAP
from pos_emulator.terminal.records import Inserted, Presented, Swiped, Tapped

# What a reader needs of a card, and what to say where the card does not have it.
NEEDS: Mapping[str, tuple[str, str]] = {
    CHIP: ("contact", "has no chip to insert"),
    TAP: ("contactless", "cannot be tapped"),
    MAGSTRIPE: ("magstripe", "has no magstripe"),
}


class TrayError(MaskedError, ValueError):
    """No card of the tray, or one that this reader cannot read; the message says what is."""


@dataclass(frozen=True)
class FaultChoice:
    """Something that may go wrong with the next card that is inserted or tapped."""

    name: str
    title: str
    faults: tuple[Fault, ...] = ()


# fmt: off
FAULTS: Mapping[str, FaultChoice] = {row.name: row for row in (
    FaultChoice("none", "Nothing goes wrong"),
    FaultChoice("mute", "The chip never answers", (Fault(CardFaultKind.DEAD),)),
    FaultChoice("error", "The chip answers 6F00 once, when it starts",
                (Fault(CardFaultKind.ERROR, "GPO"),)),
    FaultChoice("pulled-read", "Pulled while it is read", (Fault(CardFaultKind.REMOVED, "READ"),)),
    FaultChoice("pulled-ac1", "Pulled before the first cryptogram (AC1)",
                (Fault(CardFaultKind.REMOVED, AC1),)),
    FaultChoice("torn-ac1", "Pulled while it writes its counter (AC1)",
                (Fault(CardFaultKind.TORN, AC1),)),
    FaultChoice("pulled-ac2", "Pulled after the approval (AC2)",
                (Fault(CardFaultKind.REMOVED, AC2),)),
    FaultChoice("refuses-issuer", "Takes the issuer's answer for a false one",
                (Fault(CardFaultKind.REFUSES_ISSUER),)),
)}
# fmt: on


@dataclass(frozen=True)
class TrayCard:
    """A card as its holder sees it, with the last four digits of its number.

    `readers` are those that can read it. The PIN is for the holder, who has to know it: these are
    test cards.
    """

    name: str
    title: str
    label: str
    digits: str
    holder: str
    expiry: str
    readers: tuple[str, ...]
    pin: str = ""


def tray_cards() -> tuple[TrayCard, ...]:
    """The cards that are shipped."""
    return tuple(_tray_card(name, profile) for name, profile in card_file().cards.items())


def _tray_card(name: str, profile: Profile) -> TrayCard:
    return TrayCard(
        name=name,
        title=profile.title,
        label=profile.applications[0].label,
        digits=profile.number[-4:],
        holder=profile.holder,
        expiry=f"{profile.expiry[2:]}/{profile.expiry[:2]}",
        readers=tuple(reader for reader, need in NEEDS.items() if need[0] in profile.interfaces),
        pin=profile.pin or "",
    )


class HeldCard:
    """A card in a reader that its holder may pull out at any time. `slipped` is called once a fault
    has taken it out.
    """

    def __init__(self, name: str, slot: CardSlot) -> None:
        self.name = name
        self.is_out = False
        self.slipped: Callable[[], None] = lambda: None
        self._slot = slot

    def pull(self) -> None:
        """Take the card out: it answers nothing any more."""
        self.is_out = True

    def power(self, interface: Interface = Interface.CONTACT) -> None:
        """Reset the chip. Raises CardMuteError, and CardRemovedError once it is pulled."""
        self._refuse_pulled()
        self._slot.power(interface)

    def transmit(self, command: bytes) -> bytes:
        """The response to a command. Raises CardMuteError and CardRemovedError."""
        self._refuse_pulled()
        try:
            return self._slot.transmit(command)
        except CardRemovedError:
            self.is_out = True
            self.slipped()
            raise

    def _refuse_pulled(self) -> None:
        if self.is_out:
            raise CardRemovedError("the card was pulled")


def take_card(name: str, reader: str, memory: MemoryPort, fault: str = "none") -> Presented:
    """A card of the tray, at a reader ("chip", "tap" or "magstripe").

    Raises TrayError for a card, a reader or a fault that is not there, and for a card that this
    reader cannot read.
    """
    profile = card_file().cards.get(name)
    if profile is None:
        got = without_card_numbers(name)[:40]
        raise TrayError(f"expected one of {', '.join(card_file().cards)}, got {got!r}")
    if reader not in NEEDS or fault not in FAULTS:
        raise TrayError(f"expected a reader of {', '.join(NEEDS)}, and a fault of the list")
    interface, complaint = NEEDS[reader]
    if interface not in profile.interfaces:
        raise TrayError(f"the card {name} {complaint}")
    magstripe = magstripe_of(profile)
    if reader == MAGSTRIPE and magstripe is not None:
        return Swiped(magstripe)
    held = HeldCard(name, slot_of(name, memory, FAULTS[fault].faults))
    return Inserted(held) if reader == CHIP else Tapped(held)

"""A payment from the first prompt for a card to what card and host said of it.

Which reader may be used, and how often, is decided here: a tap that the issuer wants inserted goes
on with the chip, a chip that failed three times with the magstripe, a wrong PIN with another try.
"""

from dataclasses import replace

from pos_emulator.card.records import Interface
from pos_emulator.card.slot import CardMuteError
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_read_tap, pay_with_tap
from pos_emulator.kernel.magstripe import Tries, advise, pay_with_swipe
from pos_emulator.kernel.models import CHIP, MAGSTRIPE, MANUAL, TAP
from pos_emulator.kernel.records import (
    Card,
    CardEvent,
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    KernelTerminal,
)
from pos_emulator.terminal.conversion.offers import CurrencyChoice
from pos_emulator.terminal.host import GatewayHost
from pos_emulator.terminal.keyed import has_code, is_well_formed, pay_by_hand
from pos_emulator.terminal.orders import card_payment
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import (
    CardPrompt,
    Inserted,
    Keyed,
    OrderKind,
    Presented,
    Swiped,
    Tapped,
    TerminalEntry,
)
from pos_emulator.terminal.stand import DeskPinPad

PRESENTATIONS_MAX = 10
PIN_TRIES = 3
ONLINE_BIT = 0x07
ONLINE_TYPE = {2: 1, 5: 4}
WRONG_PIN = "WRONG PIN"


class Presentation:
    """One payment with a card. `may_approve_offline` says whether the terminal can store one more
    approval that the host does not know; `held` is a card that was presented before.
    """

    def __init__(
        self,
        parts: TerminalParts,
        entry: TerminalEntry,
        *,
        may_approve_offline: bool,
        held: Presented | None = None,
    ):
        self._parts, self._held = parts, held
        self._entry = entry
        self._kernel = parts.kernel
        if entry.order.operation is not OrderKind.SALE or not may_approve_offline:
            self._kernel = online_only(parts.kernel)
        self._readers = parts.kernel.reads
        self._tries = Tries()
        self._text = "PRESENT CARD"
        self.wrong_pins = 0
        self._currency = CurrencyChoice(parts, entry.order)
        self.host = GatewayHost(parts, entry)

    def pay(self) -> CardOutcome:
        """How it ended. Raises DeskCanceledError, DeskAbortedError, KeysError."""
        for _ in range(PRESENTATIONS_MAX):
            presented, self._held = self._held or self._present(), None
            if reader_of(presented) not in self._readers:
                self._text = "USE ANOTHER READER"
                continue
            outcome = self._try(presented)
            if outcome is not None and self._is_final(outcome):
                return outcome
        return CardOutcome(CardResult.CARD_ERROR, "no card could be read")

    def _present(self) -> Presented:
        chosen = self._currency.chosen
        prompt = CardPrompt(self._text, self._entry.order, self._readers, chosen)
        return self._parts.stand.present(prompt)

    def _try(self, presented: Presented) -> CardOutcome | None:
        """One reading, and again while an incorrect PIN can be entered anew."""
        if isinstance(presented, Keyed) and not is_well_formed(presented):
            self._text = "NUMBER OR EXPIRY INVALID"
            return None
        if isinstance(presented, Keyed) and not has_code(presented):
            self._text = "CODE HAS 3 OR 4 DIGITS"
            return None
        self._offer_currency(presented)
        outcome = self._read(presented)
        while outcome.pin_was_wrong and not isinstance(presented, Tapped):
            self.wrong_pins += 1
            self._parts.stand.show(WRONG_PIN)
            outcome = self._read(presented)
        return outcome

    def _offer_currency(self, presented: Presented) -> None:
        """Let the holder of a chip choose its currency before it is asked to pay; a tap is asked in
        its course. Raises DeskCanceledError, DeskAbortedError.
        """
        if isinstance(presented, Inserted):
            self._currency.at_chip(self.host.entry, presented)
        elif not isinstance(presented, Tapped) or presented.read is not None:
            self._currency.elsewhere()

    def _is_final(self, outcome: CardOutcome) -> bool:
        """Whether the payment ends here; else the next prompt is set."""
        result, can_insert = outcome.result, CHIP in self._kernel.reads
        has_failed = result in (CardResult.CARD_ERROR, CardResult.CARD_REMOVED)
        if outcome.must_reverse or self.host.was_lost or (has_failed and self.host.answer):
            return True
        if outcome.pin_was_wrong:
            self.wrong_pins += 1
            self._text = "WRONG PIN, TAP AGAIN"
            return False
        if result in (CardResult.INSERT_CARD, CardResult.USE_CHIP) and can_insert:
            self._ask_for("INSERT CARD", CHIP)
        elif result is CardResult.TAP_AGAIN:
            self._ask_for("TAP AGAIN", TAP)
        elif result is CardResult.USE_MAGSTRIPE:
            self._ask_for("SWIPE CARD", MAGSTRIPE)
        elif result is CardResult.CARD_ERROR and not self._tries.may_swipe:
            self._text = "NOT READ, TRY AGAIN"
        elif result is CardResult.CARD_REMOVED and outcome.entry_mode.value.startswith("NFC"):
            self._text = "NOT READ, TAP AGAIN"
        else:
            return True
        return False

    def _ask_for(self, text: str, reader: str) -> None:
        self._text, self._readers = text, frozenset({reader})

    def _read(self, presented: Presented) -> CardOutcome:
        parts = self._parts
        entry = replace(
            self.host.entry,
            trace=parts.journal.next_trace(),
            at=parts.now(),
            conversion=self._currency.chosen,
        )
        self.host = GatewayHost(parts, entry)
        payment = card_payment(entry, is_online=entry.order.operation is not OrderKind.SALE)
        return self._kernel_of(presented, payment)

    def _kernel_of(self, presented: Presented, payment: CardPayment) -> CardOutcome:
        match presented:
            case Inserted(card):
                outcome = pay_with_chip(self._kernel, payment, self._devices(card))
                self._tries = self._tries.after(outcome)
                return advise(outcome, self._tries, self._kernel)
            case Tapped(card, read):
                if read is not None:
                    return pay_with_read_tap(read, payment, self._devices(NoCard()))
                look = self._currency.at_tap
                return pay_with_tap(self._kernel, payment, self._devices(card), look)
            case Swiped(magstripe):
                return pay_with_swipe(
                    self._kernel, payment, self._devices(NoCard()),
                    magstripe=magstripe, tries=self._tries,
                )  # fmt: skip
            case Keyed():
                return pay_by_hand(presented, self.host)

    def _devices(self, card: Card) -> Devices:
        parts = self._parts
        left = max(1, PIN_TRIES - self.wrong_pins) if self.wrong_pins else None
        pin_pad = DeskPinPad(parts.stand, parts.element, left)
        return Devices(card, pin_pad, self.host, parts.stand.choose, parts.random, self._notice)

    def _notice(self, event: CardEvent) -> None:
        self._parts.notify("card", event.text, self._entry.name, event)


class NoCard:
    """What is in the reader while a magstripe is used."""

    def power(self, interface: Interface = Interface.CONTACT) -> None:
        raise CardMuteError("no card in the reader")

    def transmit(self, command: bytes) -> bytes:
        raise CardMuteError("no card in the reader")


def reader_of(presented: Presented) -> str:
    """The reader that a card was presented to."""
    match presented:
        case Inserted():
            return CHIP
        case Tapped():
            return TAP
        case Swiped():
            return MAGSTRIPE
        case Keyed():
            return MANUAL


def online_only(kernel: KernelTerminal) -> KernelTerminal:
    """The same terminal as one that approves nothing offline."""
    kind = kernel.terminal_type[0]
    online = kind & ~ONLINE_BIT | ONLINE_TYPE.get(kind & ONLINE_BIT, kind & ONLINE_BIT)
    return replace(kernel, terminal_type=bytes([online]))

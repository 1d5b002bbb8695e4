"""The offer to pay in the currency of the card.

A chip is read for it before it is asked for its cryptogram. A tap gives its cryptogram for an
amount, so that one who chooses the other currency taps again. Choices: D-613, D-614.
"""

from dataclasses import replace

from iso4217 import Currency

from pos_emulator.kernel.actions import CardAction
from pos_emulator.kernel.completion import given
from pos_emulator.kernel.contact import read_chip
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import (
    CardResult,
    Devices,
    EndError,
)
from pos_emulator.receipts.conversion import Conversion
from pos_emulator.receipts.document import amount_text
from pos_emulator.terminal.orders import asked_amount, card_payment, digits_max
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import (
    CurrencyOffer,
    DeskCanceledError,
    Inserted,
    OrderKind,
    TerminalEntry,
    TillOrder,
)
from pos_emulator.terminal.stand import DeskPinPad, no_host

APPLICATION_CURRENCY = "9F42"
FIRST, NO_TRACE = 0, "0"


class CurrencyChoice:
    """The currency that a payment is charged in. The holder of each card is asked once; `chosen` is
    None for the till's.
    """

    def __init__(self, parts: TerminalParts, order: TillOrder) -> None:
        self._parts, self._order = parts, order
        self._number = ""
        self.chosen: Conversion | None = None
        is_sale = order.operation is OrderKind.SALE and not order.cashback
        self._is_offered = is_sale and bool(parts.rates.rates)

    def at_chip(self, entry: TerminalEntry, presented: Inserted) -> None:
        """Ask the holder of an inserted card. Raises DeskCanceledError, DeskAbortedError."""
        dialog = self._read(entry, presented) if self._is_offered else None
        number = dialog.account_number() if dialog is not None else ""
        if number and number == self._number:
            return
        self._number, self.chosen = number, None
        if dialog is not None:
            self.chosen = self._ask(dialog)

    def at_tap(self, dialog: Dialog) -> None:
        """Ask the holder of a card that was tapped, and has left the field. Raises EndError where
        its cryptogram is for another amount than it is charged, and DeskAbortedError.
        """
        number, before = dialog.account_number(), self.chosen
        if not self._is_offered or number == self._number:
            return
        self._number, self.chosen = number, None
        if before is not None:
            self._number = ""
            raise EndError(CardResult.TAP_AGAIN, "another card was tapped")
        if "9F27" not in dialog.values or given(dialog) is not CardAction.GO_ONLINE:
            return
        try:
            self.chosen = self._ask(dialog)
        except DeskCanceledError as error:
            raise EndError(CardResult.CANCELED, str(error)) from None
        if self.chosen is not None:
            raise EndError(CardResult.TAP_AGAIN, "the holder chose the currency of the card")

    def elsewhere(self) -> None:
        """What is swiped or typed in is charged in the till's currency."""
        self._number, self.chosen = "", None

    def _ask(self, dialog: Dialog) -> Conversion | None:
        """What the holder chose, having seen both amounts, rate and markup; None where there is
        nothing to offer. Raises DeskCanceledError, DeskAbortedError.
        """
        order = self._order
        offer = self._parts.rates.offer(asked_amount(order), order.currency, self._currency(dialog))
        if offer is None or offer.amount.adjusted() >= digits_max(_exponent_of(offer.currency)):
            return None
        rate = f"{offer.rate.normalize():f}"
        shown = CurrencyOffer(
            till=amount_text(asked_amount(order), order.currency),
            card=amount_text(offer.amount, offer.currency),
            terms=f"1 {order.currency} = {rate} {offer.currency}, WITH {offer.markup:f} % MARKUP",
        )
        try:
            return offer if self._parts.stand.choose_currency(shown) else None
        except DeskCanceledError:
            raise DeskCanceledError("canceled at the choice of a currency") from None

    def _currency(self, dialog: Dialog) -> str:
        """The currency that the card says; empty where it says none that has a rate."""
        number = dialog.values.get(APPLICATION_CURRENCY, b"")
        numbers = {f"{int(Currency(code).number):04d}": code for code in self._parts.rates.rates}
        return numbers.get(number.hex(), "")

    def _read(self, entry: TerminalEntry, presented: Inserted) -> Dialog | None:
        """What the first application of a card says. What is wrong with a card is for its payment
        to find.
        """
        parts = self._parts
        pin_pad = DeskPinPad(parts.stand, parts.element, None)
        devices = Devices(presented.card, pin_pad, no_host, lambda labels: FIRST, parts.random)
        # The payment itself gets a trace number; a card that is only read needs none.
        payment = card_payment(replace(entry, trace=NO_TRACE), is_online=False)
        try:
            return read_chip(parts.kernel, payment, devices)
        except EndError:
            return None


def _exponent_of(currency: str) -> int:
    return Currency(currency).exponent or 0

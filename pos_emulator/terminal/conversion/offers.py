"""The offer to pay in the currency of the card, before a chip is asked for its cryptogram.

Choice: D-613.
"""

from contextlib import suppress
from dataclasses import replace

from iso4217 import Currency

from pos_emulator.kernel.contact import read_chip
from pos_emulator.kernel.records import (
    Devices,
    EndError,
    HostUnreachableError,
    OnlineRequest,
    OnlineResponse,
)
from pos_emulator.receipts.conversion import Conversion
from pos_emulator.receipts.document import amount_text
from pos_emulator.terminal.orders import asked_amount, card_payment
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import DeskCanceledError, Inserted, OrderKind, TerminalEntry
from pos_emulator.terminal.stand import DeskPinPad

APPLICATION_CURRENCY = "9F42"
FIRST, NO_TRACE = 0, "0"


def find_offer(
    parts: TerminalParts, entry: TerminalEntry, presented: Inserted
) -> Conversion | None:
    """What a sale is in the currency of the card; None where there is nothing to offer."""
    order = entry.order
    if not parts.rates.rates or order.operation is not OrderKind.SALE or order.cashback:
        return None
    currency = _currency_of(parts, entry, presented)
    return parts.rates.offer(asked_amount(order), order.currency, currency)


def is_chosen(parts: TerminalParts, entry: TerminalEntry, offer: Conversion) -> bool:
    """Whether the cardholder takes an offer, having seen both amounts, rate and markup. Raises
    DeskCanceledError, DeskAbortedError.
    """
    order = entry.order
    own = amount_text(asked_amount(order), order.currency)
    theirs = (
        f"{amount_text(offer.amount, offer.currency)} (1 {order.currency} = "
        f"{offer.rate.normalize():f} {offer.currency}, WITH {offer.markup:f} %)"
    )
    chosen = parts.stand.choose((own, theirs))
    if chosen is None:
        raise DeskCanceledError("canceled at the choice of a currency")
    return chosen == 1


def _currency_of(parts: TerminalParts, entry: TerminalEntry, presented: Inserted) -> str:
    """The currency of the card's first application; empty where it says none that has a rate. What
    is wrong with a card is for its payment to find.
    """
    number = b""
    devices = Devices(
        presented.card,
        DeskPinPad(parts.stand, parts.element, None),
        _no_host,
        lambda labels: FIRST,
        parts.random,
    )
    # The payment itself gets a trace number; a card that is only read needs none.
    payment = card_payment(replace(entry, trace=NO_TRACE), is_online=False)
    with suppress(EndError):
        dialog = read_chip(parts.kernel, payment, devices)
        number = dialog.values.get(APPLICATION_CURRENCY, b"")
    numbers = {f"{int(Currency(code).number):04d}": code for code in parts.rates.rates}
    return numbers.get(number.hex(), "")


def _no_host(request: OnlineRequest) -> OnlineResponse:
    raise HostUnreachableError("a card that is only read pays nothing")

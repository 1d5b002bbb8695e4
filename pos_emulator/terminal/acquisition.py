"""A card that is read before its payment, so that a till knows which it is.

An inserted card stays in the terminal, and its chip has not been asked to pay yet. A tap is taken
where the amount is known: the card gives its cryptogram for it, leaves the field, and is not needed
for the payment. Choices: D-452, D-511.
"""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from pos_emulator.kernel.contact import read_chip
from pos_emulator.kernel.contactless import read_tap
from pos_emulator.kernel.models import CHIP, MAGSTRIPE, TAP
from pos_emulator.kernel.records import (
    CardPayment,
    CardResult,
    Devices,
    EndError,
    EntryMode,
)
from pos_emulator.terminal.facts import ENTRY_MODES, label_of, last_digits
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.presentation import reader_of
from pos_emulator.terminal.records import (
    TAP_CURRENCY,
    AcquiredCard,
    CardPrompt,
    Inserted,
    OrderError,
    OrderKind,
    Presented,
    Swiped,
    Tapped,
    TillOrder,
    UnreadableCardError,
)
from pos_emulator.terminal.stand import DeskPinPad, no_host
from pos_emulator.tlv import build

READERS = frozenset({CHIP, MAGSTRIPE})
HELD = timedelta(minutes=3)
TRIES_MAX = 3
NAME_BYTES = 4
READING = frozenset({OrderKind.SALE, OrderKind.PRE_AUTHORIZATION, OrderKind.REFUND})
EURO = "978"


def acquire_card(parts: TerminalParts, amount: Decimal | None = None) -> AcquiredCard:
    """Ask for a card, and read it; a tap where the amount (EUR) is known. Raises
    UnreadableCardError, DeskCanceledError, DeskAbortedError.
    """
    known, text = READERS, "INSERT OR SWIPE CARD"
    if amount is not None:
        known, text = READERS | {TAP}, "PRESENT CARD"
    readers, order = known & parts.kernel.reads, TillOrder(amount=amount)
    for _ in range(TRIES_MAX):
        presented = parts.stand.present(CardPrompt(text, order, readers))
        try:
            if reader_of(presented) in readers:
                return _read(parts, presented, amount)
            text = "USE ANOTHER READER"
        except EndError as end:
            text = "NOT READ, TRY AGAIN"
            if end.result is CardResult.INSERT_CARD:
                text, readers = "INSERT CARD", readers - {TAP}
    raise UnreadableCardError("no card could be read")


def held_card(parts: TerminalParts, card: AcquiredCard | None, order: TillOrder) -> AcquiredCard:
    """The card that an order names. Raises OrderError where it is not held any more."""
    if order.operation not in READING or order.receipt:
        raise OrderError("acquired: expected none, as this order reads no card")
    if card is None or card.name != order.acquired or parts.now() - card.at > HELD:
        raise OrderError("acquired: expected a card that the terminal still holds")
    if card.amount is not None and not _was_tapped_for(card.amount, order):
        tapped = f"sale or pre-authorization of {card.amount} {TAP_CURRENCY}"
        raise OrderError(f"acquired: expected a {tapped}, for which the card was tapped")
    return card


def _was_tapped_for(amount: Decimal, order: TillOrder) -> bool:
    """Whether the cryptogram of a tap covers an order: amount, cash, currency, kind of payment."""
    is_paid = order.operation is not OrderKind.REFUND and not order.cashback
    return is_paid and (asked_amount(order), order.currency) == (amount, TAP_CURRENCY)


def _read(parts: TerminalParts, presented: Presented, amount: Decimal | None) -> AcquiredCard:
    name, at = f"C{parts.random(NAME_BYTES).hex()}", parts.now()
    card = AcquiredCard(name, at, "", ENTRY_MODES[EntryMode.MAGSTRIPE], presented=presented)
    if isinstance(presented, Swiped):
        track2 = build(("57", presented.magstripe.track2_data))
        return replace(card, digits=last_digits(track2))
    if not isinstance(presented, (Inserted, Tapped)):
        raise UnreadableCardError("expected a card in a reader")
    is_tap = isinstance(presented, Tapped)
    number = int(parts.journal.next_trace()) if is_tap else 0
    # A payment that is ordered later may have to be online; then its cryptogram must say so.
    payment = CardPayment(int((amount or 0) * 100), EURO, 2, at, number, forced_online=is_tap)
    pin_pad = DeskPinPad(parts.stand, parts.element, None)
    devices = Devices(
        presented.card, pin_pad, no_host, parts.stand.choose, parts.random,
        lambda event: parts.notify("card", event.text, "", event),
    )  # fmt: skip
    read = read_tap if is_tap else read_chip
    dialog = read(parts.kernel, payment, devices)
    return replace(
        card,
        digits=last_digits(dialog.account()),
        entry_mode=ENTRY_MODES[dialog.entry_mode],
        amount=amount if is_tap else None,
        presented=Tapped(presented.card, dialog) if is_tap else presented,
        label=label_of(dialog.values),
        sequence=dialog.values.get("5F34", b"").hex(),
    )

"""The batch of a terminal: its totals, and whether the gateway says the same at its end."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from pos_emulator.terminal.gateway import LostAnswerError, NotSentError
from pos_emulator.terminal.memory.journal import Closing
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import (
    BrandTotals,
    CurrencyTotals,
    Ending,
    OrderKind,
    Stage,
    TerminalEntry,
    Totals,
)
from pos_emulator.terminal.references import find_receipt

COUNTED = frozenset({Ending.APPROVED, Ending.PARTIAL})
CHARGING = frozenset({OrderKind.SALE, OrderKind.CAPTURE})
SIGNS = {OrderKind.SALE: 1, OrderKind.CAPTURE: 1, OrderKind.REFUND: -1, OrderKind.VOID: -1}
# What is kept of a closed batch fits into one line of the journal.
DIFFERENCES_KEPT, RECEIPTS_KEPT = 100, 1000


def close(parts: TerminalParts) -> Totals:
    """Close the open batch, and report its totals. Where a power cut came between, those of the
    batch that it closed are reported in its place. Raises StorageError. Choice: D-486.
    """
    left = [each for each in parts.journal.closings() if not each.is_reported]
    totals = left[0].totals if left else _closed(parts)
    parts.journal.write(Closing(totals=_kept(totals), is_reported=True))
    return totals


def _closed(parts: TerminalParts) -> Totals:
    totals = compared(parts, totals_of(parts, parts.now()))
    parts.journal.start_batch(Closing(totals=_kept(totals)), parts.now())
    return totals


def _kept(totals: Totals) -> Totals:
    return replace(
        totals,
        differences=totals.differences[:DIFFERENCES_KEPT],
        open_receipts=totals.open_receipts[:RECEIPTS_KEPT],
    )


def totals_of(parts: TerminalParts, closed_at: datetime | None = None) -> Totals:
    """The totals of the open batch, as the journal has them."""
    entries = parts.journal.entries(parts.journal.batch)
    moved = [each for each in entries if not _releases(parts, each)]
    currencies = sorted({each.order.currency for each in entries if each.ending is not None})
    return Totals(
        batch=parts.journal.batch,
        opened_at=parts.journal.numbers.opened_at,
        closed_at=closed_at,
        currencies=tuple(_totals_in(currency, moved) for currency in currencies),
        open_receipts=tuple(each.receipt for each in entries if each.is_open),
        brands=_brands_in(moved),
        receipts=len(entries),
    )


def compared(parts: TerminalParts, totals: Totals) -> Totals:
    """The totals with what the gateway says otherwise of single payments."""
    entries = parts.journal.entries(totals.batch)
    found = (_difference(parts, each) for each in entries if not each.is_open)
    return replace(totals, differences=tuple(each for each in found if each))


def _totals_in(currency: str, entries: Iterable[TerminalEntry]) -> CurrencyTotals:
    totals = CurrencyTotals(currency)
    for each in entries:
        if each.order.currency == currency and each.ending is not None:
            totals = _added(totals, each)
    return totals


def _releases(parts: TerminalParts, entry: TerminalEntry) -> bool:
    """Whether an entry has voided a pre-authorization, which moves no money."""
    if entry.order.operation is not OrderKind.VOID or entry.ending not in COUNTED:
        return False
    original = find_receipt(parts, entry.original)
    return original is not None and original.order.operation is OrderKind.PRE_AUTHORIZATION


def _brands_in(entries: Iterable[TerminalEntry]) -> tuple[BrandTotals, ...]:
    """What each brand paid; nothing of a pre-authorization, which moves no money."""
    found: dict[tuple[str, str], BrandTotals] = {}
    for each in entries:
        sign = SIGNS.get(each.order.operation)
        if sign is None or each.ending not in COUNTED or each.approved is None:
            continue
        place = (each.order.currency, each.printed.brand if each.printed else "")
        before = found.get(place, BrandTotals(*place))
        payments, amount = before.payments + 1, before.amount + sign * each.approved
        found[place] = replace(before, payments=payments, amount=amount)
    return tuple(found[place] for place in sorted(found))


def _added(totals: CurrencyTotals, entry: TerminalEntry) -> CurrencyTotals:
    if entry.ending not in COUNTED or entry.approved is None:
        is_declined = entry.ending in (Ending.DECLINED, Ending.WRONG_PIN)
        return replace(totals, declined=totals.declined + is_declined)
    amount = entry.approved
    match entry.order.operation:
        case OrderKind.SALE | OrderKind.CAPTURE:
            sales, total = totals.sales + 1, totals.sales_amount + amount
            return replace(totals, sales=sales, sales_amount=total)
        case OrderKind.REFUND:
            refunds, total = totals.refunds + 1, totals.refunds_amount + amount
            return replace(totals, refunds=refunds, refunds_amount=total)
        case OrderKind.VOID:
            voids, total = totals.voids + 1, totals.voids_amount + amount
            return replace(totals, voids=voids, voids_amount=total)
    return totals


def _difference(parts: TerminalParts, entry: TerminalEntry) -> str:
    """What the gateway says otherwise of an entry; nothing where both agree."""
    stands = entry.stage in (Stage.APPROVED, Stage.REVERSED) and entry.payment != ""
    if not entry.transaction or not stands and entry.stage not in (Stage.DECLINED, Stage.FAILED):
        return ""
    name = f"receipt {entry.receipt}"
    try:
        found = [each for each in parts.gateway.find(entry.transaction) if each.is_approved]
    except (NotSentError, LostAnswerError) as error:
        return f"{name}: not compared, {error}"
    if stands and entry.ending in COUNTED and not found:
        return f"{name}: {_money(entry)} here, not approved at the gateway"
    if not stands and found:
        return f"{name}: not approved here, {found[0].amount} at the gateway"
    if stands and found and entry.order.operation is not OrderKind.VOID:
        return _other_amount(name, entry, found[0].amount)
    return ""


def _other_amount(name: str, entry: TerminalEntry, amount: Decimal | None) -> str:
    approved = entry.approved if entry.conversion is None else entry.conversion.amount
    if amount is None or approved in (None, amount):
        return ""
    return f"{name}: {_money(entry)} here, {amount} at the gateway"


def _money(entry: TerminalEntry) -> str:
    return f"{entry.approved or asked_amount(entry.order)} {entry.order.currency}"

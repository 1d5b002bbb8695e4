"""The batch of a terminal: its totals, and whether the gateway says the same at its end."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from pos_emulator.terminal.day.differences import difference, late_difference
from pos_emulator.terminal.memory.journal import Closing
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import (
    COUNTED,
    BrandTotals,
    CurrencyTotals,
    Ending,
    OrderKind,
    TerminalEntry,
    Totals,
)
from pos_emulator.terminal.references import find_receipt

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
        open_receipts=_open_receipts(parts),
        brands=_brands_in(moved),
        receipts=len(entries),
        first_receipt=entries[0].receipt if entries else "",
        last_receipt=entries[-1].receipt if entries else "",
    )


def compared(parts: TerminalParts, totals: Totals) -> Totals:
    """The totals with what the gateway says otherwise of single payments, and with what counts
    otherwise since an earlier batch was closed.
    """
    entries = parts.journal.entries(totals.batch)
    with parts.gateway.asking_in_a_row():
        found = [difference(parts, each) for each in entries if not each.is_open]
    found += [late_difference(each) for each in _late(parts)]
    return replace(totals, differences=tuple(each for each in found if each))


def _late(parts: TerminalParts) -> list[TerminalEntry]:
    found = (parts.journal.entry(each.batch, each.receipt) for each in parts.journal.late())
    return [each for each in found if each is not None and not _moves_nothing(parts, each)]


def _open_receipts(parts: TerminalParts) -> tuple[str, ...]:
    """What the terminal still has work with, the tries before the last one of a payment too; that
    of an earlier batch with its number.
    """
    journal = parts.journal
    names = {each.name for each in journal.open_entries()}
    names |= {f"{each.batch}-{each.receipt}" for each in journal.reversals()}
    return tuple(each.removeprefix(f"{journal.batch}-") for each in sorted(names))


def _moves_nothing(parts: TerminalParts, entry: TerminalEntry) -> bool:
    return entry.order.operation is OrderKind.PRE_AUTHORIZATION or _releases(parts, entry)


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

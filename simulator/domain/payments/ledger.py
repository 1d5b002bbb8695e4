"""The double-entry ledger: each payment type moves its money between two accounts, by one row.

A merchant's books therefore always close: `reserve` holds what is authorised and not yet captured,
`merchant` what the clearing institute owes for it, `clearing` is the other side of both.
Settlement charges `fees`. Choice: D-35.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from heapq import merge

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import HasStore, Store
from simulator.domain.core.records import LedgerEntry, Payment, PaymentType
from simulator.domain.core.slices import with_pauses
from simulator.grammar.payment_types import CLEARING, FEES, MERCHANT, RESERVE, PaymentEffect

DISPUTES = (PaymentEffect.CHARGEBACK, PaymentEffect.CHARGEBACK_REVERSAL)
OF_PAYMENT = ".1"
LAST = "~"


def accounts_moved(payment: Payment, about: Payment | None) -> tuple[str, str] | None:
    """The accounts that an approved payment moves its money from and to, or None where no money
    moves, as by a registration.

    `about` is the payment it refers to, or that a dispute is about: a reversal and a chargeback
    move it backwards, a chargeback reversal moves it again, and a refund gives it back.
    """
    row = PAYMENT_TYPES[payment.type]
    rule = row.ledger
    if rule is None or is_recorded_only(payment.type, None if about is None else about.type):
        return None
    earlier = None if about is None else _accounts_of(about)
    debit, credit = (rule.debit, rule.credit) if rule.debit else _known(earlier)
    if row.effect in DISPUTES:
        # A captured amount is no longer reserved: it goes where a refund would take it.
        debit, credit = _beyond_reserve(debit), _beyond_reserve(credit)
    is_backwards = rule.reverses or (rule.gives_back and earlier == (debit, credit))
    return (credit, debit) if is_backwards else (debit, credit)


def _accounts_of(payment: Payment) -> tuple[str, str] | None:
    """The accounts that a payment moved its money from and to. Payments of 0.1.0 have theirs in the
    ledger entry beside them: those of their type.
    """
    rule = PAYMENT_TYPES[payment.type].ledger
    return payment.posted or (None if rule is None else (rule.debit, rule.credit))


def _known(earlier: tuple[str, str] | None) -> tuple[str, str]:
    assert earlier is not None, "it refers to a payment that moved money"
    return earlier


def entry_of(payment: Payment) -> LedgerEntry:
    """The ledger entry of a payment that moved money: made when it is read, stored with it."""
    assert payment.posted is not None and payment.posted_at is not None, "it moved money"
    debit, credit = payment.posted
    return LedgerEntry(
        id=payment.id + OF_PAYMENT,
        version=1,
        payment=payment.id,
        debit=debit,
        credit=credit,
        money=payment.moved,
        at=payment.posted_at,
    )


def entries_between(store: Store, low: str, high: str) -> Iterator[LedgerEntry]:
    """The ledger entries of payments and of settlements with an instant in [low, high), oldest
    first. Payments of 0.1.0 have theirs among the stored ones.
    """
    of_payments = map(entry_of, store.between(Payment, "posted", low, high))
    return merge(of_payments, store.between(LedgerEntry, "date", low, high), key=_instant)


def newest_entries(ports: HasStore, *, skip: int, most: int) -> tuple[list[LedgerEntry], int]:
    """At most `most` ledger entries, the newest first, behind `skip` newer ones, and how many there
    are in all. Costs what it returns, and the logarithm of what there is. Others have their turn
    meanwhile.
    """
    store = ports.store
    stored, moved = _count(store, LedgerEntry, "date"), _count(store, Payment, "posted")
    stop = max(0, stored + moved - skip)
    start = max(0, stop - most)
    first, last = _stored_before(ports, start), _stored_before(ports, stop)
    of_settlements = store.page(LedgerEntry, "date", ("", LAST), start=first, most=last - first)[0]
    begin, most = start - first, stop - last - (start - first)
    of_payments = store.page(Payment, "posted", ("", LAST), start=begin, most=most)[0]
    made = map(entry_of, with_pauses(ports, of_payments))
    found = merge(made, of_settlements, key=_instant)
    return list(found)[::-1], stored + moved


def _stored_before(ports: HasStore, place: int) -> int:
    """How many of the oldest `place` entries are stored ones: found by halving."""
    store = ports.store
    moved, stored = _count(store, Payment, "posted"), _count(store, LedgerEntry, "date")
    low, high = max(0, place - moved), min(stored, place)
    while low < high:
        middle = (low + high) // 2
        (entry,) = store.page(LedgerEntry, "date", ("", LAST), start=middle, most=1)[0]
        start = place - middle - 1
        found = store.page(Payment, "posted", ("", LAST), start=start, most=1)[0]
        (payment,) = with_pauses(ports, found)
        if entry.at < entry_of(payment).at:
            low = middle + 1
        else:
            high = middle
    return low


def _count(store: Store, kind: type, index: str) -> int:
    return store.page(kind, index, ("", LAST), start=0, most=0)[1]


def _instant(entry: LedgerEntry) -> datetime:
    return entry.at


def is_recorded_only(kind: PaymentType, about: PaymentType | None) -> bool:
    """Whether a payment of this type moves nothing: a receipt for what is captured already.

    Choice: D-282.
    """
    if about is None or PAYMENT_TYPES[kind].effect is not PaymentEffect.RECEIPT:
        return False
    row, earlier = PAYMENT_TYPES[kind].ledger, PAYMENT_TYPES[about].ledger
    return row is not None and earlier is not None and earlier.credit != row.debit


def _beyond_reserve(account: str) -> str:
    return CLEARING if account == RESERVE else account


def balances(postings: Iterable[LedgerEntry]) -> dict[str, Decimal]:
    """What stands on each account, credits less debits; the sum over all accounts is zero."""
    totals: dict[str, Decimal] = dict.fromkeys((CLEARING, RESERVE, MERCHANT, FEES), ZERO)
    for posting in postings:
        # Settlement moves money to `bank`, which a payment alone never does.
        totals[posting.debit] = totals.get(posting.debit, ZERO) - posting.money.amount
        totals[posting.credit] = totals.get(posting.credit, ZERO) + posting.money.amount
    return totals

"""The ledgers of gateway and card host compared: what each side says was moved.

Choices: D-188, D-241.
"""

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal

import msgspec

from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.domain.payments.responses import APPROVALS

UNDER_WAY = frozenset({State.OPEN, State.PENDING})
NO_ENTRY = "the host knows no such payment"
NO_PAYMENT = "the gateway knows no such payment"
ANOTHER = "gateway and host mean another type or currency"
NOT_YET_REVERSED = "the reversal is not answered yet"
OTHERWISE = "gateway and host say otherwise"


class Difference(msgspec.Struct, frozen=True):
    """What the ledgers say of one payment, where it is not the same, and why. The card is
    masked.
    """

    payment: str
    type: PaymentType
    card: str
    currency: str
    gateway: Decimal
    host: Decimal
    why: str

    @property
    def is_one(self) -> bool:
        """Whether there is a difference: in what was moved, or in what it was."""
        return self.gateway != self.host or self.why == ANOTHER


class LedgerSum(msgspec.Struct, frozen=True):
    """What the payments of one type moved in one currency, by the ledger of either side."""

    type: PaymentType
    currency: str
    count: int
    gateway: Decimal
    host: Decimal


class LedgerReconciliation(msgspec.Struct, frozen=True):
    """The ledgers of both sides compared: nothing differs where they agree. Payments `under_way`
    have
    no end yet, and stand on neither side.
    """

    lines: tuple[LedgerSum, ...]
    differences: tuple[Difference, ...]
    under_way: tuple[str, ...]


def reconcile(
    payments: Mapping[str, Payment], entries: Mapping[str, CardEntry], lost: Collection[str]
) -> LedgerReconciliation:
    """The report of the payments that travelled and the entries of the host, by their ids; those
    `lost` wait for the answer to a reversal.
    """
    under_way = {each.id for each in payments.values() if each.state in UNDER_WAY}
    ended = sorted((payments.keys() | entries.keys()) - under_way)
    said = [_said(payments.get(each), entries.get(each)) for each in ended]
    wrong = [each for each in said if each.is_one]
    differences = tuple(
        msgspec.structs.replace(each, why=NOT_YET_REVERSED) if each.payment in lost else each
        for each in wrong
    )
    return LedgerReconciliation(tuple(_lines(said)), differences, tuple(sorted(under_way)))


def moved_by(entry: CardEntry) -> Decimal:
    """What an entry moved in the end: nothing where it was declined, or reversed."""
    ended = entry.plan.then or entry.plan.outcome
    if entry.reversed_at is not None or class_of(ended.code) not in APPROVALS:
        return ZERO
    return ZERO if entry.money is None else entry.money.amount


def _said(payment: Payment | None, entry: CardEntry | None) -> Difference:
    """What either side says of one payment; at least one of them knows it."""
    known = payment or entry
    assert known is not None, "an id comes from one of the sides"
    money = known.money if entry is None or entry.money is None else entry.money
    why = NO_PAYMENT if payment is None else NO_ENTRY if entry is None else OTHERWISE
    if payment is not None and entry is not None and not _are_alike(payment, entry):
        why = ANOTHER
    return Difference(
        payment=known.id,
        type=known.type,
        card=_card_of(payment),
        currency="" if money is None else money.currency,
        gateway=_booked_by(payment),
        host=ZERO if entry is None else moved_by(entry),
        why=why,
    )


def _are_alike(payment: Payment, entry: CardEntry) -> bool:
    """Whether both sides mean the same: the type, and the currency where both name one."""
    if payment.money is None or entry.money is None:
        return payment.type == entry.type
    ours, theirs = payment.money.currency, entry.money.currency
    return (payment.type, ours) == (entry.type, theirs)


def _booked_by(payment: Payment | None) -> Decimal:
    if payment is None or payment.money is None or payment.state is State.FAILED:
        return ZERO
    return payment.money.amount


def _card_of(payment: Payment | None) -> str:
    card = None if payment is None else payment.card
    return "" if card is None else f"{card.bin}******{card.last4Digits}"


def _lines(said: Iterable[Difference]) -> Iterable[LedgerSum]:
    kinds: dict[tuple[PaymentType, str], list[Difference]] = {}
    for each in said:
        if each.gateway or each.host:
            kinds.setdefault((each.type, each.currency), []).append(each)
    for (kind, currency), moved in sorted(kinds.items()):
        yield LedgerSum(
            kind,
            currency,
            len(moved),
            sum((each.gateway for each in moved), ZERO),
            sum((each.host for each in moved), ZERO),
        )

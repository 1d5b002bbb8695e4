"""The ledgers of gateway and card host compared: what each side says was moved.

Choices: D-188, D-241.
"""

from collections.abc import Callable
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.grammar.results import APPROVALS

UNDER_WAY = frozenset({State.OPEN, State.PENDING})
DIFFERENCES_MAX = 1_000
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


class Reconciliation:
    """A report in the making: payments are added one by one, and only sums, what differs and what
    is under way are kept. At most `DIFFERENCES_MAX` differences are; the others count in the sums.
    """

    __slots__ = ("_differences", "_is_lost", "_sums", "_under_way")

    def __init__(self, is_lost: Callable[[str], bool]):
        """`is_lost` says whether a payment waits for the answer to a reversal."""
        self._is_lost = is_lost
        self._sums: dict[tuple[PaymentType, str], LedgerSum] = {}
        self._differences: list[Difference] = []
        self._under_way: list[str] = []

    def add(self, payment: Payment | None, entry: CardEntry | None) -> None:
        """Add what either side says of one payment; at least one of them knows it."""
        if payment is not None and payment.state in UNDER_WAY:
            self._under_way.append(payment.id)
            return
        said = _said(payment, entry)
        if said.gateway or said.host:
            self._count(said)
        if said.is_one and len(self._differences) < DIFFERENCES_MAX:
            is_lost = self._is_lost(said.payment)
            self._differences.append(replace(said, why=NOT_YET_REVERSED) if is_lost else said)

    def report(self) -> LedgerReconciliation:
        """The report of everything that was added."""
        return LedgerReconciliation(
            tuple(each for _, each in sorted(self._sums.items())),
            tuple(sorted(self._differences, key=lambda each: each.payment)),
            tuple(sorted(self._under_way)),
        )

    def _count(self, said: Difference) -> None:
        key = (said.type, said.currency)
        held = self._sums.get(key) or LedgerSum(*key, 0, ZERO, ZERO)
        self._sums[key] = LedgerSum(
            *key, held.count + 1, held.gateway + said.gateway, held.host + said.host
        )


def moved_by(entry: CardEntry) -> Decimal:
    """What an entry moved in the end: nothing where it was declined or reversed, a part where only
    that was approved.
    """
    ended = entry.end
    if entry.reversed_at is not None:
        return ZERO
    if ended.approved is not None:
        return ended.approved
    if class_of(ended.code) not in APPROVALS:
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

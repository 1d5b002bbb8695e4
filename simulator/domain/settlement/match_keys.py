"""What payments and lines of settlement files are compared by: four keys, in their order."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from simulator.domain.core.money import Money, as_settled, with_two_decimals
from simulator.domain.settlement.lines import SettlementLine

Key = tuple[str, ...]


class MatchCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A payment as it is compared with lines; `day` is its day in the institute's zone, `money`
    has two decimals. One that the gateway has not approved can be settled all the same, where an
    answer of the card host was lost.
    """

    payment: str
    kind: str
    merchant_account: str
    money: Money
    day: date
    reference: str = ""
    merchant_transaction_id: str = ""
    last4: str = ""
    is_approved: bool = True


class Features(NamedTuple):
    """What payments and lines are compared by."""

    merchant_account: str
    payment: str
    reference: str
    merchant_transaction_id: str
    kind: str
    amount: str
    day: str
    last4: str


def _by_id(of: Features) -> Key | None:
    return (of.merchant_account, of.payment) if of.payment else None


def by_reference(of: Features) -> Key | None:
    """The one key that finds payments of other bank days too."""
    return (of.merchant_account, of.reference, of.amount) if of.reference else None


def _by_transaction_id(of: Features) -> Key | None:
    if not of.merchant_transaction_id:
        return None
    return (of.merchant_account, of.merchant_transaction_id, of.kind, of.amount)


def _by_day(of: Features) -> Key | None:
    if not (of.day and of.last4):
        return None
    return (of.merchant_account, of.amount, of.day, of.last4)


KeyOf = Callable[[Features], Key | None]

# fmt: off
KEYS: tuple[tuple[str, KeyOf], ...] = (
    ("payment id",                                      _by_id),
    ("reference with amount and currency",              by_reference),
    ("merchantTransactionId with type and amount",      _by_transaction_id),
    ("amount and currency with day and last digits",    _by_day),
)
# fmt: on


def features_of(payment: MatchCandidate) -> Features:
    """What a payment is compared by."""
    return Features(
        merchant_account=payment.merchant_account,
        payment=payment.payment,
        reference=payment.reference,
        merchant_transaction_id=payment.merchant_transaction_id,
        kind=payment.kind,
        amount=_amount(as_settled(payment.money), payment.money.currency),
        day=payment.day.isoformat(),
        last4=payment.last4,
    )


def features_of_line(line: SettlementLine) -> Features:
    """What a line is compared by."""
    return Features(
        merchant_account=line.merchant_number,
        payment=line.payment,
        reference=line.reference,
        merchant_transaction_id=line.merchant_transaction_id,
        kind=line.type,
        amount=_amount(with_two_decimals(line.money.amount), line.money.currency),
        day="" if line.requested_at is None else line.requested_at.date().isoformat(),
        last4=line.last4,
    )


def _amount(amount: Decimal, currency: str) -> str:
    return f"{amount} {currency}"

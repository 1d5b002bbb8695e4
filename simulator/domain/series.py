"""Series that have limits of their own: those that the merchant sends where no agreement has them.

Such a series is known by what its payments share: their schedule, else their registration, else
their reference; and by standingInstruction.type, so that a card has one of each beside each other.
It is counted like an agreement, and lets the merchant do nothing.
Source: Card on file. Choices: D-125, D-698.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from simulator.domain.core.hosts import Host
from simulator.domain.core.records import AccountHierarchy, Payment
from simulator.domain.recurring import (
    PLANS,
    TRANSACTION,
    TYPE,
    UNSCHEDULED,
    Agreement,
    days_in,
    number_in,
    terms_of,
    with_first,
)

UNTYPED = ""
TYPES = (UNTYPED, *sorted(PLANS), UNSCHEDULED)


def scope_of(sent: Mapping[str, str], registration: str | None) -> str | None:
    """What the payments of a series share, if they have no schedule."""
    return registration or sent.get(TRANSACTION)


def series_key(stamp: AccountHierarchy, host: Host, scope: str, kind: str = UNTYPED) -> str:
    """The id of a series of a merchant. No agreement has it."""
    return f"{stamp.merchant}.{host}/{kind}/{scope}"


def types_of(sent: Mapping[str, str]) -> tuple[str, ...]:
    """The types of the series that a payment can be of, its own first. One that sends no type is of
    all of them.
    """
    return (sent[TYPE], UNTYPED) if TYPE in sent else TYPES


def exceeds(sent: Mapping[str, str], agreement: Agreement | None) -> bool:
    """Whether a payment sends a limit that is counted, and that an agreement does not have."""
    counts = number_in(sent) is not None and (agreement is None or agreement.most is None)
    waits = days_in(sent) > 0 and (agreement is None or not agreement.every_days)
    return counts or waits


def open_series(payment: Payment, identity: str) -> Agreement:
    """The series that goes on with a payment, as no other was counted in it."""
    return replace(terms_of(payment, ""), id=identity, expiry=None)


def with_terms(series: Agreement, sent: Mapping[str, str]) -> Agreement:
    """The series with the limits that it had not, and a payment of it sends."""
    most = series.most if series.most is not None else number_in(sent)
    return replace(series, most=most, every_days=series.every_days or days_in(sent))


def scheduled_series(series: Agreement, sent: Mapping[str, str]) -> Agreement:
    """The series of a schedule with the limits of the schedule as it is now."""
    return replace(series, most=number_in(sent), every_days=days_in(sent))


def begun_series(payment: Payment, identity: str, before: Agreement | None) -> Agreement:
    """The series that a payment begins, in the place of the one before it. What is under way counts
    in the new one.
    """
    new = with_first(replace(terms_of(payment, ""), id=identity), payment)
    if before is None:
        return new
    return replace(new, version=before.version, reserved=before.reserved)


def is_limited(series: Agreement) -> bool:
    """Whether a series has any limit."""
    return bool(series.expiry or series.every_days) or series.most is not None

"""Pending payments: what becomes of one, and when. Source: States and transitions, asynchronous
payment.
"""

from datetime import datetime, timedelta

import msgspec

from simulator.domain.acquiring import Plan
from simulator.domain.records import Outcome, Payment

# Source: the limit of a checkout; nothing else is shown. Choice: D-47.
LIFETIME = timedelta(minutes=30)
EXPIRED = Outcome(code="100.396.103", decided_by="pending for 30 minutes")


class Awaited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The final outcome of the pending payment of the same id, and the instant it comes about."""

    id: str
    version: int = 0
    due: datetime
    outcome: Outcome


def awaited_of(payment: Payment, plan: Plan | None, now: datetime) -> Awaited:
    """What a payment that is pending now waits for: what was planned for it, or its expiry."""
    if plan is None or plan.then is None or plan.then_after > LIFETIME:
        return Awaited(id=payment.id, due=now + LIFETIME, outcome=EXPIRED)
    return Awaited(id=payment.id, due=now + plan.then_after, outcome=plan.then)

"""A part of the amount that an issuer approves (10 in field 39): taken, or the whole is declined.

Choice: D-481.
"""

from decimal import Decimal

from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.entities import Channel
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Outcome, PaymentType

TYPES = frozenset({PaymentType.DB, PaymentType.PA})
AUTHORIZATION_CODE = "AuthCode"


def takes_part(channel: Channel, request: AcquirerRequest, part: Decimal) -> bool:
    """Whether a payment of `part` is made: the channel takes parts, and at a terminal the rest
    can be paid in another way.
    """
    if not channel.partial_approvals or request.terminal is None or request.money is None:
        return False
    return request.type in TYPES and ZERO < part < request.money.amount


def part_approved(outcome: Outcome, code: str) -> Outcome:
    """The outcome as an approval of its part, by result code `code`."""
    return replace(outcome, code=code)


def part_declined(outcome: Outcome) -> Outcome:
    """The outcome as a decline of the whole: no part, and no authorization of one."""
    kept = {name: each for name, each in outcome.details.items() if name != AUTHORIZATION_CODE}
    return replace(outcome, approved=None, details=kept)

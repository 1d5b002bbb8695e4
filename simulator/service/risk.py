"""Risk checks: of a payment before the acquirer is asked, and alone. Source: Risk."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
)
from simulator.domain.core.ports import HasInFlight
from simulator.domain.core.records import PaymentType
from simulator.domain.holding import Stop
from simulator.domain.journal.entries import create_risk_entry
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.simulators import HasRisk
from simulator.domain.risk import (
    SCORE_PASSED,
    RiskDecision,
    outcome_of,
    request_of,
)
from simulator.service.held import HeldPorts, held_at

UNCHECKED = RiskDecision(SCORE_PASSED, None, "risk system")
# How a store refuses to count a payment no more: the next count sees to it, if there is one.
UNTAKEN = (DamagedLogError, DiskError, EpochEndedError, HomeNeededError)


class RiskPorts(HeldPorts, HasInFlight, HasJournal, HasRisk, Protocol):
    """What a risk check needs."""


class ScreenedPorts(HasRisk, Protocol):
    """What the end of a screened request needs."""


def check_risk(
    context: ChannelContext[RiskPorts], attempt: PaymentAttempt, sent: Mapping[str, str]
) -> PaymentAttempt:
    """The attempt with what the risk system decides: a score, or the outcome that declines it."""
    payment, ports = attempt.payment, context.ports
    request = request_of(payment, sent)
    with ports.in_flight, held_at(ports, Stop.RISK, payment, f"screen {payment.type}") as let:
        if let.is_dropped:
            return attempt
        decision = ports.risk.screen(request)
    if decision is None:
        if payment.type is not PaymentType.RI:
            return attempt
        decision = UNCHECKED
    ports.journal.append_entry(create_risk_entry(payment, request, decision))
    return replace(
        attempt,
        payment=replace(payment, screened_by=decision.decided_by),
        decided=outcome_of(decision, payment.type),
        risk_score=decision.score,
    )


@contextmanager
def counted_if_stored(context: ChannelContext[ScreenedPorts], identity: str) -> Iterator[None]:
    """Where the work within ends without a payment, whatever ended it, its screening counts no
    more. What was raised stays what it is. Choice: D-165.
    """
    is_answered = False
    try:
        yield
        is_answered = True
    finally:
        if not is_answered:
            with suppress(*UNTAKEN):
                _take_back(context, identity)


def _take_back(context: ChannelContext[ScreenedPorts], identity: str) -> None:
    channel, risk = context.channel, context.ports.risk
    if channel.risk or channel.screening or risk.is_scripted:
        risk.take_back(identity)

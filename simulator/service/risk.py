"""Risk checks: of a payment before the acquirer is asked, and alone. Source: Risk."""

from collections.abc import Mapping

from msgspec.structs import replace

from simulator.catalogue.payment_types import SCREENED_TYPES
from simulator.domain.core.ports import ChannelContext
from simulator.domain.core.records import PaymentType
from simulator.domain.journal.entries import create_risk_entry
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.risk import (
    SCORE_PASSED,
    RiskDecision,
    outcome_of,
    request_of,
)

UNCHECKED = RiskDecision(SCORE_PASSED, None, "risk system")


def screened(
    context: ChannelContext, opening: PaymentAttempt, sent: Mapping[str, str]
) -> PaymentAttempt:
    """The opening with what the risk system says of it: a score, or the outcome it declines with.

    A channel without checks, in a sandbox without scripts, costs next to nothing.
    """
    payment, ports = opening.payment, context.ports
    is_alone = payment.type is PaymentType.RI
    if payment.type not in SCREENED_TYPES:
        return opening
    if not (
        is_alone or context.channel.risk or context.channel.screening or ports.risk.is_scripted
    ):
        return opening
    request = request_of(payment, sent)
    decision = ports.risk.screen(request)
    if decision is None:
        if not is_alone:
            return opening
        decision = UNCHECKED
    ports.journal.append_entry(create_risk_entry(payment, request, decision))
    return replace(
        opening,
        payment=replace(payment, screened_by=decision.decided_by),
        decided=outcome_of(decision, payment.type),
        risk_score=decision.score,
        marks=(*opening.marks, *decision.records),
    )

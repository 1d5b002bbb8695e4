"""Series of payments for tests: an acquirer that gives references, and payments in their places."""

from datetime import timedelta

import pytest

from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.recurring import ISSUED, Agreement, key_of
from simulator.service.payments.pipeline import take_payment
from simulator.service.registrations import charge
from simulator.tests.kit.making import CARD, Answering, new_ids

ORDER = {**CARD, "paymentType": "DB", "amount": "1.00", "currency": "EUR"}
PENDING = Outcome(code="000.200.000")
INSTALLMENTS = {
    "standingInstruction.type": "INSTALLMENT",
    "standingInstruction.expiry": "2026-12-31",
    "standingInstruction.frequency": "0028",
    "standingInstruction.numberOfInstallments": "3",
}


class Referring:
    """An acquirer that gives the shopper's first payment of a series a reference."""

    def __init__(self, *outcomes: Outcome, delay_s: float = 0):
        self._answering = Answering(*outcomes, delay_s=delay_s)
        self.asks = self._answering.asks

    def take(self, delay: timedelta) -> None:
        """Answer so much later from now on."""
        self._answering.delay = delay

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """The given answer, with a reference where one is due."""
        plan = self._answering.plan(ask)
        first = ask.parameters.get("standingInstruction.mode") == "INITIAL"
        if not first or not plan.outcome.code.startswith("000.100"):
            return plan
        outcome = Outcome(code=plan.outcome.code, details={ISSUED: f"ref-{len(self.asks)}"})
        return AcquirerResponse(outcome=outcome, delay=plan.delay)


def in_series(mode: str, source: str, **more: str) -> dict[str, str]:
    """The parameters of a place in a series."""
    return {"standingInstruction.mode": mode, "standingInstruction.source": source, **more}


def paid(context: ChannelContext, **more: str) -> Payment:
    """A payment by card."""
    return take_payment(context, {**ORDER, **more}, new_ids(context))


def first_of(context: ChannelContext, **more: str) -> Payment:
    """The shopper's first payment of a series, which stores the card."""
    return paid(context, **in_series("INITIAL", "CIT"), createRegistration="true", **more)


def next_of(context: ChannelContext, first: Payment, **more: str) -> Payment:
    """What the merchant charges alone, from the card that was stored."""
    return charged(context, first, **{**more, **in_series("REPEATED", "MIT")})


def charged(context: ChannelContext, first: Payment, **more: str) -> Payment:
    """A payment from the card that was stored."""
    sent = {"paymentType": "DB", "amount": "1.00", "currency": "EUR", **more}
    return charge(context, first.registration or "", sent, new_ids(context))


def reference_in(payment: Payment) -> str | None:
    """The reference a payment has."""
    return payment.sent.get("standingInstruction.initialTransactionId")


def agreement_in(context: ChannelContext, reference: str) -> Agreement:
    """The agreement under a reference."""
    found = context.ports.store.get(Agreement, key_of(context.stamp, context.host, reference))
    assert found is not None
    return found


def code_of(call, *arguments, **more) -> str:
    """The result code a call is refused with."""
    with pytest.raises(Refusal) as caught:
        call(*arguments, **more)
    return caught.value.code

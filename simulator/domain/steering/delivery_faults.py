"""Delivery faults by script: lose, delay, duplicate, reorder or corrupt the events of a payment."""

from collections.abc import Sequence

from msgspec.structs import replace

from scenarios.records import Attempts, WebhookSteps, behaviour_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.records import Look, Payment, Script
from simulator.domain.steering.matching_scripts import match_scripts, steps_of
from simulator.domain.webhooks.records import Delivery, DeliveryFault

EVERY_ATTEMPT = 1_000_000


def find_delivery_fault(
    payment: Payment, scripts: Sequence[Script]
) -> tuple[DeliveryFault | None, tuple[Script | Look, ...]]:
    """The fault in the delivery of events about `payment`, and the scripts that counted, to be
    stored.

    The script that decided the payment's outcome decides about its events too; otherwise the
    newest script that matches, among those that have steps for webhooks only.
    """
    decided_by = payment.outcome.decided_by if payment.outcome else ""
    for script in scripts:
        if "webhooks" in steps_of(script) and decided_by == f"script {script.id}":
            return _fault_of(script), ()
    matched = match_scripts(
        request_about(payment), [each for each in scripts if _is_for_webhooks_only(each)]
    )
    return None if matched.answers is None else _fault_of(matched.answers), matched.counted


def request_about(payment: Payment) -> AcquirerRequest:
    """The payment as a script matches it; only the first digits of its card number are known."""
    holder = {"card.holder": payment.card.holder} if payment.card and payment.card.holder else {}
    return AcquirerRequest(
        type=payment.type,
        payment=payment.id,
        entity=payment.stamp.channel,
        trace=0,
        money=payment.money,
        brand=payment.brand,
        number=payment.card.bin if payment.card else None,
        parameters={**payment.sent, **holder},
        original=payment.referenced,
    )


def delivery_fault_of(steps: WebhookSteps) -> DeliveryFault:
    """The fault that these steps describe; a step without a number affects every attempt."""
    return DeliveryFault(
        lose=_affected_attempts(steps.lose),
        corrupt=_affected_attempts(steps.corrupt),
        wrong_key=_affected_attempts(steps.wrong_key),
        duplicate=steps.duplicate.times if steps.duplicate else 0,
        delay_s=steps.delay.seconds if steps.delay else 0,
        reorder=steps.reorder is not None,
    )


def fault_from_now(delivery: Delivery, steps: WebhookSteps) -> DeliveryFault:
    """The fault that these steps describe, from the next attempt of a delivery on."""
    fault, made = delivery_fault_of(steps), delivery.attempts
    counted = {name: getattr(fault, name) for name in ("lose", "corrupt", "wrong_key")}
    return replace(fault, **{name: each and each + made for name, each in counted.items()})


def _is_for_webhooks_only(script: Script) -> bool:
    steps = steps_of(script)
    others = ("acquirer", "acs", "bank", "issuer", "link", "risk")
    return "webhooks" in steps and steps.keys().isdisjoint(others)


def _fault_of(script: Script) -> DeliveryFault | None:
    steps = behaviour_of(script.behaviour).steps.webhooks
    return None if steps is None else delivery_fault_of(steps)


def _affected_attempts(step: Attempts | None) -> int:
    if step is None:
        return 0
    return EVERY_ATTEMPT if step.attempts is None else step.attempts

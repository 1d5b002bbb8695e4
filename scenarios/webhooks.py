"""What scripts do to the notifications of a payment: lose, delay, copy, swap or spoil them."""

from collections.abc import Sequence

from scenarios.records import Attempts, WebhookSteps, behaviour_of
from scenarios.steering.matching_scripts import hear, steps_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.records import Payment, Script
from simulator.domain.webhooks.records import Mishap

ALWAYS = 1_000_000


def mishap_for(
    payment: Payment, scripts: Sequence[Script]
) -> tuple[Mishap | None, tuple[Script, ...]]:
    """What happens to notifications about `payment`, and the scripts that counted, to be stored.

    The script that decided the payment's outcome goes on with its notifications; otherwise the
    newest that fits of those that say nothing but what happens to notifications.
    """
    decided_by = payment.outcome.decided_by if payment.outcome else ""
    for script in scripts:
        if "webhooks" in steps_of(script) and decided_by == f"script {script.id}":
            return _mishap(script), ()
    hearing = hear(ask_about(payment), [each for each in scripts if _is_for_webhooks_alone(each)])
    return None if hearing.answers is None else _mishap(hearing.answers), hearing.counted


def ask_about(payment: Payment) -> AcquirerRequest:
    """The payment as a match sees it; of its card number only the first digits are known."""
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


def mishap_of(steps: WebhookSteps) -> Mishap:
    """The steps as the courier follows them; no number of attempts means every attempt."""
    return Mishap(
        lose=_count(steps.lose),
        corrupt=_count(steps.corrupt),
        wrong_key=_count(steps.wrong_key),
        duplicate=steps.duplicate.times if steps.duplicate else 0,
        delay_s=steps.delay.seconds if steps.delay else 0,
        reorder=steps.reorder is not None,
    )


def _is_for_webhooks_alone(script: Script) -> bool:
    steps = steps_of(script)
    others = ("acquirer", "acs", "bank", "link", "risk")
    return "webhooks" in steps and steps.keys().isdisjoint(others)


def _mishap(script: Script) -> Mishap | None:
    steps = behaviour_of(script.behaviour).steps.webhooks
    return None if steps is None else mishap_of(steps)


def _count(step: Attempts | None) -> int:
    if step is None:
        return 0
    return ALWAYS if step.attempts is None else step.attempts

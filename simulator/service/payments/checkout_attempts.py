"""A payment on its way through a checkout: the session is stored in the same unit as the attempt.

So two that are posted at once never both succeed, and no crash parts a payment from its checkout.
Source: Hosted payment form behaviour, 4; Events, 2. Choices: D-128, D-130, D-131.
"""

from contextlib import suppress

from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.checkouts.checkouts import (
    Checkout,
    CheckoutCall,
    CheckoutStage,
    call_of,
    pressed,
    stage_of,
)
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.errors import FormCapabilityError, Refusal, UnknownCheckoutError
from simulator.domain.core.records import Origin, Outcome, Payment
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.pending import Awaited
from simulator.domain.payments.redirects import RESULT_URL
from simulator.domain.webhooks.records import (
    CALL_ENDED,
    Delivery,
    WebhookEvent,
    give_up_delivery,
)
from simulator.service.payments.responses import ResponsePorts, apply_late_response

# The shopper left one brand for another. Source: FORM-05.
LEFT = Outcome(code="100.396.104", decided_by="another attempt in the same checkout")
UNDER_WAY = "800.110.100"
IS_UNDER_WAY = "an attempt in this checkout is under way"
CHANGED = "200.300.404"
IS_CHANGED = "the checkout was updated after this was sent, send it again"


def join_checkout(ports: ResponsePorts, attempt: PaymentAttempt, origin: Origin) -> PaymentAttempt:
    """The attempt, which stores its checkout after pay was pressed. Another one that is still
    waiting for the shopper is ended right before that (`end_left`). A form that was kept is erased.

    Raises UnknownCheckoutError, FormCapabilityError, Refusal.
    """
    assert origin.checkout is not None, "called for a payment in a checkout alone"
    checkout = ports.store.get(Checkout, origin.checkout)
    if checkout is None:
        raise UnknownCheckoutError()
    capability, now = origin.capability, attempt.payment.created_at
    if capability is not None and capability not in checkout.capabilities:
        raise FormCapabilityError("the capability was used before")
    if origin.fixed not in (None, (checkout.stamp, checkout.sent)):
        raise Refusal(CHANGED, IS_CHANGED)
    is_asking = free_stage(ports, checkout) is CheckoutStage.ASKING
    after = pressed(checkout, attempt.payment.id, capability=capability, now=now)
    is_called = ports.store.get(CheckoutCall, checkout.id) is not None
    calls = () if is_called else (call_of(checkout), *ended_calls(ports, checkout))
    kept = ports.store.get(KeptForm, checkout.id)
    erased = () if kept is None or not kept.sealed else (replace(kept, sealed=""),)
    leaves = checkout.attempt if is_asking else None
    return replace(attempt, leaves=leaves, records=(*attempt.records, after, *calls, *erased))


def end_left(ports: ResponsePorts, attempt: PaymentAttempt) -> None:
    """End the attempt that this one leaves, which is stored next; unless it has come to its own end
    meanwhile. Raises as `free_stage` where that is none. Choice: D-132.
    """
    if attempt.leaves is None:
        return
    awaited = ports.store.get(Awaited, attempt.leaves)
    with suppress(Refusal):
        apply_late_response(ports, attempt.leaves, AcquirerResponse(outcome=LEFT), to=awaited)
    if _free(ports.store.get(Payment, attempt.leaves)) is CheckoutStage.ASKING:
        raise Refusal(UNDER_WAY, IS_UNDER_WAY)


def free_stage(ports: ResponsePorts, checkout: Checkout) -> CheckoutStage:
    """The stage of a checkout that may have another attempt: unpaid, failed, or asking the shopper.

    Raises UnknownCheckoutError where it is paid, Refusal while an attempt is under way.
    """
    return _free(attempt_in(ports, checkout))


def _free(attempt: Payment | None) -> CheckoutStage:
    stage = stage_of(attempt)
    if stage is CheckoutStage.UNDER_WAY:
        raise Refusal(UNDER_WAY, IS_UNDER_WAY)
    if stage is CheckoutStage.PAID:
        raise UnknownCheckoutError()
    return stage


def attempt_in(ports: ResponsePorts, checkout: Checkout) -> Payment | None:
    """The newest attempt in a checkout, or None."""
    return None if checkout.attempt is None else ports.store.get(Payment, checkout.attempt)


def ended_calls(ports: ResponsePorts, checkout: Checkout) -> tuple[Delivery, ...]:
    """The calls about the newest attempt in a checkout that would be repeated, given up.
    Choice: D-132.
    """
    if checkout.attempt is None:
        return ()
    events = ports.store.find(WebhookEvent, "payment", checkout.attempt)
    calls = (each.id for each in events if each.type == RESULT_URL)
    found = (each for call in calls for each in ports.store.find(Delivery, "notice", call))
    now = ports.clock.now()
    return tuple(
        give_up_delivery(each, at=now, why=CALL_ENDED) for each in found if each.settled_at is None
    )

"""A payment on its way through a checkout: the session is stored in the same unit as the attempt.

So two that are posted at once never both succeed, and no crash parts a payment from its checkout.
Source: Hosted payment form behaviour, 4; Events, 2. Choices: D-130, D-131.
"""

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from simulator.domain.checkouts.checkouts import (
    Checkout,
    CheckoutCall,
    Stage,
    call_of,
    pressed,
    stage_of,
)
from simulator.domain.core.errors import FormCapabilityError, Refusal, UnknownCheckoutError
from simulator.domain.core.ports import Ports
from simulator.domain.core.records import Origin, Outcome, Payment
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.pending import Awaited

# The shopper left one brand for another. Source: FORM-05.
LEFT = Outcome(code="100.396.104", decided_by="another attempt in the same checkout")
UNDER_WAY = "800.110.100"


def joined(
    ports: Ports, opening: PaymentAttempt, origin: Origin, end: Callable[..., Payment]
) -> PaymentAttempt:
    """The opening, with its checkout after pay was pressed; itself where it came through none.

    An attempt that still asks the shopper elsewhere is ended first, by `end`. Raises
    UnknownCheckoutError,
    FormCapabilityError, Refusal.
    """
    if origin.checkout is None:
        return opening
    checkout = ports.store.get(Checkout, origin.checkout)
    if checkout is None:
        raise UnknownCheckoutError()
    capability, now = origin.capability, opening.payment.created_at
    if capability is not None and capability not in checkout.capabilities:
        raise FormCapabilityError("the capability was used before")
    if free_stage(ports, checkout) is Stage.ASKING:
        _end(ports, checkout, end)
        return joined(ports, opening, origin, end)
    after = pressed(checkout, opening.payment.id, capability=capability, now=now)
    is_called = ports.store.get(CheckoutCall, checkout.id) is not None
    calls = () if is_called else (call_of(checkout),)
    return replace(opening, marks=(*opening.marks, after, *calls))


def free_stage(ports: Ports, checkout: Checkout) -> Stage:
    """The stage of a checkout that may have another attempt: unpaid, failed, or asking the shopper.

    Raises UnknownCheckoutError where it is paid, Refusal while an attempt is under way.
    """
    stage = stage_of(attempt_in(ports, checkout))
    if stage is Stage.UNDER_WAY:
        raise Refusal(UNDER_WAY, "an attempt in this checkout is under way")
    if stage is Stage.PAID:
        raise UnknownCheckoutError()
    return stage


def attempt_in(ports: Ports, checkout: Checkout) -> Payment | None:
    """The newest attempt in a checkout, or None."""
    return None if checkout.attempt is None else ports.store.get(Payment, checkout.attempt)


def _end(ports: Ports, checkout: Checkout, end: Callable[..., Payment]) -> None:
    """End the attempt that is pending, unless it has come to its own end meanwhile."""
    awaited = ports.store.get(Awaited, checkout.attempt or "")
    with suppress(Refusal):
        end(ports, checkout.attempt, LEFT, removes=() if awaited is None else (awaited,))

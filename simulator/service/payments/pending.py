"""Pending payments come to an end: by the clock, or released by hand."""

from collections.abc import Iterator
from contextlib import suppress

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.core.slices import with_pauses
from simulator.domain.payments.pending import Awaited
from simulator.service.payments.responses import ResponsePorts, apply_late_response


class UnknownPendingError(Exception):
    """No pending payment has the id; the message says whether a payment has it."""


def end_pending(ports: ResponsePorts, awaited: Awaited) -> None:
    """Give a pending payment the outcome it waited for. One that is settled already stays as
    it is.
    """
    with suppress(Refusal):
        apply_late_response(ports, awaited.id, AcquirerResponse(outcome=awaited.end), to=awaited)


def release_pending(ports: ResponsePorts, identity: str, outcome: Outcome) -> Payment:
    """Give a pending payment its outcome now. Raises UnknownPendingError."""
    awaited = ports.store.get(Awaited, identity)
    if awaited is None:
        payment = ports.store.get(Payment, identity)
        if payment is None:
            raise UnknownPendingError("no payment has the id in the path")
        if payment.attempt is not None:
            raise UnknownPendingError("the request of the payment is at the acquirer")
        raise UnknownPendingError(
            f"the payment is not pending, or not any more: it is {payment.state}"
        )
    return apply_late_response(ports, identity, AcquirerResponse(outcome=outcome), to=awaited)


def pending_payments(ports: ResponsePorts) -> Iterator[Awaited]:
    """What is pending, the next to end first; others have their turn now and then."""
    return with_pauses(ports, ports.store.between(Awaited, "due", "", "9999-12-31"))

"""Pending payments come to an end: by the clock, or released by hand."""

from contextlib import suppress

from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import Ports
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.payments.pending import Awaited
from simulator.service.payments.payments import settle_stored


class UnknownPendingError(Exception):
    """No pending payment has the id; the message says whether a payment has it."""


def settle_awaited(ports: Ports, awaited: Awaited) -> None:
    """Give a pending payment the outcome it waited for. One that is settled already stays as
    it is.
    """
    with suppress(Refusal):
        settle_stored(ports, awaited.id, awaited.outcome, removes=(awaited,))


def release_pending(ports: Ports, identity: str, outcome: Outcome) -> Payment:
    """Give a pending payment its outcome now. Raises UnknownPendingError."""
    awaited = ports.store.get(Awaited, identity)
    if awaited is None:
        payment = ports.store.get(Payment, identity)
        if payment is None:
            raise UnknownPendingError("no payment has the id in the path")
        raise UnknownPendingError(
            f"the payment is not pending, or not any more: it is {payment.state}"
        )
    return settle_stored(ports, identity, outcome, removes=(awaited,))


def pending_payments(ports: Ports) -> list[Awaited]:
    """What is pending, the next to end first."""
    return list(ports.store.between(Awaited, "due", "", "9999-12-31"))

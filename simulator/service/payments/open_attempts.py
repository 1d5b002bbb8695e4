"""An attempt that is stored and whose response is not: it ends by itself, and is not sent again.

Choices: D-305, D-671, D-687.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from simulator.domain.core.errors import (
    ContentionError,
    DiskError,
    LargeRecordError,
    Refusal,
    UnappliedResponseError,
    UnknownOutcomeError,
)
from simulator.domain.core.ports import HasScheduler, HasStore, unit_of
from simulator.domain.core.records import Payment

# What keeps a response from being stored.
UNSTORED = (ContentionError, DiskError, LargeRecordError, UnappliedResponseError)


class AttemptPorts(HasScheduler, HasStore, Protocol):
    """What an open attempt needs."""


def store_open(
    ports: AttemptPorts, payment: Payment, *also: Any, removes: tuple[Any, ...] = ()
) -> None:
    """Store a payment with an open attempt, durably. Raises ConflictError, DiskError; where it may
    be stored nevertheless, it is ended beside.
    """
    try:
        ports.store.commit_unflushed(unit_of(payment, *also, removes=removes)).wait()
    except UnknownOutcomeError:
        ports.scheduler.end_attempt(payment.id)
        raise


@contextmanager
def ending_if_unapplied(ports: AttemptPorts, payment: str) -> Iterator[None]:
    """Where the work within cannot store its response, or refuses it, the open attempt of this
    payment is ended beside. Raises UnappliedResponseError in the first case: it may be charged.
    """
    try:
        yield
    except Refusal:
        # What goes on from a breakpoint may be refused then, and was stored before.
        ports.scheduler.end_attempt(payment)
        raise
    except UNSTORED as error:
        ports.scheduler.end_attempt(payment)
        raise UnappliedResponseError(payment) from error

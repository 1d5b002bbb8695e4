"""An attempt that is stored and whose response is not: it ends by itself, and is not sent again.

Choices: D-305, D-671, D-682, D-687.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import (
    ChargedEpochError,
    ContentionError,
    DiskError,
    EpochEndedError,
    LargeRecordError,
    Refusal,
    UnappliedResponseError,
    UnknownOutcomeError,
)
from simulator.domain.core.ports import HasScheduler, HasStore, unit_of
from simulator.domain.core.records import Outcome, Payment
from simulator.service.acquiring.card_host import is_sent_to_card_host

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
def ending_if_unapplied(ports: AttemptPorts, payment: Payment) -> Iterator[None]:
    """Where the work within cannot store its response, or refuses it, the open attempt of this
    payment is ended beside. Raises UnappliedResponseError in the first case: it may be charged;
    likewise ChargedEpochError where the epoch ends, and the card host was asked.
    """
    try:
        yield
    except UNSTORED as error:
        ports.scheduler.end_attempt(payment.id)
        raise UnappliedResponseError(payment.id) from error
    except Refusal:
        ports.scheduler.end_attempt(payment.id)
        raise
    except EpochEndedError as ended:
        if is_sent_to_card_host(payment):
            raise ChargedEpochError(str(ended)) from ended
        raise


def declined_if_refused(
    ask: Callable[[], AcquirerResponse], score: int | None = None
) -> AcquirerResponse:
    """The response to the request of a stored payment: what cannot be sent declines it, as over the
    link, for nothing that was stored is refused. `score` is that of its risk check. Choice: D-682.
    """
    try:
        return ask()
    except Refusal as refusal:
        outcome = Outcome(code=refusal.code, risk_score=score, decided_by="acquirer")
        return AcquirerResponse(outcome=outcome)

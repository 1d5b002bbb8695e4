"""A merchant that charges a stored card by schedules, and the clock that makes them due."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.schedules.schedules import Schedule
from simulator.service.payments.pipeline import take_payment
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.service.schedules.schedules import (
    create_schedule,
    deschedule,
    read_schedule,
    reschedule,
)
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.making import APPROVED, CARD, FITTING, NOON, Answering, a_context, new_ids
from simulator.tests.kit.twins import HandClock

MONTHLY = {
    "paymentType": "DB",
    "amount": "9.99",
    "currency": "EUR",
    "merchantTransactionId": "subscription-7",
    "job.dayOfMonth": "05",
}
EMPTY_ACCOUNT = Outcome(code="800.100.203")
DAY = timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class Shop:
    """A merchant with a stored card, and a clock that he moves."""

    def __init__(
        self,
        *answers: Outcome | AcquirerResponse,
        delay_s: float = 0,
        store: object = None,
        **context: object,
    ):
        self.clock = HandClock(NOON, jumps=bool(delay_s))
        self.acquirer = Answering()
        self.store = store or MemoryStore()
        self.context: ChannelContext = a_context(
            acquirer=self.acquirer, clock=self.clock, store=self.store, **context
        )
        sent = {"paymentType": "RG", "amount": "0.00", "currency": "EUR", **CARD}
        made = take_payment(self.context, sent, new_ids(self.context))
        assert made.registration is not None
        self.registration = made.registration
        self.acquirer.outcomes = list(answers or (APPROVED,))
        self.acquirer.delay = timedelta(seconds=delay_s)

    def schedule(self, sent: Mapping[str, str] | None = None, **more: str) -> Schedule:
        named = {name.replace("__", "."): value for name, value in more.items()}
        whole = {"registrationId": self.registration, **(sent or MONTHLY), **named}
        return create_schedule(self.context, whole, new_ids(self.context))

    def reschedule(self, schedule: Schedule, **more: str) -> Schedule:
        named = {name.replace("__", "."): value for name, value in more.items()}
        ticket = new_ids(self.context)
        return reschedule(self.context, schedule.id, named, ticket, check=FITTING)

    def deschedule(self, schedule: Schedule) -> Schedule:
        return deschedule(self.context, schedule.id, new_ids(self.context))

    def read(self, schedule: Schedule) -> Schedule:
        found = read_schedule(self.context, schedule.id)
        assert isinstance(found, Schedule)
        return found

    def go(self, until: str | datetime) -> None:
        """Let time pass, as `advance` does: from one due instant to the next."""
        end = until if isinstance(until, datetime) else at(until)
        while (due := next_due(self.context.ports)) is not None and due <= end:
            self.clock.advance(max(due - self.clock.now(), timedelta(0)))
            run_due(self.context.ports)
        self.clock.advance(max(end - self.clock.now(), timedelta(0)))

    @property
    def payments(self) -> list[Payment]:
        found = self.store.find(Payment, "registration", self.registration)
        return [payment for payment in found if payment.schedule is not None]

    @property
    def days(self) -> list[str]:
        return [f"{payment.created_at:%Y-%m-%d}" for payment in self.payments]


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code

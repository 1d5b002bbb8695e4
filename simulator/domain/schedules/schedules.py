"""A schedule: a payment made again and again from a registration. Source: Scheduled payment jobs.

A schedule that was rescheduled stays, inactive, and another takes its place; together they are a
chain, of which the first knows the newest. An execution is one payment of a schedule until that is
final. Choices: D-158 (first and last execution), D-159 (notice), D-160 (chains), D-161 (executions
and retries).
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from simulator.catalogue.fields.limits import MOST_USED_AGAIN
from simulator.catalogue.retries import RETRIES_MAX, RETRY_AFTER, is_worth_retrying
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.parameters import SECRET, refuse_oversize
from simulator.domain.core.ports import HasChoices
from simulator.domain.core.records import AccountHierarchy, Origin, PaymentSource, PaymentType
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import TransactionIds, money_in, refuse_money
from simulator.domain.recurring import MERCHANT, MODE, RECURRING_TYPE, REPEATED, SOURCE, TYPE
from simulator.domain.schedules.expressions import COMBINATION, trigger_of
from simulator.domain.schedules.notice_periods import FOREVER, decide_stop, refuse_terms
from simulator.domain.schedules.triggers import SECOND, next_after
from simulator.grammar.choices import Choices

NOT_SCHEDULED = "100.360.300"
NOT_CANCELLABLE = "100.360.303"
NO_JOB = "100.250.250"
CHANNEL_GONE = "600.200.202"
NOT_STORED = SECRET | {"entityId", "registrationId"}
# What a payment of a schedule is: each where nothing else is sent of it. Source: Card on file.
STANDING = {TYPE: "RECURRING", MODE: REPEATED, SOURCE: MERCHANT}


class ScheduleState(StrEnum):
    """Active, replaced by a rescheduled one, descheduled, or over."""

    ACTIVE = "active"
    REPLACED = "replaced"
    DESCHEDULED = "descheduled"
    ENDED = "ended"


class Executed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the newest execution went: when, with which code, by which payment, if one was made."""

    at: datetime
    code: str
    payment: str | None = None


class Schedule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A scheduled job: which payment, from which registration, when.

    `sent` are the parameters it was made with, job.* among them, without any secret. `due` is the
    instant of the next execution, or of its end under notice, None where nothing will follow.
    `began` is the first execution of the chain, from which a minimum duration counts; from
    `stops_at` on it is no longer active. `first` is the chain's first schedule where that is
    another, `newest` its newest, known to the first alone. `replaces` is the one before it.
    `is_dispatched` says that rules have chosen its channel, as they do again for each payment.
    """

    id: str
    version: int = 0
    stamp: AccountHierarchy
    host: Host = TEST
    created_at: datetime
    ndc: str
    registration: str
    state: ScheduleState = ScheduleState.ACTIVE
    sent: Mapping[str, str] = {}
    due: datetime | None = None
    began: datetime
    stops_at: datetime | None = None
    replaces: str | None = None
    first: str | None = None
    newest: str | None = None
    executions: int = 0
    last: Executed | None = None
    is_dispatched: bool = False

    @property
    def is_active(self) -> bool:
        """Whether executions, or the end of a notice period, are still to come."""
        return self.state is ScheduleState.ACTIVE

    @property
    def is_stopped(self) -> bool:
        """Whether the merchant ended it: then its retries end too."""
        return self.state in (ScheduleState.REPLACED, ScheduleState.DESCHEDULED)


class ScheduleChange(NamedTuple):
    """What a schedule carries once it is changed, and whether its job is another."""

    whole: Mapping[str, str]
    has_job: bool


class Execution(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One execution of a schedule until it is final: what is due at `due`, and under which id.

    It belongs to the instant `at`; `payment` is the id its payment will have, drawn before, so that
    it is made exactly once. `tries` counts the retries. While its payment is pending it waits, and
    is due again at the instant at which that ends.
    """

    id: str
    version: int = 0
    schedule: str
    at: datetime
    due: datetime
    payment: str
    tries: int = 0

    @property
    def source(self) -> PaymentSource:
        """Who brings its payment in."""
        return PaymentSource.MACRETRY if self.tries else PaymentSource.SCHEDULER

    @property
    def tried_at(self) -> datetime:
        """The instant of its newest try, however much later that was answered."""
        return self.at + self.tries * RETRY_AFTER


def decide_schedule(
    sent: Mapping[str, str],
    *,
    registration: str,
    context: ChannelContext[HasChoices],
    ticket: TransactionIds,
) -> Schedule:
    """A new schedule. Raises Refusal where its job is none or would never do anything, or where
    none of its payments could be made; Violations where they would lack what the channel requires.
    """
    stored = {name: value for name, value in sent.items() if name not in NOT_STORED}
    refuse_oversize(stored, MOST_USED_AGAIN)
    _refuse_payment(stored, context)
    due = first_execution(stored, ticket.now, context.ports.choices)
    refuse_terms(stored, due, _end_of(stored))
    return Schedule(
        id=ticket.id,
        stamp=context.stamp,
        host=context.host,
        created_at=ticket.now,
        ndc=ticket.ndc,
        registration=registration,
        sent=stored,
        due=due,
        began=due,
    )


def decide_change(old: Schedule, sent: Mapping[str, str]) -> ScheduleChange:
    """What the schedule in the place of `old` carries: `sent` in place of what that had. A job that
    is sent replaces the whole job. Raises Refusal.
    """
    if not old.is_active or old.stops_at is not None:
        raise Refusal(NOT_SCHEDULED, f"the schedule is {_standing_of(old)}, expected an active one")
    has_job = any(name.startswith("job.") for name in sent)
    kept = {
        name: value for name, value in old.sent.items() if not (has_job and name.startswith("job."))
    }
    others = {name: value for name, value in sent.items() if name not in NOT_STORED}
    whole = {**kept, **others}
    refuse_oversize(whole, MOST_USED_AGAIN, before=old.sent)
    return ScheduleChange(whole, has_job)


def decide_reschedule(
    old: Schedule,
    first: Schedule,
    change: ScheduleChange,
    *,
    context: ChannelContext[HasChoices],
    ticket: TransactionIds,
) -> tuple[Schedule, ...]:
    """The schedule that takes the place of `old`, then what becomes of `old` and of the `first` of
    its chain. Raises as `decide_schedule`.
    """
    whole, has_job = change
    _refuse_payment(whole, context)
    due = first_execution(whole, ticket.now, context.ports.choices) if has_job else old.due
    assert due is not None, "what is active has something to come"
    refuse_terms(whole, old.began, _end_of(whole))
    new = replace(
        old,
        id=ticket.id,
        stamp=context.stamp,
        version=0,
        created_at=ticket.now,
        ndc=ticket.ndc,
        sent=whole,
        due=due,
        replaces=old.id,
        first=first.id,
        newest=None,
        executions=0,
        last=None,
    )
    replaced = replace(old, state=ScheduleState.REPLACED, due=None)
    if old.id == first.id:
        return (new, replace(replaced, newest=new.id))
    return (new, replaced, replace(first, newest=new.id))


def decide_deschedule(schedule: Schedule, now: datetime, *, has_retries: bool) -> Schedule:
    """The schedule stopped, at once or when its notice period ends; one that is over has only
    retries to come, which end. Raises Refusal.
    """
    if has_retries and schedule.state is ScheduleState.ENDED:
        return ended(schedule, ScheduleState.DESCHEDULED)
    if not schedule.is_active or schedule.stops_at is not None:
        expected = "expected an active one"
        raise Refusal(NOT_CANCELLABLE, f"the schedule is {_standing_of(schedule)}, {expected}")
    stops_at = decide_stop(schedule.sent, schedule.began, now)
    if stops_at <= now:
        return ended(replace(schedule, stops_at=now), ScheduleState.DESCHEDULED)
    assert schedule.due is not None, "what is active has something to come"
    return replace(schedule, stops_at=stops_at, due=min(schedule.due, stops_at))


def ended(schedule: Schedule, state: ScheduleState) -> Schedule:
    """The schedule with nothing to come."""
    return replace(schedule, state=state, due=None)


def first_execution(sent: Mapping[str, str], now: datetime, choices: Choices) -> datetime:
    """The instant of the first execution of a job that is made `now`. Raises Refusal.

    Source: JOB-03. Choice: D-158.
    """
    if not any(name.startswith("job.") for name in sent):
        raise Refusal(NO_JOB, "expected job.expression or other job.* parameters")
    trigger = trigger_of(sent, weekdays=choices["weekday_numbers"])
    start = _instant_in(sent, "job.startDate")
    if start is None:
        found = next_after(trigger, now)
    elif choices["start_date"] == "trigger":
        found = next_after(trigger, now if start <= now else start - SECOND)
    else:
        found = _first_at(start, now)
    end = _end_of(sent)
    if found is None or (end is not None and found > end):
        raise Refusal(COMBINATION, "job: expected at least one execution, it would have none")
    return found


def following(schedule: Schedule, after: datetime, choices: Choices) -> Schedule:
    """The schedule after the execution that was due: the next one, or the end. `after` is the
    instant from which the next is looked for.
    """
    trigger = trigger_of(schedule.sent, weekdays=choices["weekday_numbers"])
    due, end = next_after(trigger, after), _end_of(schedule.sent)
    advanced = replace(schedule, executions=schedule.executions + 1)
    if due is not None and (end is None or due <= end):
        stops_at = schedule.stops_at
        return replace(advanced, due=due if stops_at is None else min(due, stops_at))
    return ended(advanced, ScheduleState.ENDED)


def is_at_its_end(schedule: Schedule) -> bool:
    """Whether what is due is the end of its notice period: no execution falls on that instant."""
    return schedule.stops_at is not None and schedule.due == schedule.stops_at


def payment_sent(schedule: Schedule) -> dict[str, str]:
    """The parameters of one of its payments."""
    return payment_in(schedule.sent)


def payment_in(sent: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a payment of a schedule that has these. What is judged of a schedule is
    judged by them. The older recurringType alone says all, and beside a part the mode. Choice:
    D-161.
    """
    own = {name: value for name, value in sent.items() if not name.startswith("job.")}
    if RECURRING_TYPE in own and STANDING.keys().isdisjoint(own):
        return own
    return {**STANDING, MODE: own.get(RECURRING_TYPE, REPEATED), **own}


def origin_of(schedule: Schedule, source: PaymentSource = PaymentSource.SCHEDULER) -> Origin:
    """What its payments come through. A chain of schedules is one series (Choice: D-698)."""
    return Origin(
        source=source,
        schedule=schedule.id,
        series=schedule.first or schedule.id,
        registration=schedule.registration,
    )


def retry_of(schedule: Schedule, execution: Execution, code: str, payment: str) -> Execution | None:
    """The execution with its next try, under the id `payment`; None where there will be none, or it
    would come after the end of the job. Tries whose time passed while it was pending are left out.
    Source: JOB-03.
    """
    tries = (execution.due - execution.at) // RETRY_AFTER + 1
    if tries > RETRIES_MAX or not is_worth_retrying(code):
        return None
    due, end = execution.at + tries * RETRY_AFTER, _end_of(schedule.sent)
    if end is not None and due > end:
        return None
    return replace(execution, tries=tries, due=due, payment=payment)


def waiting(execution: Execution) -> Execution:
    """The execution while its payment is pending: the end of that makes it due again."""
    return replace(execution, due=FOREVER)


def _refuse_payment(sent: Mapping[str, str], context: ChannelContext[HasChoices]) -> None:
    """Raise Violations for what the channel requires of each of its payments, Refusal for money
    that none of them could move.
    """
    refuse_lacking(sent, context)
    refuse_money(money_in(sent), PaymentType(sent["paymentType"]), context.channel)


def _first_at(start: datetime, now: datetime) -> datetime:
    # A second is the finest a startDate can say: the one that is running has not passed.
    if start <= now - SECOND:
        raise Refusal(COMBINATION, f"job.startDate: expected {now:%Y-%m-%d %H:%M:%S} or later")
    return start


def _end_of(sent: Mapping[str, str]) -> datetime | None:
    return _instant_in(sent, "job.endDate")


def _instant_in(sent: Mapping[str, str], name: str) -> datetime | None:
    text = sent.get(name)
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)


def _standing_of(schedule: Schedule) -> str:
    return "under notice already" if schedule.is_active else schedule.state

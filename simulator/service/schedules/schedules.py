"""Making, replacing, ending and reading schedules. Source: Scheduled payment jobs."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from simulator.catalogue.events import DESCHEDULED, RESCHEDULED, SCHEDULED
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import EpochEndedError, Refusal, UnknownReferenceError
from simulator.domain.core.parameters import WholeCheck, refuse_whole
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Registration
from simulator.domain.core.transact import transact
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import TransactionIds
from simulator.domain.schedules.schedules import (
    CHANNEL_GONE,
    Execution,
    Schedule,
    decide_change,
    decide_deschedule,
    decide_reschedule,
    decide_schedule,
    origin_of,
    payment_in,
    payment_sent,
)
from simulator.service.payments.contexts import find_visible
from simulator.service.payments.dispatched import dispatched_anew, names_merchant
from simulator.service.payments.opening import open_payment
from simulator.service.payments.pipeline import PipelinePorts
from simulator.service.recurring import refuse_place
from simulator.service.registrations import named_registration, paid_by
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import EventRecords, prepare_record_events

UNKNOWN = "100.360.300"
UNKNOWN_REGISTRATION = "100.150.200"
CROWDED = "700.500.001"
SCHEDULES_MAX = 1_000


def create_schedule(
    context: ChannelContext[PipelinePorts], sent: Mapping[str, str], ticket: TransactionIds
) -> Schedule:
    """Make a schedule. Raises Refusal, Violations."""

    def attempt() -> Schedule:
        # What is missing comes before what is wrong with the account. Choice: D-59.
        refuse_lacking(sent, context)
        registration = named_registration(context, sent["registrationId"])
        _refuse_crowd(context, registration.id)
        decided = decide_schedule(
            sent, registration=registration.id, context=context, ticket=ticket
        )
        schedule = replace(decided, is_dispatched=names_merchant(context, sent))
        _refuse_unpayable(context, registration, schedule, ticket)
        _save(context, (schedule,), SCHEDULED, ticket, of=registration)
        return schedule

    return transact(context.ports.store, attempt)


def reschedule(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    check: WholeCheck,
) -> Schedule:
    """Replace a schedule by another. Raises UnknownReferenceError, Violations, Refusal.

    `check` looks at the whole. Choice: D-701.
    """

    def attempt() -> Schedule:
        old = _visible(context, identity)
        _refuse_crowd(context, old.registration)
        change = decide_change(old, sent)
        refuse_whole(change.whole, sent, check, stored=old.sent)
        if not old.is_dispatched:
            refuse_lacking(change.whole, _home_of(context, old, change.whole))
        registration = named_registration(context, old.registration)
        home = _home_of(context, old, change.whole, registration)
        new, *others = decide_reschedule(
            old, _first_of(context, old), change, context=home, ticket=ticket
        )
        _refuse_unpayable(home, registration, new, ticket)
        _save(context, (new, *others), RESCHEDULED, ticket, of=registration)
        return new

    return transact(context.ports.store, attempt)


def deschedule(
    context: ChannelContext[PipelinePorts], identity: str, ticket: TransactionIds
) -> Schedule:
    """End the chain that a schedule belongs to. Raises Refusal, UnknownReferenceError."""

    def attempt() -> Schedule:
        first = _first_of(context, _visible(context, identity))
        newest = first if first.newest is None else _visible(context, first.newest)
        has_retries = not newest.is_active and _has_retries(context, newest)
        stopped = decide_deschedule(newest, ticket.now, has_retries=has_retries)
        _save(context, (stopped,), None if stopped.is_active else DESCHEDULED, ticket)
        return stopped

    return transact(context.ports.store, attempt)


def read_schedule(
    context: ChannelContext[PipelinePorts], identity: str
) -> Schedule | Iterator[Schedule]:
    """The schedule with this id, or those of the registration that has it. Raises
    UnknownReferenceError.
    """
    schedule = find_visible(context, Schedule, identity)
    if schedule is None and find_visible(context, Registration, identity) is not None:
        return _listed(context, identity)
    if schedule is None:
        raise UnknownReferenceError(UNKNOWN, "no schedule or registration has the id in the path")
    context.ports.store.wait_durable()
    return schedule


def list_schedules(context: ChannelContext[PipelinePorts], registration: str) -> Iterator[Schedule]:
    """The schedules of a registration, oldest first. Raises Refusal."""
    if find_visible(context, Registration, registration) is None:
        raise Refusal(UNKNOWN_REGISTRATION, "registrationId: no registration has the id")
    return _listed(context, registration)


def _listed(context: ChannelContext[PipelinePorts], registration: str) -> Iterator[Schedule]:
    """The schedules, read as they are asked for: a thousand of them are 32 MB."""
    store = context.ports.store
    found = store.ids_found(Schedule, "registration", registration)
    store.wait_durable()
    return (schedule for each in found if (schedule := store.get(Schedule, each)) is not None)


def _home_of(
    context: ChannelContext[PipelinePorts],
    old: Schedule,
    whole: Mapping[str, str],
    registration: Registration | None = None,
) -> ChannelContext[PipelinePorts]:
    """Where a schedule in place of `old` pays, whichever channel is named: for one that was
    dispatched, as the rules pick for its payments. Raises Refusal.
    """
    try:
        return dispatched_anew(context.ports, old, payment_in(whole), registration)
    except EpochEndedError as gone:
        raise Refusal(CHANNEL_GONE, str(gone)) from gone


def _refuse_unpayable(
    context: ChannelContext[PipelinePorts],
    registration: Registration,
    schedule: Schedule,
    ticket: TransactionIds,
) -> None:
    """Raise Refusal, Violations for a schedule of which no execution could be paid: one is opened,
    and never asked for. Choice: D-676.
    """
    sent, origin = paid_by(context.ports, registration, payment_sent(schedule)), origin_of(schedule)
    open_payment(context, sent, ticket, origin)
    refuse_place(context, sent, schedule.due or ticket.now, origin)


def _refuse_crowd(context: ChannelContext[PipelinePorts], registration: str) -> None:
    """Raise Refusal where a registration has so many schedules already. Choice: D-663."""
    if context.ports.store.count_found(Schedule, "registration", registration) >= SCHEDULES_MAX:
        raise Refusal(CROWDED, f"expected at most {SCHEDULES_MAX} schedules of one registration")


def _has_retries(context: ChannelContext[PipelinePorts], schedule: Schedule) -> bool:
    """Whether an execution of the schedule is still to be tried again."""
    return context.ports.store.count_found(Execution, "schedule", schedule.id) > 0


def _visible(context: ChannelContext[PipelinePorts], identity: str) -> Schedule:
    schedule = find_visible(context, Schedule, identity)
    if schedule is None:
        raise UnknownReferenceError(UNKNOWN, "no schedule has the id in the path")
    return schedule


def _first_of(context: ChannelContext[PipelinePorts], schedule: Schedule) -> Schedule:
    return schedule if schedule.first is None else _visible(context, schedule.first)


def _save(
    context: ChannelContext[PipelinePorts],
    schedules: tuple[Schedule, ...],
    change: str | None,
    ticket: TransactionIds,
    *,
    of: Registration | None = None,
) -> None:
    """Store the schedules; an event is sent of the first, if there is a change. A new one is
    counted `of` its registration: of two at once, one conflicts in it. Raises ConflictError.
    """
    ports = context.ports
    events: EventRecords = ()
    if change is not None:
        events = prepare_record_events(ports, schedules[0], change, now=ticket.now, ndc=ticket.ndc)
    counted = () if of is None else (of,)
    ports.store.commit(unit_of(*schedules, *counted, *events))
    dispatch_events(ports, events)
    ports.scheduler.wake()

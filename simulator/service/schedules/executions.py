"""Executions of schedules: begun in order, each paid for once, tried again where that may help.

Two units of work stand around a payment. The first moves the schedule on and stores the execution
with the id its payment will have; the last removes the execution once the payment is final. Between
them a crash leaves the execution due, and it pays under that same id, or finds that it has. While a
payment is pending its execution waits; the unit that ends the payment makes it due again.
Source: Scheduled payment jobs. Choices: D-161, D-162.
"""

from functools import partial
from itertools import islice

from msgspec.structs import replace

from simulator.catalogue.events import DESCHEDULED
from simulator.catalogue.results import RESULTS
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import (
    ConflictError,
    EpochEndedError,
    FullSandboxError,
    Refusal,
    Violations,
)
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, Registration, State
from simulator.domain.core.transact import transact
from simulator.domain.schedules.schedules import (
    CHANNEL_GONE,
    Executed,
    Execution,
    Schedule,
    ScheduleState,
    ended,
    following,
    is_at_its_end,
    origin_of,
    payment_sent,
    retry_of,
    waiting,
)
from simulator.domain.schedules.triggers import SECOND
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.dispatched import dispatched_anew
from simulator.service.payments.pipeline import PipelinePorts
from simulator.service.payments.recovery import end_open_attempt
from simulator.service.recurring import refuse_over
from simulator.service.registrations import charge
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import prepare_record_events

# A unit of so many keeps the hub for a few milliseconds.
BEGUN_AT_ONCE = 25
# Codes of this group say that the registration is of no use any more.
REGISTRATION = "registration"
# What the channel asks for by now and the schedule does not say.
MALFORMED = "200.300.404"
NOT_STORED = "999.999.888"


def begin_due(ports: PipelinePorts, schedule: Schedule) -> None:
    """Begin the execution of a schedule that is due, and with it others of the same instant; or end
    it where its notice period is over.
    """
    try:
        if is_at_its_end(schedule):
            _stop(ports, schedule)
        else:
            _begin(ports, _due_with(ports, schedule))
    except ConflictError:
        return


def pay_due(ports: PipelinePorts, execution: Execution) -> None:
    """Pay for an execution that is due, beside: its acquirer may let it wait for the clock."""
    # Under the name of the schedule: its next payment, and its next beginning, come after this one.
    ports.scheduler.run_job(execution.schedule, partial(_pay, ports, execution))


def _due_with(ports: PipelinePorts, first: Schedule) -> list[Schedule]:
    """The schedules to begin together: one unit for all of them is one write. Others of the instant
    may be under way: no more of them are looked at than may begin.
    """
    assert first.due is not None, "what is due has an instant"
    low = first.due.isoformat()
    until = (first.due + SECOND).isoformat()
    found = islice(ports.store.between(Schedule, "due", low, until), BEGUN_AT_ONCE)
    return [first, *(each for each in found if _may_begin_with(ports, first, each))]


def _may_begin_with(ports: PipelinePorts, first: Schedule, other: Schedule) -> bool:
    if other.id == first.id or other.due != first.due or is_at_its_end(other):
        return False
    return not ports.scheduler.is_running(other.id)


def _begin(ports: PipelinePorts, schedules: list[Schedule]) -> None:
    now = ports.clock.now()
    begun: list[Schedule | Execution] = []
    for schedule in schedules:
        assert schedule.due is not None, "what is due has an instant"
        is_latest = ports.choices["missed_runs"] == "latest"
        after = max(schedule.due, now) if is_latest else schedule.due
        begun.append(following(schedule, after, ports.choices))
        begun.append(
            Execution(
                id=ports.ids.record(),
                schedule=schedule.id,
                at=schedule.due,
                due=schedule.due,
                payment=ports.ids.record(),
            )
        )
    ports.store.commit(unit_of(*begun))


def _stop(ports: PipelinePorts, schedule: Schedule) -> None:
    stopped = ended(schedule, ScheduleState.DESCHEDULED)
    events = prepare_record_events(
        ports, stopped, DESCHEDULED, now=ports.clock.now(), ndc=schedule.ndc
    )
    ports.store.commit(unit_of(stopped, *events))
    dispatch_events(ports, events)


def _pay(ports: PipelinePorts, due: Execution) -> None:
    execution = ports.store.get(Execution, due.id)
    if execution is None or execution.payment != due.payment:
        return  # It was paid while it was looked for: what is due now is another try.
    schedule = ports.store.get(Schedule, execution.schedule)
    assert schedule is not None, "a schedule stays as long as its sandbox"
    # Of a try whose response was not stored: it is over, and has failed.
    end_open_attempt(ports, execution.payment)
    refused = ""
    if ports.store.get(Payment, execution.payment) is None:
        if schedule.is_stopped:
            ports.store.commit(unit_of(removes=(execution,)))
            return
        refused = _code_of_refusal(ports, schedule, execution)
    _close(ports, execution, refused)


def _code_of_refusal(ports: PipelinePorts, schedule: Schedule, execution: Execution) -> str:
    """Pay for an execution; the code with which that is refused, or nothing."""
    try:
        _charge(ports, schedule, execution)
    except Refusal as refused:
        return refused.code
    except Violations:
        return MALFORMED
    return ""


def _charge(ports: PipelinePorts, schedule: Schedule, execution: Execution) -> Payment:
    """The payment of an execution, under the id that was drawn for it. Raises Refusal,
    Violations.
    """
    if ports.store.is_full:
        raise Refusal(NOT_STORED, str(FullSandboxError()))
    try:
        context = _home_of(ports, schedule)
    except EpochEndedError as gone:
        raise Refusal(CHANNEL_GONE, str(gone)) from gone
    ticket = new_transaction_ids(ports, context.channel.id, ports.clock.now())
    return charge(
        context,
        schedule.registration,
        payment_sent(schedule),
        replace(ticket, id=execution.payment),
        origin=origin_of(schedule, execution.source),
    )


def _home_of(ports: PipelinePorts, schedule: Schedule) -> ChannelContext[PipelinePorts]:
    """Where the schedule pays today: of one that was dispatched, as the rules pick, unless its
    registration is gone. Raises Refusal, EpochEndedError. Choice: D-111.
    """
    registration = ports.store.get(Registration, schedule.registration)
    if registration is None or registration.removed_at is not None:
        return context_of(ports, schedule.stamp, schedule.host)
    return dispatched_anew(ports, schedule, payment_sent(schedule), registration)


def _close(ports: PipelinePorts, execution: Execution, refused: str) -> None:
    """Keep how an execution went, and what follows: it waits for the end of its payment, or another
    try, or nothing, or no more at all. What ends the payment meanwhile changes the execution too.
    """

    def change() -> None:
        schedule = ports.store.get(Schedule, execution.schedule)
        assert schedule is not None, "a schedule stays as long as its sandbox"
        paid = ports.store.get(Execution, execution.id)
        if paid is None:
            return
        payment = ports.store.get(Payment, execution.payment)
        after = _after(ports, schedule, _executed(paid, payment, refused))
        goes_on = None if payment is None else _going_on(ports, schedule, paid, payment)
        if goes_on is None:
            ports.store.commit(unit_of(after, removes=(paid,)))
        else:
            ports.store.commit(unit_of(after, goes_on))

    with ports.in_flight:
        transact(ports.store, change)


def _executed(execution: Execution, payment: Payment | None, refused: str) -> Executed:
    if payment is None:
        return Executed(at=execution.tried_at, code=refused)
    assert payment.outcome is not None, "a charge waits for its answer"
    return Executed(at=execution.tried_at, code=payment.outcome.code, payment=payment.id)


def _going_on(
    ports: PipelinePorts, schedule: Schedule, execution: Execution, payment: Payment
) -> Execution | None:
    """What is left of an execution by its payment, where anything is."""
    assert payment.outcome is not None, "a charge waits for its answer"
    if payment.state is State.PENDING:
        return waiting(execution)
    if payment.state is not State.FAILED or schedule.is_stopped:
        return None
    return retry_of(schedule, execution, payment.outcome.code, ports.ids.record())


def _after(ports: PipelinePorts, schedule: Schedule, done: Executed) -> Schedule:
    """The schedule with its newest execution; it ends with its registration, its channel, or the
    last payment that the limits of its series leave.
    """
    is_newest = schedule.last is None or done.at >= schedule.last.at
    counted = replace(schedule, last=done) if is_newest else schedule
    is_of_no_use = done.code == CHANNEL_GONE or RESULTS[done.code].group == REGISTRATION
    is_over = (done.payment is None and is_of_no_use) or _is_over(ports, schedule)
    return ended(counted, ScheduleState.ENDED) if schedule.is_active and is_over else counted


def _is_over(ports: PipelinePorts, schedule: Schedule) -> bool:
    """Whether what is due next could not be paid, and nothing after it. Choice: D-125."""
    if schedule.due is None or is_at_its_end(schedule):
        return False
    try:
        context = context_of(ports, schedule.stamp, schedule.host)
        refuse_over(context, payment_sent(schedule), schedule.due, origin_of(schedule))
    except (EpochEndedError, Refusal) as ends:
        return isinstance(ends, Refusal)
    return False

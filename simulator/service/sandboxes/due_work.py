"""Due work: stored records with an instant at which their work is due, run oldest first.

A crash leaves it stored, so it is done at least once, under the same id.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, Protocol

from simulator.domain.acquiring.host_entries import LostRequest
from simulator.domain.acquiring.issuing import Movement
from simulator.domain.chargebacks import Return
from simulator.domain.checkouts.checkouts import CheckoutCall
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.agenda import Agenda, Passed, name_of
from simulator.domain.core.ports import HasCodes
from simulator.domain.core.records import Registration
from simulator.domain.core.slices import with_pauses
from simulator.domain.core.transact import transact
from simulator.domain.payments.pending import Awaited
from simulator.domain.schedules.schedules import Execution, Schedule
from simulator.domain.settlement.pushing import FilePush
from simulator.domain.settlement.runs import SettlementDue
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.domain.webhooks.records import Delivery
from simulator.service.acquiring.card_host import name_of_reversal, send_due_reversal
from simulator.service.acquiring.issuing import expire_authorization
from simulator.service.challenges import expire_challenge
from simulator.service.chargebacks import charge_back_return, is_refund_pending
from simulator.service.checkouts.abandoned import call_unread
from simulator.service.checkouts.summaries import remove_kept
from simulator.service.payments.pending import end_pending
from simulator.service.registrations import remove_lapsed
from simulator.service.schedules.executions import begin_due, pay_due
from simulator.service.settlement.daily import settle_due
from simulator.service.settlement.pushing import name_of_push, push_due
from simulator.service.settlement.runs import SettlementPorts
from simulator.service.webhooks.deliveries import dispatch_due

# So often the same record may be found again unchanged, because another change came first.
REPEATS_MAX = 10
ENDLESS = "its work was done and it is still due"
# Others have their turn after so many records: that many take a few milliseconds.
DONE_AT_ONCE = 10


class DuePorts(SettlementPorts, HasCodes, Protocol):
    """What due work of every kind needs."""


class Due(Protocol):
    """A stored record of due work."""

    id: str
    version: int
    due: datetime


def _is_running(ports: DuePorts, record: Any, name: str) -> bool:
    return ports.scheduler.is_running(name)


def _awaits_refund(ports: DuePorts, coming: Return, name: str) -> bool:
    return is_refund_pending(ports, coming)


class DueKind(NamedTuple):
    """A kind of due work: its record, its handler, and what a record may have to wait for: a job of
    this name, or that the records of the id it has are changed; `must_wait` says whether it has to.
    """

    record: type[Any]
    handle: Callable[[DuePorts, Any], object]
    waits_for: Callable[[Any], str] | None = None
    must_wait: Callable[[DuePorts, Any, str], bool] = _is_running


DUE = (
    DueKind(Awaited, end_pending),
    DueKind(Authentication, expire_challenge),
    DueKind(Return, charge_back_return, lambda coming: coming.id, _awaits_refund),
    # Of what is due at one instant, an execution that has begun comes before the next beginning.
    DueKind(Execution, pay_due, lambda execution: execution.schedule),
    DueKind(Schedule, begin_due, lambda schedule: schedule.id),
    DueKind(Registration, remove_lapsed),
    DueKind(CheckoutCall, call_unread),
    DueKind(KeptForm, remove_kept),
    DueKind(Movement, expire_authorization),
    DueKind(LostRequest, send_due_reversal, name_of_reversal),
    DueKind(SettlementDue, settle_due),
    DueKind(FilePush, push_due, name_of_push),
    DueKind(Delivery, dispatch_due),
)


def next_due(ports: DuePorts) -> datetime | None:
    """The instant of the earliest due work, or None."""
    return min((record.due for _, record in _earliest(ports)), default=None)


def drain(ports: DuePorts, timeout_s: float) -> bool:
    """Whether, within so much wire time, nothing was in flight and no work was due any more: what
    a clock that was set makes due is still to be done, or being done.
    """
    return ports.in_flight.drain(timeout_s, lambda: _first_due_now(ports) is None)


def run_due(ports: DuePorts) -> int:
    """Run everything that is due now, in order; the number of records. Choice: D-600."""
    done, repeats, last = 0, 0, None
    while (record := transact(ports.store, lambda: _run_first(ports))) is not None:
        done += 1
        this = (type(record), record.id, record.version)
        repeats, last = repeats + 1 if this == last else 0, this
        if repeats > REPEATS_MAX:
            ports.scheduler.set_aside(record, ENDLESS)
        if not done % DONE_AT_ONCE:
            ports.store.pause(0)
    return done


def _run_first(ports: DuePorts) -> Due | None:
    """Run the first work that is due now; its record, where there was any. Raises ConflictError
    where a request changed it first: then it is read again.
    """
    found = _first_due_now(ports)
    if found is None:
        return None
    kind, record = found
    with ports.in_flight:
        ports.scheduler.carry_out(record, partial(kind.handle, ports, record))
    return record


def _first_due_now(ports: DuePorts) -> tuple[DueKind, Due] | None:
    earliest = min(_earliest(ports), key=lambda found: found[1].due, default=None)
    if earliest is None or earliest[1].due > ports.clock.now():
        return None
    return earliest


def _earliest(ports: DuePorts) -> list[tuple[DueKind, Due]]:
    """The earliest work of each kind; of what is due now, only what need not wait."""
    with ports.scheduler.looking(ports.store.failed_writes) as agenda:
        firsts = ports.store.firsts([kind.record for kind in DUE], "due")
        found = [
            (kind, _earliest_of(ports, agenda, kind, first))
            for kind, first in zip(DUE, firsts, strict=True)
        ]
    return [(kind, record) for kind, record in found if record is not None]


def _earliest_of(ports: DuePorts, agenda: Agenda, kind: DueKind, first: Due | None) -> Due | None:
    """The earliest of one kind, whose `first` is there."""
    passed = agenda.passed(kind.record)
    if passed is None:
        if first is None or not _waits_for(ports, agenda, kind, first):
            return first
        # What is stored from here on is noticed, and what was before is read.
        passed = agenda.pass_over(kind.record)
    coming = _coming(ports, agenda, kind, passed)
    ready = _ready(ports, agenda, kind, passed)
    if coming is None or ready is None:
        return coming or ready
    return min(coming, ready, key=_due)


def _coming(ports: DuePorts, agenda: Agenda, kind: DueKind, passed: Passed) -> Due | None:
    """The first of those that were not passed over."""
    coming: Iterator[tuple[Any, Due]] = ports.store.after(kind.record, "due", passed.place)
    for place, record in with_pauses(ports, coming):
        if not _waits(ports, agenda, kind, record):
            return record
        passed.place = place
    return None


def _ready(ports: DuePorts, agenda: Agenda, kind: DueKind, passed: Passed) -> Due | None:
    """The first of those that were passed over and need not wait any more. It stays ready until it
    is done.
    """
    while passed.ready:
        noted = passed.ready[0]
        record: Due | None = ports.store.get(kind.record, noted.id)
        name = ""
        if record is not None and record.due == noted.due:
            name = _waits(ports, agenda, kind, record)
            if not name:
                return record
        agenda.drop(passed, noted, waits_for=name)
    return None


def _waits(ports: DuePorts, agenda: Agenda, kind: DueKind, record: Due) -> str:
    """What a record that is due waits for, which is noted then; or nothing."""
    name = _waits_for(ports, agenda, kind, record)
    if name:
        agenda.wait(name, record)
        if not _waits_for(ports, agenda, kind, record):
            # It ended while it was looked at.
            agenda.let_go(name)
    return name


def _waits_for(ports: DuePorts, agenda: Agenda, kind: DueKind, record: Due) -> str:
    # The clock may have moved since the look began: then the next look sees it.
    if record.due > agenda.upto:
        return ""
    if ports.scheduler.is_set_aside(record):
        return name_of(record)
    name = "" if kind.waits_for is None else kind.waits_for(record)
    return name if name and kind.must_wait(ports, record, name) else ""


def _due(record: Due) -> datetime:
    return record.due

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
from simulator.domain.core.ports import HasCodes
from simulator.domain.core.records import Registration
from simulator.domain.core.transact import transact
from simulator.domain.payments.pending import Awaited
from simulator.domain.schedules.schedules import Execution, Schedule
from simulator.domain.settlement.pushing import FilePush
from simulator.domain.settlement.runs import SettlementDue
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.domain.webhooks.records import Delivery
from simulator.service.acquiring.card_host import is_sending_reversal, send_due_reversal
from simulator.service.acquiring.issuing import expire_authorization
from simulator.service.challenges import expire_challenge
from simulator.service.chargebacks import charge_back_return, is_refund_pending
from simulator.service.checkouts.abandoned import call_unread
from simulator.service.checkouts.summaries import remove_kept
from simulator.service.payments.pending import end_pending
from simulator.service.registrations import remove_lapsed
from simulator.service.schedules.executions import begin_due, is_paying, pay_due
from simulator.service.settlement.daily import settle_due
from simulator.service.settlement.pushing import is_pushing, push_due
from simulator.service.settlement.runs import SettlementPorts
from simulator.service.webhooks.deliveries import dispatch_due

END_OF_TIME = "9999-12-31"
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


class DueKind(NamedTuple):
    """A kind of due work: its record, its handler, and whether a record's work runs already."""

    record: type[Any]
    handle: Callable[[DuePorts, Any], object]
    is_busy: Callable[[DuePorts, Any], bool] = lambda ports, record: False


DUE = (
    DueKind(Awaited, end_pending),
    DueKind(Authentication, expire_challenge),
    DueKind(Return, charge_back_return, is_refund_pending),
    # Of what is due at one instant, an execution that has begun comes before the next beginning.
    DueKind(Execution, pay_due, is_paying),
    DueKind(Schedule, begin_due, is_paying),
    DueKind(Registration, remove_lapsed),
    DueKind(CheckoutCall, call_unread),
    DueKind(KeptForm, remove_kept),
    DueKind(Movement, expire_authorization),
    DueKind(LostRequest, send_due_reversal, is_sending_reversal),
    DueKind(SettlementDue, settle_due),
    DueKind(FilePush, push_due, is_pushing),
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


def _earliest(ports: DuePorts) -> Iterator[tuple[DueKind, Due]]:
    """The earliest work of each kind that is neither in progress nor set aside."""
    firsts = ports.store.firsts([kind.record for kind in DUE], "due")
    for kind, first in zip(DUE, firsts, strict=True):
        record = first
        if first is not None and not _is_free(ports, kind, first):
            standing = ports.store.between(kind.record, "due", "", END_OF_TIME)
            record = next((each for each in standing if _is_free(ports, kind, each)), None)
        if record is not None:
            yield kind, record


def _is_free(ports: DuePorts, kind: DueKind, record: Due) -> bool:
    return not (ports.scheduler.is_set_aside(record) or kind.is_busy(ports, record))

"""The body of a schedule, as answers show it. The specification shows none. Choice: D-160."""

from datetime import datetime
from typing import Any

from simulator.domain.core.echo import echoed
from simulator.domain.core.money import read_amount
from simulator.domain.core.parameters import normalised
from simulator.domain.core.records import Outcome, PaymentSource
from simulator.domain.payments.bodies import result_object, timestamp
from simulator.domain.schedules.schedules import Schedule

SCHEDULED, RESCHEDULED, DESCHEDULED = "SD", "RS", "DS"


def schedule_fields(schedule: Schedule, outcome: Outcome, *, kind: str = "") -> dict[str, Any]:
    """A schedule without its envelope, and what its request succeeded with. `kind` is the operation
    that is answered; without one the operation that made the schedule: SD, or RS.
    """
    sent = schedule.sent
    body: dict[str, Any] = {
        "id": schedule.id,
        "registrationId": schedule.registration,
        "paymentType": kind or (SCHEDULED if schedule.replaces is None else RESCHEDULED),
        "amount": str(read_amount(sent["amount"])),
        "currency": sent["currency"],
        "result": result_object(outcome.code),
        "plan": _plan(schedule),
        "job": {
            name.removeprefix("job."): value
            for name, value in sent.items()
            if name.startswith("job.")
        },
        **echoed(normalised(sent)),
        "source": PaymentSource.SCHEDULER,
    }
    if schedule.replaces is not None:
        body["referencedId"] = schedule.replaces
    return body


def _plan(schedule: Schedule) -> dict[str, Any]:
    """How a schedule stands: what it makes, whether more comes and when, and what was last."""
    coming = schedule.due if schedule.due != schedule.stops_at else None
    shown = {
        "active": schedule.is_active,
        "paymentType": schedule.sent["paymentType"],
        "executions": schedule.executions,
        "nextExecution": _shown(coming),
        "endsAt": _shown(schedule.stops_at),
        "lastExecution": _last(schedule),
    }
    return {name: value for name, value in shown.items() if value is not None}


def _last(schedule: Schedule) -> dict[str, Any] | None:
    if schedule.last is None:
        return None
    last = {"timestamp": timestamp(schedule.last.at), "result": result_object(schedule.last.code)}
    return last if schedule.last.payment is None else {"id": schedule.last.payment, **last}


def _shown(instant: datetime | None) -> str | None:
    return None if instant is None else timestamp(instant)

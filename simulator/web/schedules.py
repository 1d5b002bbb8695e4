"""The schedule resources: read, call, answer."""

from typing import Any

from falcon import Request, Response

from simulator.catalogue.operations.schedules import (
    CREATE_SCHEDULE,
    CREATE_SCHEDULE_OLD,
    DESCHEDULE,
    DESCHEDULE_OLD,
    LIST_SCHEDULES,
    READ_SCHEDULE,
    RESCHEDULE,
)
from simulator.domain.payments.bodies import enveloped
from simulator.domain.schedules.bodies import DESCHEDULED, list_fields, schedule_fields
from simulator.domain.schedules.schedules import Schedule
from simulator.grammar.operations import Operation
from simulator.service.registrations import success
from simulator.service.schedules.schedules import (
    create_schedule,
    deschedule,
    list_schedules,
    read_schedule,
    reschedule,
)
from simulator.web.http.admission import Call, Door
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class Schedules:
    """/scheduling/v1/schedules"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a schedule."""
        call = self._door.admit(req, CREATE_SCHEDULE)
        answer(resp, call, create_schedule(call.context, call.sent, call.ticket))

    def on_get(self, req: Request, resp: Response) -> None:
        """List the schedules of a registration."""
        call = self._door.admit(req, LIST_SCHEDULES)
        registration = call.sent["registrationId"]
        answer(resp, call, list_schedules(call.context, registration))


class ScheduleById:
    """/scheduling/v1/schedules/{id}"""

    def __init__(self, door: Door):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a schedule, or list those of a registration."""
        call = self._door.admit(req, READ_SCHEDULE, of=identity)
        answer(resp, call, read_schedule(call.context, identity))


class Rescheduling:
    """/scheduling/v1/schedules/{id}/reschedule"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Replace a schedule by another."""
        call = self._door.admit(req, RESCHEDULE, of=identity)
        answer(resp, call, reschedule(call.context, identity, call.sent, call.ticket))


class Descheduling:
    """/scheduling/v1/schedules/{id}/deschedule"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """End a schedule and its chain."""
        end(self._door, DESCHEDULE, req, resp, identity=identity)


class OldSchedules:
    """/v1/schedules, the older form"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a schedule."""
        call = self._door.admit(req, CREATE_SCHEDULE_OLD)
        answer(resp, call, create_schedule(call.context, call.sent, call.ticket))


class OldScheduleById:
    """/v1/schedules/{id}, the older form"""

    def __init__(self, door: Door):
        self._door = door

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """End a schedule and its chain."""
        end(self._door, DESCHEDULE_OLD, req, resp, identity=identity)


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of schedules."""
    return (
        Route("/scheduling/v1/schedules", Schedules(door)),
        Route("/scheduling/v1/schedules/{identity}", ScheduleById(door)),
        Route("/scheduling/v1/schedules/{identity}/reschedule", Rescheduling(door)),
        Route("/scheduling/v1/schedules/{identity}/deschedule", Descheduling(door)),
        Route("/v1/schedules", OldSchedules(door)),
        Route("/v1/schedules/{identity}", OldScheduleById(door)),
    )


def end(door: Door, operation: Operation, req: Request, resp: Response, *, identity: str) -> None:
    """End a chain; the answer has an id of its own and says what became of the newest schedule."""
    call = door.admit(req, operation, of=identity)
    stopped = deschedule(call.context, identity, call.ticket)
    body = schedule_fields(stopped, success(call.context, stopped.sent), kind=DESCHEDULED)
    _close(resp, call, {**body, "id": call.ticket.id, "referencedId": stopped.id})


def answer(resp: Response, call: Call, found: Schedule | list[Schedule]) -> None:
    """The schedule, or the list of them."""
    found_all = [found] if isinstance(found, Schedule) else found
    shown = [schedule_fields(each, success(call.context, each.sent)) for each in found_all]
    _close(resp, call, shown[0] if isinstance(found, Schedule) else list_fields(shown))


def _close(resp: Response, call: Call, body: dict[str, Any]) -> None:
    exchange = call.exchange
    exchange.code = body["result"]["code"]
    send(resp, 200, enveloped(body, exchange.now(), exchange.ndc))

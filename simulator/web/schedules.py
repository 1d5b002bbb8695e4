"""The schedule resources: read, call, answer."""

from collections.abc import Iterator
from typing import Any

from falcon import Request, Response

from simulator.catalogue.operations.schedules import (
    CREATE_SCHEDULE,
    CREATE_SCHEDULE_OLD,
    DESCHEDULE,
    DESCHEDULE_OLD,
    LIST_SCHEDULES,
    READ_SCHEDULE,
    REMOVE_SCHEDULE,
    RESCHEDULE,
    WHOLE_SCHEDULE,
)
from simulator.domain.payments.bodies import enveloped
from simulator.domain.schedules.bodies import DESCHEDULED, schedule_fields
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
from simulator.web.http.answers import send
from simulator.web.http.lists import send_list
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator, ValidatedRequest


class SchedulesResource:
    """/scheduling/v1/schedules"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a schedule."""
        request = self._validator.authenticate_and_validate(req, CREATE_SCHEDULE)
        answer(resp, request, create_schedule(request.context, request.sent, request.ticket))

    def on_get(self, req: Request, resp: Response) -> None:
        """List the schedules of a registration."""
        request = self._validator.authenticate_and_validate(req, LIST_SCHEDULES)
        registration = request.sent["registrationId"]
        answer(resp, request, list_schedules(request.context, registration))


class ScheduleResource:
    """/scheduling/v1/schedules/{id}"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a schedule, or list those of a registration."""
        request = self._validator.authenticate_and_validate(req, READ_SCHEDULE, of=identity)
        answer(resp, request, read_schedule(request.context, identity))

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """End a schedule and its chain. Source: E65."""
        end(self._validator, REMOVE_SCHEDULE, req, resp, identity=identity)


class ReschedulingResource:
    """/scheduling/v1/schedules/{id}/reschedule"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Replace a schedule by another."""
        request = self._validator.authenticate_and_validate(req, RESCHEDULE, of=identity)
        check = self._validator.check_of_whole(WHOLE_SCHEDULE, request.exchange)
        made = reschedule(request.context, identity, request.sent, request.ticket, check=check)
        answer(resp, request, made)


class DeschedulingResource:
    """/scheduling/v1/schedules/{id}/deschedule"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """End a schedule and its chain."""
        end(self._validator, DESCHEDULE, req, resp, identity=identity)


class OldSchedulesResource:
    """/v1/schedules, the older form"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a schedule."""
        request = self._validator.authenticate_and_validate(req, CREATE_SCHEDULE_OLD)
        answer(resp, request, create_schedule(request.context, request.sent, request.ticket))


class OldScheduleResource:
    """/v1/schedules/{id}, the older form"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """End a schedule and its chain."""
        end(self._validator, DESCHEDULE_OLD, req, resp, identity=identity)


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of schedules."""
    return (
        Route("/scheduling/v1/schedules", SchedulesResource(validator)),
        Route("/scheduling/v1/schedules/{identity}", ScheduleResource(validator)),
        Route("/scheduling/v1/schedules/{identity}/reschedule", ReschedulingResource(validator)),
        Route("/scheduling/v1/schedules/{identity}/deschedule", DeschedulingResource(validator)),
        Route("/v1/schedules", OldSchedulesResource(validator)),
        Route("/v1/schedules/{identity}", OldScheduleResource(validator)),
    )


def end(
    validator: RequestValidator,
    operation: Operation,
    req: Request,
    resp: Response,
    *,
    identity: str,
) -> None:
    """End a chain; the answer has an id of its own and says what became of the newest schedule."""
    request = validator.authenticate_and_validate(req, operation, of=identity)
    stopped = deschedule(request.context, identity, request.ticket)
    body = schedule_fields(stopped, success(request.context, stopped.sent), kind=DESCHEDULED)
    _close(resp, request, {**body, "id": request.ticket.id, "referencedId": stopped.id})


def answer(resp: Response, request: ValidatedRequest, found: Schedule | Iterator[Schedule]) -> None:
    """The schedule, or the list of them."""
    if isinstance(found, Schedule):
        _close(resp, request, _shown(request, found))
    else:
        shown = (_shown(request, each) for each in found)
        send_list(resp, request.exchange, "schedules", shown)


def _shown(request: ValidatedRequest, schedule: Schedule) -> dict[str, Any]:
    return schedule_fields(schedule, success(request.context, schedule.sent))


def _close(resp: Response, request: ValidatedRequest, body: dict[str, Any]) -> None:
    exchange = request.exchange
    exchange.code = body["result"]["code"]
    send(resp, 200, enveloped(body, exchange.clock.now(), exchange.ndc))

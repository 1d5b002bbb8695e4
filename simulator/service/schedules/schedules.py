"""Making, replacing, ending and reading schedules. Source: Scheduled payment jobs."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from simulator.catalogue.events import DESCHEDULED, RESCHEDULED, SCHEDULED
from simulator.domain.core.errors import Conflict, Refusal, UnknownReference
from simulator.domain.core.ports import Seat, unit_of
from simulator.domain.core.records import Registration
from simulator.domain.payments.initial import Ticket
from simulator.domain.schedules.schedules import (
    Schedule,
    decide_deschedule,
    decide_reschedule,
    decide_schedule,
)
from simulator.service.payments.contexts import visible
from simulator.service.registrations import usable
from simulator.service.webhooks.events import NOTHING, hand_over, post_about

UNKNOWN = "100.360.300"
UNKNOWN_REGISTRATION = "100.150.200"
Made = TypeVar("Made")


def create_schedule(seat: Seat, sent: Mapping[str, str], ticket: Ticket) -> Schedule:
    """Make a schedule. Raises Refusal."""
    registration = _registration(seat, sent["registrationId"])
    schedule = decide_schedule(sent, registration=registration.id, seat=seat, ticket=ticket)
    _save(seat, (schedule,), SCHEDULED, ticket)
    return schedule


def reschedule(seat: Seat, identity: str, sent: Mapping[str, str], ticket: Ticket) -> Schedule:
    """Replace a schedule by another. Raises Refusal, UnknownReference."""

    def attempt() -> Schedule:
        old = _visible(seat, identity)
        new, *others = decide_reschedule(old, _first_of(seat, old), sent, seat=seat, ticket=ticket)
        assert isinstance(new, Schedule), "the first record is the new one"
        _save(seat, (new, *others), RESCHEDULED, ticket)
        return new

    return _until_stored(attempt)


def deschedule(seat: Seat, identity: str, ticket: Ticket) -> Schedule:
    """End the chain that a schedule belongs to. Raises Refusal, UnknownReference."""

    def attempt() -> Schedule:
        first = _first_of(seat, _visible(seat, identity))
        newest = first if first.newest is None else _visible(seat, first.newest)
        stopped = decide_deschedule(newest, ticket.now)
        _save(seat, (stopped,), None if stopped.is_active else DESCHEDULED, ticket)
        return stopped

    return _until_stored(attempt)


def read_schedule(seat: Seat, identity: str) -> Schedule | list[Schedule]:
    """The schedule with this id, or those of the registration that has it. Raises
    UnknownReference.
    """
    schedule = visible(seat, Schedule, identity)
    if schedule is None and visible(seat, Registration, identity) is not None:
        return _listed(seat, identity)
    if schedule is None:
        raise UnknownReference(UNKNOWN, "no schedule or registration has the id in the path")
    seat.ports.store.settle()
    return schedule


def list_schedules(seat: Seat, registration: str) -> list[Schedule]:
    """The schedules of a registration, oldest first. Raises Refusal."""
    if visible(seat, Registration, registration) is None:
        raise Refusal(UNKNOWN_REGISTRATION, "registrationId: no registration has the id")
    return _listed(seat, registration)


def _listed(seat: Seat, registration: str) -> list[Schedule]:
    found = seat.ports.store.find(Schedule, "registration", registration)
    seat.ports.store.settle()
    return found


def _registration(seat: Seat, identity: str) -> Registration:
    """The registration that was named by a parameter: one that is not there is no unknown path."""
    try:
        return usable(seat, identity)
    except UnknownReference as unknown:
        raise Refusal(unknown.code, f"registrationId: {unknown.detail}") from unknown


def _visible(seat: Seat, identity: str) -> Schedule:
    schedule = visible(seat, Schedule, identity)
    if schedule is None:
        raise UnknownReference(UNKNOWN, "no schedule has the id in the path")
    return schedule


def _first_of(seat: Seat, schedule: Schedule) -> Schedule:
    return schedule if schedule.first is None else _visible(seat, schedule.first)


def _save(seat: Seat, schedules: tuple[Schedule, ...], change: str | None, ticket: Ticket) -> None:
    """Store the schedules; the first is told of, if there is a change to tell. Raises Conflict."""
    ports, post = seat.ports, NOTHING
    if change is not None:
        post = post_about(ports, schedules[0], change, now=ticket.now, ndc=ticket.ndc)
    ports.store.save(unit_of(*schedules, *post.records))
    hand_over(ports, post)
    ports.pacer.wake()


def _until_stored(attempt: Callable[[], Made]) -> Made:
    """Decided anew whenever the schedule has changed meanwhile: an execution may have begun."""
    while True:
        try:
            return attempt()
        except Conflict:
            continue

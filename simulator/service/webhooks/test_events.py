"""Telling of an event that has not just happened, because somebody wants to see it.

Source: Events. Choice: D-80.
"""

from datetime import datetime

from simulator.catalogue.events import (
    EVENT_NAMES,
    EVENTS,
    REGISTERED,
    UPDATED,
    types_told,
)
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.core.records import Payment, PaymentType, Registration, State
from simulator.domain.payments.transitions import UNANSWERED
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.events import (
    Happening,
    execution_event,
    is_told,
    payment_event,
    record_event,
    registration_event,
    screening_event,
)
from simulator.domain.webhooks.payloads import Scene
from simulator.domain.webhooks.records import Notice
from simulator.grammar.events import REGISTRATION, RISK, SCHEDULE, Emission
from simulator.service.webhooks.events import hand_over, posted


def trigger(ports: Ports, name: str, identity: str) -> Notice:
    """Tell of an event about a payment that has not just happened, to everybody who listens.

    Raises InvalidInputError.
    """
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.state in UNANSWERED - {State.PENDING}:
        expected = "the id of a payment of this sandbox that has an answer"
        raise InvalidInputError("payment", expected, identity[:40])
    now = ports.clock.now()
    happening = _asked_for(ports, name.lower(), payment, now)
    post = posted(ports, [happening], now, about=payment)
    if not post.deliveries:
        raise InvalidInputError("event", f"an active endpoint that takes {happening.type}", "none")
    ports.store.commit(unit_of(*post.records))
    hand_over(ports, post)
    notice: Notice = post.records[0]
    return notice


def _asked_for(ports: Ports, name: str, payment: Payment, now: datetime) -> Happening:
    row = next((each for each in EVENTS if each.name == name), None)
    if row is None:
        raise InvalidInputError("event", f"one of {', '.join(EVENT_NAMES)}", name[:40])
    if not is_told(row, ports.choices):
        told = types_told(field_events=False)
        raise InvalidInputError(
            "event", f"{' or '.join(told)}; profile field tells of others too", row.type
        )
    scene = Scene(ports.sandbox, ports.choices, now)
    found = _event_of(ports, row, payment, scene)
    if found is None:
        raise InvalidInputError("payment", f"one that a {row.type} belongs to", payment.id)
    return found


def _event_of(ports: Ports, row: Emission, payment: Payment, scene: Scene) -> Happening | None:
    """The event of this row about the payment, or about what the payment left or came from."""
    if row.type == REGISTRATION:
        return _registration_asked_for(ports, row, payment, scene)
    if row.type == SCHEDULE:
        return _schedule_asked_for(ports, row, payment, scene)
    if row.type == RISK and payment.type is not PaymentType.RI:
        return screening_event(payment, ports.ids.record(), scene)
    return payment_event(payment, row, scene)


def _registration_asked_for(
    ports: Ports, row: Emission, payment: Payment, scene: Scene
) -> Happening | None:
    registration = ports.store.get(Registration, payment.registration or "")
    if registration is None:
        return None
    if row.change == REGISTERED:
        return registration_event(payment, registration, scene)
    return record_event(registration, row.change, scene)


def _schedule_asked_for(
    ports: Ports, row: Emission, payment: Payment, scene: Scene
) -> Happening | None:
    schedule = ports.store.get(Schedule, payment.schedule or "")
    if schedule is None:
        return None
    if row.action == UPDATED:
        return execution_event(payment, schedule, scene)
    return record_event(schedule, row.change, scene)

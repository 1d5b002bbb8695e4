"""Trigger an event about a payment on request, to test a receiver.

Source: Events. Choice: D-80.
"""

from datetime import datetime
from typing import Protocol

from simulator.catalogue.events import (
    EVENT_NAMES,
    EVENTS,
    REGISTERED,
    UPDATED,
    emitted_types,
)
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import HasClock, HasScheduler, unit_of
from simulator.domain.core.records import Payment, PaymentType, Registration, State
from simulator.domain.core.transact import transact
from simulator.domain.payments.transitions import UNANSWERED
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.events import (
    EventDraft,
    draft_execution_event,
    draft_payment_event,
    draft_record_event,
    draft_registration_event,
    draft_screening_event,
    is_emitted,
)
from simulator.domain.webhooks.payloads import EventContext
from simulator.domain.webhooks.records import WebhookEvent
from simulator.grammar.events import REGISTRATION, RISK, SCHEDULE, SETTLEMENT, Emission
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import EventPorts, EventRecords, prepare_events


class TriggerPorts(EventPorts, HasClock, HasScheduler, Protocol):
    """What a triggered event needs."""


def trigger_event(ports: TriggerPorts, name: str, identity: str) -> WebhookEvent:
    """Send the event `name` about a payment to every endpoint that gets such events.

    Raises InvalidInputError.
    """
    records = transact(ports.store, lambda: _stored_event(ports, name, identity))
    dispatch_events(ports, records)
    event: WebhookEvent = records[0]
    return event


def _stored_event(ports: TriggerPorts, name: str, identity: str) -> EventRecords:
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.state in UNANSWERED - {State.PENDING}:
        expected = "the id of a payment of this sandbox that has an answer"
        raise InvalidInputError("payment", expected, beginning_of(identity, 40))
    now = ports.clock.now()
    draft = _draft_event(ports, name.lower(), payment, now)
    records = prepare_events(ports, [draft], now, about=payment)
    if not records:
        raise InvalidInputError("event", f"an active endpoint for {draft.type} events", "none")
    ports.store.commit(unit_of(*records))
    return records


def _draft_event(ports: TriggerPorts, name: str, payment: Payment, now: datetime) -> EventDraft:
    row = next((each for each in EVENTS if each.name == name), None)
    if row is None:
        raise InvalidInputError("event", f"one of {', '.join(EVENT_NAMES)}", beginning_of(name, 40))
    if not is_emitted(row, ports.choices):
        emitted = emitted_types(field_events=False)
        raise InvalidInputError(
            "event", f"{' or '.join(emitted)}; profile field sends others too", row.type
        )
    context = EventContext(ports.sandbox, ports.choices, now)
    draft = _draft_row(ports, row, payment, context)
    if draft is None:
        raise InvalidInputError("payment", f"a payment with a {row.type} event", payment.id)
    return draft


def _draft_row(
    ports: TriggerPorts, row: Emission, payment: Payment, context: EventContext
) -> EventDraft | None:
    """The event of this row about the payment, or about its registration or schedule."""
    if row.type == REGISTRATION:
        return _draft_registration_event(ports, row, payment, context)
    if row.type == SCHEDULE:
        return _draft_schedule_event(ports, row, payment, context)
    if row.type == SETTLEMENT:
        return None
    if row.type == RISK and payment.type is not PaymentType.RI:
        return draft_screening_event(payment, ports.ids.record(), context)
    return draft_payment_event(payment, row, context) if payment.type in row.payment_types else None


def _draft_registration_event(
    ports: TriggerPorts, row: Emission, payment: Payment, context: EventContext
) -> EventDraft | None:
    registration = ports.store.get(Registration, payment.registration or "")
    if registration is None:
        return None
    if row.change == REGISTERED:
        return draft_registration_event(payment, registration, context)
    return draft_record_event(registration, row.change, context)


def _draft_schedule_event(
    ports: TriggerPorts, row: Emission, payment: Payment, context: EventContext
) -> EventDraft | None:
    schedule = ports.store.get(Schedule, payment.schedule or "")
    if schedule is None:
        return None
    if row.action == UPDATED:
        return draft_execution_event(payment, schedule, context)
    return draft_record_event(schedule, row.change, context)

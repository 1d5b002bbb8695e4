"""Prepare the webhook events of a change, to be stored in one unit with the change itself.

The way of an event: a change is stored together with its events and their deliveries (here), the
deliveries are dispatched (`deliveries.py`), each endpoint has a queue that attempts them in order
(`adapters/webhooks`), and a failed delivery is due again (`domain/webhooks/records.py`).

Source: Events. Choices: D-80 to D-83.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any, Protocol

from msgspec.structs import replace

from simulator.catalogue.events import emitted_types
from simulator.domain.checkouts.checkouts import Checkout, can_be_read
from simulator.domain.core.ports import HasChoices, HasIds, HasSandbox, HasStore
from simulator.domain.core.records import Look, Outcome, Payment, Registration, Script, State
from simulator.domain.core.slices import SLICE_RECORDS, change_in_slices
from simulator.domain.payments.redirects import ResultPlace, result_place
from simulator.domain.ports.webhooks import HasDispatcher
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.delivery_faults import find_delivery_fault
from simulator.domain.webhooks.events import (
    EventDraft,
    create_event,
    create_result_call,
    draft_execution_event,
    draft_payment_events,
    draft_record_event,
    draft_screening_event,
    is_about,
    redacted,
)
from simulator.domain.webhooks.payloads import EventContext
from simulator.domain.webhooks.records import (
    Delivery,
    DeliveryFault,
    Endpoint,
    WebhookEvent,
    create_delivery,
    create_url_delivery,
    select_endpoints,
    start_delivery,
)

# Others have to wait while they are read; of more, the rest follows the event after.
RELEASED_AT_ONCE_MAX = 100
# What a change has to store for its events: the events, their deliveries, the scripts that counted.
EventRecords = tuple[Any, ...]


class EventPorts(HasChoices, HasDispatcher, HasIds, HasSandbox, HasStore, Protocol):
    """What an event is prepared from."""


def prepare_payment_events(
    ports: EventPorts, payment: Payment, others: Sequence[Any], *, before: State, now: datetime
) -> EventRecords:
    """The events of a payment that came out of state `before`, to be stored with it; `others` are
    the other records that it changed.

    Every payment calls this: where no endpoint is registered it costs next to nothing.
    """
    call = _prepare_result_call(ports, payment, now) if before is State.PENDING else ()
    if not ports.dispatcher.endpoints:
        return call
    context = EventContext(ports.sandbox, ports.choices, now)
    drafts: list[EventDraft | None] = [
        *draft_payment_events(payment, others, before=before, context=context)
    ]
    if payment.schedule is not None and (schedule := ports.store.get(Schedule, payment.schedule)):
        drafts.append(draft_execution_event(payment, schedule, context))
    if payment.screened_by is not None and before is State.OPEN:
        drafts.append(draft_screening_event(payment, ports.ids.record(), context))
    emitted = [each for each in drafts if each is not None]
    return (*call, *prepare_events(ports, emitted, now, about=payment))


def prepare_record_events(
    ports: EventPorts,
    record: Registration | Schedule,
    change: str,
    *,
    now: datetime,
    outcome: Outcome | None = None,
    ndc: str = "",
) -> EventRecords:
    """The events of a registration or a schedule that a request without a payment changed.

    `change` is one of catalogue/events.py: REGISTERED of no payment, CHANGED, REMOVED, SCHEDULED,
    RESCHEDULED, DESCHEDULED; `outcome` and `ndc` are those of the request. The caller commits them
    with the change itself, in one unit, and then dispatches them:

        events = prepare_record_events(ports, registration, REMOVED, now=now, ndc=ndc)
        ports.store.commit(unit_of(removed, *events))
        dispatch_events(ports, events)

    For a registration that is removed pass the record as it was: a removed one has no account.
    """
    if not ports.dispatcher.endpoints:
        return ()
    context = EventContext(ports.sandbox, ports.choices, now)
    draft = draft_record_event(record, change, context, outcome=outcome, ndc=ndc)
    return prepare_events(ports, [draft], now)


def redact_events(ports: EventPorts, registration: Registration) -> tuple[WebhookEvent, ...]:
    """The stored events about a registration without anything of the shopper, also for attempts
    that are still to come, to be stored with its removal. Of many the older ones are stored before,
    while others have their turn. Choice: D-331. Raises DiskError.
    """
    keys = dict.fromkeys(filter(None, (registration.id, registration.payment)))
    found = [each for key in keys for each in ports.store.ids_found(WebhookEvent, "payment", key)]
    redact = partial(_without_shopper, registration)
    change_in_slices(ports, WebhookEvent, found[:-SLICE_RECORDS], redact)
    newest = ports.store.get_many(WebhookEvent, found[-SLICE_RECORDS:]).values()
    return tuple(redacted(each) for each in newest if is_about(each, registration))


def _without_shopper(registration: Registration, event: WebhookEvent) -> WebhookEvent | None:
    return redacted(event) if is_about(event, registration) else None


def prepare_events(
    ports: EventPorts, drafts: Sequence[EventDraft], now: datetime, *, about: Payment | None = None
) -> EventRecords:
    """The events of these drafts with a delivery to each endpoint that gets them; a draft that no
    endpoint gets makes no event.

    Scripts match payments only. They are matched once: all these events have the same fault.
    """
    types = emitted_types(field_events=ports.choices["field_events"] == "send")
    selected = [
        (draft, endpoints)
        for draft in drafts
        if draft.type in types
        and (endpoints := select_endpoints(ports.dispatcher.endpoints, draft.stamp, draft.type))
    ]
    if not selected:
        return ()
    fault, counted = (None, ()) if about is None else _find_fault(ports, about)
    held = _find_held(ports, selected)
    followed = frozenset(each.endpoint for each in held)
    records: list[Any] = []
    for draft, endpoints in selected:
        records += _prepare_event(ports, draft, endpoints, now=now, fault=fault, followed=followed)
    return (*records, *map(start_delivery, held), *counted)


def _prepare_event(
    ports: EventPorts,
    draft: EventDraft,
    endpoints: Sequence[Endpoint],
    *,
    now: datetime,
    fault: DeliveryFault | None,
    followed: Collection[str | None],
) -> EventRecords:
    event = create_event(draft, identity=ports.ids.record(), now=now)
    deliveries = [
        create_delivery(
            each,
            event,
            identity=ports.ids.record(),
            fault=fault,
            is_followed=each.id in followed,
        )
        for each in endpoints
    ]
    return (event, *deliveries)


def _prepare_result_call(ports: EventPorts, payment: Payment, now: datetime) -> EventRecords:
    """The call of the notificationUrl of an asynchronous payment that is final now."""
    url = payment.sent.get("notificationUrl")
    if url is None:
        return ()
    place = _place_called(ports, payment, now)
    event = create_result_call(payment, place, identity=ports.ids.record(), now=now)
    merchant, identity = payment.stamp.merchant, ports.ids.record()
    return event, create_url_delivery(url, event, merchant=merchant, identity=identity)


def _place_called(ports: EventPorts, payment: Payment, now: datetime) -> ResultPlace:
    """Where the shopper comes back with; of a checkout that answers no more, the payment alone,
    such as that of a direct debit whose day is later. Choice: D-138.
    """
    if payment.checkout is None:
        return result_place(payment)
    checkout = ports.store.get(Checkout, payment.checkout)
    once = ports.choices["checkout_read"] == "first_read"
    if checkout is not None and can_be_read(checkout, payment, now, is_read_once=once):
        return result_place(payment)
    return result_place(replace(payment, checkout=None))


def _find_fault(
    ports: EventPorts, payment: Payment
) -> tuple[DeliveryFault | None, tuple[Script | Look, ...]]:
    scripts = armed_scripts(ports.store)
    return find_delivery_fault(payment, scripts) if scripts else (None, ())


def _find_held(
    ports: EventPorts, selected: Sequence[tuple[EventDraft, Sequence[Endpoint]]]
) -> list[Delivery]:
    """The deliveries that scripts held back until now, when the next event to the same endpoint
    goes before them: as a rule those of one payment.
    """
    identities = dict.fromkeys(each.id for _, endpoints in selected for each in endpoints)
    found = (each for one in identities for each in ports.store.ids_found(Delivery, "held", one))
    oldest = list(islice(found, RELEASED_AT_ONCE_MAX))
    held = ports.store.get_many(Delivery, oldest)
    return [held[each] for each in oldest if each in held]

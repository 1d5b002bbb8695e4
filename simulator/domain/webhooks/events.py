"""The webhook events that a change emits.

`catalogue/events.py` is the table of which change emits which event; `payloads.py` makes the
payloads.
Source: Events; Webhook-specific response fields. Choices: D-80 to D-83.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.catalogue.events import (
    ACTIVATION,
    ANSWERED,
    DESCHEDULED,
    ENDED,
    EXECUTED,
    NOTIFICATION_URL,
    REGISTERED,
    REMOVED,
    SCREENED,
    SETTLED,
    TAKEN,
    emitted_types,
    find_emission,
    find_emission_by_change,
)
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.ports import HasStore, Store
from simulator.domain.core.records import AccountHierarchy, Outcome, Payment, Registration, State
from simulator.domain.payments.bodies import enveloped, result_object
from simulator.domain.payments.initial import success_of
from simulator.domain.payments.redirects import ResultPlace
from simulator.domain.schedules.bodies import DESCHEDULED as ENDED_BY
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.envelopes import decode_payload, encode_payload
from simulator.domain.webhooks.payloads import (
    EventContext,
    execution_payload,
    payment_payload,
    registration_payload,
    schedule_payload,
    screening_payload,
)
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.grammar.choices import Choices
from simulator.grammar.events import REGISTRATION, Emission


class EventDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An event without an id and a date yet; `stamp` selects the endpoints that get it, `payment`
    is the id of the payment it is about, if any.
    """

    type: str
    action: str | None
    stamp: AccountHierarchy
    payment: str | None = None
    payload: dict[str, Any]
    ndc: str


def draft_payment_events(
    payment: Payment, others: Iterable[object], *, before: State, context: EventContext
) -> list[EventDraft]:
    """The events of a payment that came out of state `before`; `others` are the other records
    that it changed.
    """
    others = tuple(others)
    change = ENDED if before is State.PENDING else ANSWERED
    drafts = [_draft_change(payment, change, context)]
    registration = next((each for each in others if _is_created_by(payment, each)), None)
    if isinstance(registration, Registration):
        drafts.append(draft_registration_event(payment, registration, context))
    if context.choices["parent_notices"] == "send" and payment.state is not State.PENDING:
        parents = (each for each in others if isinstance(each, Payment))
        drafts += [_draft_change(each, TAKEN, context) for each in parents]
    return [each for each in drafts if each is not None]


def is_emitted(row: Emission, choices: Choices) -> bool:
    """Whether the sandbox sends events of this row at all. Choice: D-80."""
    return row.type in emitted_types(field_events=choices["field_events"] == "send")


def draft_payment_event(payment: Payment, row: Emission, context: EventContext) -> EventDraft:
    """An event about a payment in its present state."""
    return _create_draft(
        row, payment.stamp, context, payment_payload(payment, context), payment=payment.id
    )


def draft_registration_event(
    payment: Payment, registration: Registration, context: EventContext
) -> EventDraft | None:
    """The event of a registration that `payment` created, or None."""
    row = find_emission(REGISTERED, payment.type)
    if row is None:
        return None
    payload = registration_payload(
        registration, context, outcome=payment.outcome or registration.outcome, ndc=payment.ndc
    )
    if context.choices["webhook_extras"] == "send":
        payload["shortId"] = payment.short_id
    return _create_draft(row, payment.stamp, context, payload, payment=payment.id)


def draft_record_event(
    record: Registration | Schedule,
    change: str,
    context: EventContext,
    *,
    outcome: Outcome | None = None,
    ndc: str = "",
) -> EventDraft:
    """The event of a change (CHANGED, REMOVED, SCHEDULED, ...) made by a request without a
    payment; `outcome` and `ndc` are those of the request. That of a removal has nothing of the
    shopper: D-331.
    """
    row = find_emission_by_change(change)
    if outcome is None:
        asked = record.sent if isinstance(record, Schedule) else {}
        outcome = success_of(asked, record.host)
    if isinstance(record, Schedule):
        kind = ENDED_BY if change == DESCHEDULED else ""
        payload = schedule_payload(record, context, outcome=outcome, kind=kind, ndc=ndc)
        return _create_draft(row, record.stamp, context, payload)
    payload = registration_payload(record, context, outcome=outcome, ndc=ndc)
    shown = _left_of(payload) if change == REMOVED else payload
    return _create_draft(row, record.stamp, context, shown, payment=record.payment)


def draft_execution_event(
    payment: Payment, schedule: Schedule, context: EventContext
) -> EventDraft | None:
    """The event of a schedule that made this payment, or None."""
    row = find_emission(EXECUTED, payment.type)
    if row is None:
        return None
    payload = execution_payload(schedule, payment, context)
    return _create_draft(row, schedule.stamp, context, payload, payment=payment.id)


def draft_screening_event(
    payment: Payment, identity: str, context: EventContext
) -> EventDraft | None:
    """The event of the risk check of this payment, or None; `identity` is a new id for it."""
    row = find_emission(SCREENED, payment.type)
    if row is None:
        return None
    payload = screening_payload(payment, identity, context)
    return _create_draft(row, payment.stamp, context, payload, payment=payment.id)


def draft_settlement_event(
    body: dict[str, Any], stamp: AccountHierarchy, context: EventContext, *, ndc: str
) -> EventDraft:
    """The event of a bank day of a merchant account that was settled; `body` says what it came to.
    Choice: D-523.
    """
    payload = enveloped(body, context.now, ndc)
    return _create_draft(find_emission_by_change(SETTLED), stamp, context, payload)


def create_event(draft: EventDraft, *, identity: str, now: datetime) -> WebhookEvent:
    """The event of a draft, with an id and a date."""
    return WebhookEvent(
        id=identity,
        type=draft.type,
        action=draft.action,
        payment=draft.payment,
        payload=encode_payload(draft.payload),
        created_at=now,
        ndc=draft.ndc,
    )


def redacted(event: WebhookEvent) -> WebhookEvent:
    """An event about a registration that was removed: which one, and how the request ended; nothing
    of account, customer, addresses or custom parameters. Choice: D-331.
    """
    return replace(event, payload=encode_payload(_left_of(decode_payload(event))))


def _left_of(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name in LEFT_OF_AN_EVENT}


def host_of_event(ports: HasStore, event: WebhookEvent) -> Host:
    """The host of the payment that an event is about; what is about none is of the sandbox, and no
    record of the live host.
    """
    payment = ports.store.get(Payment, event.payment) if event.payment else None
    return TEST if payment is None else payment.host


def is_about(event: WebhookEvent, registration: Registration) -> bool:
    """Whether the event is of the registration, or of the RG that made it under the same id."""
    return decode_payload(event).get("id") == registration.id


LEFT_OF_AN_EVENT = frozenset({
    "id", "paymentType", "paymentBrand", "paymentMethod", "merchantTransactionId", "result",
    "resourcePath", "shortId", "source", "authentication", "channelName", "merchantAccountId",
    "testMode", "buildNumber", "timestamp", "ndc",
})  # fmt: skip


# What the activation test says, as recorded at existing gateways.
ACTIVATED = "000.100.110"


def create_activation_event(identity: str, context: EventContext, ndc: str) -> WebhookEvent:
    """The test event that an endpoint has to answer before it becomes active."""
    kind, action = ACTIVATION
    payload = encode_payload(enveloped({"result": result_object(ACTIVATED)}, context.now, ndc))
    return WebhookEvent(
        id=identity, type=kind, action=action, payload=payload, created_at=context.now, ndc=ndc
    )


def create_result_call(
    payment: Payment, place: ResultPlace, *, identity: str, now: datetime
) -> WebhookEvent:
    """The call of a notificationUrl, which leads to `place`; its payload is the query. Source:
    Events, 1.
    """
    query = {"id": place.id, "resourcePath": place.path}
    return WebhookEvent(
        id=identity,
        type=NOTIFICATION_URL,
        payment=payment.id,
        payload=encode_payload(query),
        created_at=now,
        ndc=payment.ndc,
    )


def find_orphaned_events(store: Store, removed: Collection[Delivery]) -> list[WebhookEvent]:
    """The events that have no delivery once these deliveries are removed."""
    removed_ids = {each.id for each in removed}
    orphaned = []
    for identity in {each.event_id for each in removed}:
        kept = {each.id for each in store.find(Delivery, "notice", identity)} - removed_ids
        if not kept and (event := store.get(WebhookEvent, identity)) is not None:
            orphaned.append(event)
    return orphaned


def _draft_change(payment: Payment, change: str, context: EventContext) -> EventDraft | None:
    row = find_emission(change, payment.type)
    return None if row is None else draft_payment_event(payment, row, context)


def _is_created_by(payment: Payment, record: object) -> bool:
    """Whether the record is a registration that the payment created, not one that it used."""
    return isinstance(record, Registration) and record.payment == payment.id


def _create_draft(
    row: Emission,
    stamp: AccountHierarchy,
    context: EventContext,
    payload: dict[str, Any],
    *,
    payment: str | None = None,
) -> EventDraft:
    return EventDraft(
        type=row.type,
        action=_action(row, context.choices),
        stamp=stamp,
        payment=payment,
        payload=payload,
        ndc=payload["ndc"],
    )


def _action(row: Emission, choices: Choices) -> str | None:
    """The action in the wrapper; existing clients expect one for registrations only. Choice:
    D-82.
    """
    if row.type != REGISTRATION and choices["payment_action"] == "omit":
        return None
    return row.action

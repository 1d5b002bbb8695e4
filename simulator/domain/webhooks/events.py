"""What is told of a change: the events it emits, and the notices they become.

Which change emits what is the table of `catalogue/events.py`; `payloads.py` fills the payloads.
Source: Events; Webhook-specific response fields. Choices: D-80 to D-83.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

import msgspec

from simulator.catalogue.events import (
    ACTIVATION,
    ANSWERED,
    DESCHEDULED,
    ENDED,
    EXECUTED,
    NOTIFICATION_URL,
    REGISTERED,
    SCREENED,
    TAKEN,
    emission_by,
    emission_of,
    types_told,
)
from simulator.domain.core.ports import Store
from simulator.domain.core.records import AccountHierarchy, Outcome, Payment, Registration, State
from simulator.domain.payments.bodies import enveloped, result_object
from simulator.domain.schedules.bodies import DESCHEDULED as ENDED_BY
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.envelopes import noted
from simulator.domain.webhooks.payloads import (
    SUCCESS,
    Scene,
    execution_payload,
    payment_payload,
    registration_payload,
    schedule_payload,
    screening_payload,
)
from simulator.domain.webhooks.records import Delivery, Notice
from simulator.grammar.choices import Choices
from simulator.grammar.events import REGISTRATION, Emission


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """One event before it has an identity. `payment` is the id of the one it belongs to, if any."""

    type: str
    action: str | None
    stamp: AccountHierarchy
    payment: str | None = None
    payload: dict[str, Any]
    ndc: str


def happenings(
    payment: Payment, others: Iterable[object], *, before: State, scene: Scene
) -> list[Happening]:
    """What is told when a payment that was `before` is settled; `others` is what it changed."""
    others = tuple(others)
    ended = before is State.PENDING
    told = [_about(payment, ENDED if ended else ANSWERED, scene)]
    registration = next((each for each in others if _is_left_by(payment, each)), None)
    if isinstance(registration, Registration):
        told.append(registration_event(payment, registration, scene))
    if scene.choices["parent_notices"] == "send":
        told += [_about(each, TAKEN, scene) for each in others if isinstance(each, Payment)]
    return [each for each in told if each is not None]


def is_told(row: Emission, choices: Choices) -> bool:
    """Whether events of this row are told of at all. Choice: D-80."""
    return row.type in types_told(field_events=choices["field_events"] == "send")


def payment_event(payment: Payment, row: Emission, scene: Scene) -> Happening:
    """An event about a payment, as it stands in `payment`."""
    return _event(row, payment.stamp, scene, payment_payload(payment, scene), payment=payment.id)


def registration_event(
    payment: Payment, registration: Registration, scene: Scene
) -> Happening | None:
    """The event of a registration that `payment` left."""
    row = emission_of(REGISTERED, payment.type)
    if row is None:
        return None
    payload = registration_payload(
        registration, scene, outcome=payment.outcome or registration.outcome, ndc=payment.ndc
    )
    if scene.choices["webhook_extras"] == "send":
        payload["shortId"] = payment.short_id
    return _event(row, payment.stamp, scene, payload, payment=payment.id)


def record_event(
    record: Registration | Schedule,
    change: str,
    scene: Scene,
    *,
    outcome: Outcome | None = None,
    ndc: str = "",
) -> Happening:
    """The event of a change (CHANGED, REMOVED, SCHEDULED, ...) that a request of its own made.

    `outcome` and `ndc` are those of the request.
    """
    row, outcome = emission_by(change), outcome or SUCCESS
    if isinstance(record, Schedule):
        kind = ENDED_BY if change == DESCHEDULED else ""
        payload = schedule_payload(record, scene, outcome=outcome, kind=kind, ndc=ndc)
        return _event(row, record.stamp, scene, payload)
    payload = registration_payload(record, scene, outcome=outcome, ndc=ndc)
    return _event(row, record.stamp, scene, payload, payment=record.payment)


def execution_event(payment: Payment, schedule: Schedule, scene: Scene) -> Happening | None:
    """The event of a schedule that has made this payment."""
    row = emission_of(EXECUTED, payment.type)
    if row is None:
        return None
    payload = execution_payload(schedule, payment, scene)
    return _event(row, schedule.stamp, scene, payload, payment=payment.id)


def screening_event(payment: Payment, identity: str, scene: Scene) -> Happening | None:
    """The event of a risk check that decided about this payment; `identity` is a new id."""
    row = emission_of(SCREENED, payment.type)
    if row is None:
        return None
    payload = screening_payload(payment, identity, scene)
    return _event(row, payment.stamp, scene, payload, payment=payment.id)


def notice_of(happening: Happening, *, identity: str, now: datetime) -> Notice:
    """The event with its identity."""
    return Notice(
        id=identity,
        type=happening.type,
        action=happening.action,
        payment=happening.payment,
        payload=noted(happening.payload),
        created_at=now,
        ndc=happening.ndc,
    )


def activation_notice(identity: str, scene: Scene, ndc: str) -> Notice:
    """The test event by which an endpoint shows that it listens."""
    kind, action = ACTIVATION
    payload = noted(enveloped({"result": result_object(SUCCESS.code)}, scene.now, ndc))
    return Notice(
        id=identity, type=kind, action=action, payload=payload, created_at=scene.now, ndc=ndc
    )


def result_call(payment: Payment, *, identity: str, now: datetime) -> Notice:
    """The call of a notificationUrl: the query it is made with. Source: Events, 1."""
    query = {"id": payment.id, "resourcePath": f"/v1/payments/{payment.id}"}
    return Notice(
        id=identity,
        type=NOTIFICATION_URL,
        payment=payment.id,
        payload=noted(query),
        created_at=now,
        ndc=payment.ndc,
    )


def lonely_notices(store: Store, gone: Collection[Delivery]) -> list[Notice]:
    """The notices that no delivery is left of once these are removed."""
    removed = {each.id for each in gone}
    lonely = []
    for identity in {each.notice for each in gone}:
        left = {each.id for each in store.find(Delivery, "notice", identity)} - removed
        if not left and (notice := store.get(Notice, identity)) is not None:
            lonely.append(notice)
    return lonely


def _about(payment: Payment, change: str, scene: Scene) -> Happening | None:
    row = emission_of(change, payment.type)
    return None if row is None else payment_event(payment, row, scene)


def _is_left_by(payment: Payment, record: object) -> bool:
    """Whether the record is the registration the payment left, not one that it charged."""
    return isinstance(record, Registration) and record.payment == payment.id


def _event(
    row: Emission,
    stamp: AccountHierarchy,
    scene: Scene,
    payload: dict[str, Any],
    *,
    payment: str | None = None,
) -> Happening:
    return Happening(
        type=row.type,
        action=_action(row, scene.choices),
        stamp=stamp,
        payment=payment,
        payload=payload,
        ndc=payload["ndc"],
    )


def _action(row: Emission, choices: Choices) -> str | None:
    """Clients of the field know an action of registrations alone. Choice: D-82."""
    if row.type != REGISTRATION and choices["payment_action"] == "omit":
        return None
    return row.action

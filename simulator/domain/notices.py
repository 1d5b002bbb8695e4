"""What is told of a change: the events it emits, and the payload of each.

Which change emits what is the table of `catalogue/events.py`; this module fills the payloads.
Source: Events; Webhook-specific response fields. Choices: D-80 to D-83.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

import msgspec

from simulator.catalogue.events import (
    ACTIVATION,
    ANSWERED,
    ENDED,
    NOTIFICATION_URL,
    PAYMENT,
    REGISTERED,
    TAKEN,
    Emission,
    emission_of,
)
from simulator.domain.bodies import PENDING, enveloped, payment_fields, result_object
from simulator.domain.echo import echoed
from simulator.domain.ports import Store
from simulator.domain.records import Payment, Registration, Sandbox, State
from simulator.domain.webhooks import Delivery, Notice
from simulator.grammar.choices import Choices

# What the field writes of a payment that came in by the API, by card.
SOURCE, METHOD = "OPP", "CC"
SUCCESS = "000.000.000"


class Scene(msgspec.Struct, frozen=True):
    """Where and when something happened: what payloads need beside the records."""

    sandbox: Sandbox
    choices: Choices
    now: datetime


class Happening(msgspec.Struct, frozen=True):
    """One event before it has an identity: type, action, the payment it is about, payload."""

    type: str
    action: str | None
    payment: Payment
    payload: dict


def happenings(
    payment: Payment, others: Iterable[object], *, before: State, scene: Scene
) -> list[Happening]:
    """What is told when a payment that was `before` is settled; `others` is what it changed."""
    others = tuple(others)
    ended = before is State.PENDING
    told = [_about(payment, ENDED if ended else ANSWERED, scene)]
    registration = next((each for each in others if isinstance(each, Registration)), None)
    if registration is not None:
        told.append(registration_event(payment, registration, scene))
    if scene.choices["parent_notices"] == "send":
        told += [_about(each, TAKEN, scene) for each in others if isinstance(each, Payment)]
    return [each for each in told if each is not None]


def payment_event(payment: Payment, row: Emission, scene: Scene) -> Happening:
    """An event about a payment, as it stands in `payment`."""
    payload = payment_payload(payment, scene)
    return Happening(row.type, _action(row, scene.choices), payment, payload)


def registration_event(
    payment: Payment, registration: Registration, scene: Scene
) -> Happening | None:
    """The event of a registration that `payment` left."""
    row = emission_of(REGISTERED, payment.type)
    if row is None:
        return None
    payload = registration_payload(payment, registration, scene)
    return Happening(row.type, row.action, payment, payload)


def notice_of(happening: Happening, *, identity: str, now: datetime) -> Notice:
    """The event with its identity."""
    return Notice(
        id=identity,
        type=happening.type,
        action=happening.action,
        payment=happening.payment.id,
        payload=happening.payload,
        created_at=now,
        ndc=happening.payment.ndc,
    )


def payment_payload(payment: Payment, scene: Scene) -> dict:
    """The payment response, and what only notifications carry. Source: EVT-01, EVT-03, RSP-09."""
    body = payment_fields(payment, scene.choices, with_reference=True)
    if "amount" in body:
        body["presentationAmount"] = body["amount"]
        body["presentationCurrency"] = body["currency"]
    if scene.choices["webhook_extras"] == "send":
        body.update(_extras(payment, scene.sandbox))
    return enveloped(body, scene.now, payment.ndc)


def registration_payload(payment: Payment, registration: Registration, scene: Scene) -> dict:
    """The registration as a response: id, card, customer, and the result it came about by."""
    outcome = payment.outcome or PENDING
    body: dict = {
        "id": registration.id,
        "paymentBrand": registration.brand,
        "result": result_object(outcome.code),
        "card": registration.card,
    }
    customer = echoed(payment.sent).get("customer")
    if customer is not None:
        body["customer"] = customer
    if scene.choices["webhook_extras"] == "send":
        body.update(_extras(payment, scene.sandbox))
    return enveloped(body, scene.now, payment.ndc)


def activation_notice(identity: str, scene: Scene, ndc: str) -> Notice:
    """The test event by which an endpoint shows that it listens."""
    kind, action = ACTIVATION
    payload = enveloped({"result": result_object(SUCCESS)}, scene.now, ndc)
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
        payload=query,
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


def _action(row: Emission, choices: Choices) -> str | None:
    """Clients of the field know an action of registrations alone. Choice: D-82."""
    if row.type == PAYMENT and choices["payment_action"] == "omit":
        return None
    return row.action


def _extras(payment: Payment, sandbox: Sandbox) -> dict:
    return {
        "authentication": {"entityId": payment.stamp.channel},
        "channelName": next(_names_of(payment.stamp.channel, sandbox), ""),
        "shortId": payment.short_id,
        "source": SOURCE,
        "paymentMethod": METHOD,
    }


def _names_of(channel: str, sandbox: Sandbox) -> Iterator[str]:
    for merchant in sandbox.merchants:
        yield from (each.name for each in merchant.channels if each.id == channel)

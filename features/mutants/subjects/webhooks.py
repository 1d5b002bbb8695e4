"""Mutants of webhook notifications: lost, repeated, with wrong content, or never delivered."""

from typing import Any

from features.mutants.changes import change_notifications
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

Arrival = dict[str, Any]
SWALLOWED = Answer(200, {}, None)


@mutant(
    "EVT-06",
    "SVC-24",
    killed_by=("No notification is lost while the receiver fails",),
    interfaces=ALL_INTERFACES,
)
def delivers_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification that the receiver refused is not delivered again."""
    event = request.headers.get("x-event-id")
    if request.interface != "receiver" or event is None:
        return original.forward(request)
    again = event in original.memory
    original.memory[event] = True
    return SWALLOWED if again else original.forward(request)


@mutant(
    "EVT-06",
    killed_by=("A notification that the receiver refuses is delivered again",),
    interfaces=ALL_INTERFACES,
)
def redelivers_under_another_id(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification that is delivered again has another event id."""
    event = request.headers.get("x-event-id")
    if request.interface != "receiver" or event is None:
        return original.forward(request)
    original.memory["posted"] = original.memory.get("posted", 0) + 1
    headers = {**request.headers, "x-event-id": f"{event}-{original.memory['posted']}"}
    return original.forward(
        ProxiedRequest(request.method, request.target, headers, request.body, request.interface)
    )


@mutant(
    "SVC-24",
    killed_by=("No notification is lost while the receiver fails",),
    interfaces=ALL_INTERFACES,
)
def delivers_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """No notification reaches the receiver."""
    return (
        SWALLOWED
        if request.interface == "receiver" and request.method == "POST"
        else original.forward(request)
    )


@mutant(
    "SVC-16",
    "EVT-04",
    "LIM-03",
    "EVT-05",
    killed_by=(
        "The notificationUrl of a redirected payment is called with its result",
        "An unread payment of a checkout is called back after 29 minutes",
        "An unread registration of a checkout is called back after 29 minutes",
    ),
    interfaces=ALL_INTERFACES,
)
def makes_no_callbacks(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The notificationUrl is never called."""
    return (
        SWALLOWED
        if request.interface == "receiver" and request.method == "GET"
        else original.forward(request)
    )


@mutant(
    "EVT-04",
    killed_by=("An unread payment of a checkout is called back after 29 minutes",),
    interfaces=ALL_INTERFACES,
)
def makes_callbacks_without_a_path(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The notificationUrl is called without a resourcePath."""
    path = (
        request.target.partition("&resourcePath=")[0]
        if request.interface == "receiver"
        else request.target
    )
    return original.forward(
        ProxiedRequest(request.method, path, request.headers, request.body, request.interface)
    )


@mutant(
    "SVC-24",
    "EVT-01",
    killed_by=("A payment of every type is notified",),
    interfaces=ALL_INTERFACES,
)
def notifies_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """No event is notified."""
    return change_notifications(request, original.forward(request), lambda _: None)


@mutant("EVT-01", killed_by=("A capture is notified like any payment",), interfaces=ALL_INTERFACES)
def notifies_everything_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every notification arrives twice."""
    answer = original.forward(request)
    if not request.path.endswith("/inbox"):
        return answer
    twice = [each for arrival in answer.body["arrived"] for each in (arrival, arrival)]
    return Answer(answer.status, answer.headers, {**answer.body, "arrived": twice})


@mutant("EVT-01", killed_by=("A capture is notified like any payment",), interfaces=ALL_INTERFACES)
def notifies_no_captures(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture is not notified."""

    def kept(arrival: Arrival) -> Arrival | None:
        return None if payload_of(arrival).get("paymentType") == "CP" else arrival

    return change_notifications(request, original.forward(request), kept)


@mutant(
    "EVT-01",
    killed_by=("A notification has the content of the response",),
    interfaces=ALL_INTERFACES,
)
def notifies_less_than_the_response(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification does not show the card of the response."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_payload(each, card=None)
    )


@mutant(
    "RSP-03",
    killed_by=("A notification shows neither the card number nor its security code",),
    interfaces=ALL_INTERFACES,
)
def notifies_security_codes(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification shows the security code."""

    def shown(arrival: Arrival) -> Arrival:
        card = payload_of(arrival).get("card")
        return replace_payload(arrival, card={**card, "cvv": "864"}) if card else arrival

    return change_notifications(request, original.forward(request), shown)


@mutant("EVT-02", killed_by=("A new payment is notified as CREATED",), interfaces=ALL_INTERFACES)
def notifies_creations_as_updates(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A new payment is notified as UPDATED."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_action(each, "CREATED", "UPDATED")
    )


@mutant(
    "EVT-02",
    killed_by=("A pending payment is notified again when it is final",),
    interfaces=ALL_INTERFACES,
)
def notifies_updates_as_creations(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that becomes final is notified as CREATED."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_action(each, "UPDATED", "CREATED")
    )


@mutant(
    "EVT-01",
    "EVT-02",
    killed_by=("A registration created by a payment is notified",),
    interfaces=ALL_INTERFACES,
)
def notifies_registrations_as_payments(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A registration is notified as a payment."""

    def renamed(arrival: Arrival) -> Arrival:
        return {**arrival, "type": "PAYMENT"}

    return change_notifications(request, original.forward(request), renamed)


@mutant(
    "EVT-03",
    "RSP-09",
    killed_by=("A notification of a capture refers to the payment",),
    interfaces=ALL_INTERFACES,
)
def forgets_what_a_capture_refers_to(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification of a capture has no referencedId."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_payload(each, referencedId=None)
    )


@mutant(
    "EVT-03",
    killed_by=("A notification of an initial payment has no referencedId",),
    interfaces=ALL_INTERFACES,
)
def refers_to_itself(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification of a first payment has a referencedId."""

    def referring(arrival: Arrival) -> Arrival:
        return replace_payload(arrival, referencedId=payload_of(arrival).get("id"))

    return change_notifications(request, original.forward(request), referring)


@mutant(
    "EVT-03",
    killed_by=("A notification shows the amount presented to the shopper",),
    interfaces=ALL_INTERFACES,
)
def forgets_what_was_presented(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification has no presentation amount."""

    def forgetting(arrival: Arrival) -> Arrival:
        return replace_payload(arrival, presentationAmount=None)

    return change_notifications(request, original.forward(request), forgetting)


@mutant(
    "EVT-06",
    killed_by=("A notification that is delivered twice has one event id",),
    interfaces=ALL_INTERFACES,
)
def gives_every_delivery_a_new_id(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification that arrives twice has two event ids."""
    answer = original.forward(request)
    if not request.path.endswith("/inbox"):
        return answer
    named = [
        {**arrival, "event_id": f"{arrival['event_id']}-{number}"}
        for number, arrival in enumerate(answer.body["arrived"])
    ]
    return Answer(answer.status, answer.headers, {**answer.body, "arrived": named})


@mutant(
    "EVT-01",
    killed_by=("A notification is delivered to the merchant's receiver",),
    interfaces=ALL_INTERFACES,
)
def encrypts_with_another_key(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification is encrypted with a key that the merchant does not have."""
    sealed = request.interface == "receiver" and "x-authentication-tag" in request.headers
    if not sealed:
        return original.forward(request)
    headers = {**request.headers, "x-authentication-tag": "00" * 16}
    return original.forward(
        ProxiedRequest(request.method, request.target, headers, request.body, request.interface)
    )


def replace_action(arrival: Arrival, action: str, instead: str) -> Arrival:
    """A notification with one action replaced by another."""
    return {**arrival, "action": instead} if arrival.get("action") == action else arrival


def payload_of(arrival: Arrival) -> dict[str, Any]:
    """The payload of a notification; empty where it cannot be read."""
    return dict(arrival.get("payload") or {})


def replace_payload(arrival: Arrival, **members: Any) -> Arrival:
    """A notification with some members of its payload replaced; None removes one."""
    changed = {**payload_of(arrival), **members}
    kept = {name: value for name, value in changed.items() if value is not None}
    return {**arrival, "payload": kept}

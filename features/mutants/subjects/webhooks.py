"""Faults of notifications: lost, told twice, told wrong, told to the wrong one, never told."""

from typing import Any

from features.mutants.changes import arriving
from features.mutants.mutant import EVERYWHERE, fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

Arrival = dict[str, Any]
SWALLOWED = Answer(200, {}, None)


@fault(
    "EVT-06",
    "SVC-24",
    caught_by=("Nothing is lost while the receiver is out of order",),
    doors=EVERYWHERE,
)
def posts_once(asked: Asked, sound: Sound) -> Answer:
    """A notification that was not taken is not posted again."""
    event = asked.headers.get("x-event-id")
    if asked.door != "receiver" or event is None:
        return sound.answer(asked)
    again = event in sound.seen
    sound.seen[event] = True
    return SWALLOWED if again else sound.answer(asked)


@fault(
    "EVT-06",
    caught_by=("A notification that the receiver does not take is posted again",),
    doors=EVERYWHERE,
)
def posts_under_other_names(asked: Asked, sound: Sound) -> Answer:
    """A notification that is posted again has another identity."""
    event = asked.headers.get("x-event-id")
    if asked.door != "receiver" or event is None:
        return sound.answer(asked)
    sound.seen["posted"] = sound.seen.get("posted", 0) + 1
    headers = {**asked.headers, "x-event-id": f"{event}-{sound.seen['posted']}"}
    return sound.answer(Asked(asked.method, asked.path, headers, asked.body, asked.door))


@fault(
    "SVC-24",
    caught_by=("Nothing is lost while the receiver is out of order",),
    doors=EVERYWHERE,
)
def posts_to_nobody(asked: Asked, sound: Sound) -> Answer:
    """Notifications leave the gateway and never arrive."""
    return SWALLOWED if asked.door == "receiver" and asked.method == "POST" else sound.answer(asked)


@fault(
    "SVC-16",
    "EVT-04",
    "LIM-03",
    "EVT-05",
    caught_by=(
        "The result of a redirected payment is called to the address it named",
        "An unread payment is called out after 29 minutes",
        "An unread registration is called out after 29 minutes",
    ),
    doors=EVERYWHERE,
)
def calls_nobody_out(asked: Asked, sound: Sound) -> Answer:
    """An unread checkout, and a result to be told, cause no call."""
    return SWALLOWED if asked.door == "receiver" and asked.method == "GET" else sound.answer(asked)


@fault("EVT-04", caught_by=("An unread payment is called out after 29 minutes",), doors=EVERYWHERE)
def calls_out_without_a_path(asked: Asked, sound: Sound) -> Answer:
    """Who is called out is not told where to read."""
    path = asked.path.partition("&resourcePath=")[0] if asked.door == "receiver" else asked.path
    return sound.answer(Asked(asked.method, path, asked.headers, asked.body, asked.door))


@fault("SVC-24", "EVT-01", caught_by=("A payment of every type is notified",), doors=EVERYWHERE)
def tells_nothing(asked: Asked, sound: Sound) -> Answer:
    """Nobody is notified of anything."""
    return arriving(asked, sound.answer(asked), lambda _: None)


@fault("EVT-01", caught_by=("A capture is notified like any payment",), doors=EVERYWHERE)
def tells_everything_twice(asked: Asked, sound: Sound) -> Answer:
    """Every notification comes twice."""
    answer = sound.answer(asked)
    if not asked.place.endswith("/inbox"):
        return answer
    twice = [each for arrival in answer.body["arrived"] for each in (arrival, arrival)]
    return Answer(answer.status, answer.headers, {**answer.body, "arrived": twice})


@fault("EVT-01", caught_by=("A capture is notified like any payment",), doors=EVERYWHERE)
def tells_no_captures(asked: Asked, sound: Sound) -> Answer:
    """A capture is notified to nobody."""

    def kept(arrival: Arrival) -> Arrival | None:
        return None if payload_of(arrival).get("paymentType") == "CP" else arrival

    return arriving(asked, sound.answer(asked), kept)


@fault("EVT-01", caught_by=("A notification carries what the answer said",), doors=EVERYWHERE)
def tells_less_than_the_answer(asked: Asked, sound: Sound) -> Answer:
    """A notification lacks the card that the answer shows."""
    return arriving(asked, sound.answer(asked), lambda each: with_payload(each, card=None))


@fault(
    "RSP-03",
    caught_by=("A notification shows neither the card number nor its security code",),
    doors=EVERYWHERE,
)
def tells_card_numbers(asked: Asked, sound: Sound) -> Answer:
    """A notification shows the security code."""

    def shown(arrival: Arrival) -> Arrival:
        card = payload_of(arrival).get("card")
        return with_payload(arrival, card={**card, "cvv": "864"}) if card else arrival

    return arriving(asked, sound.answer(asked), shown)


@fault("EVT-02", caught_by=("A new payment is notified as created",), doors=EVERYWHERE)
def tells_creations_as_updates(asked: Asked, sound: Sound) -> Answer:
    """A new payment is notified as one that has changed."""
    return arriving(asked, sound.answer(asked), lambda each: acting(each, "CREATED", "UPDATED"))


@fault(
    "EVT-02",
    caught_by=("A payment that was pending is notified again when it is final",),
    doors=EVERYWHERE,
)
def tells_updates_as_creations(asked: Asked, sound: Sound) -> Answer:
    """A payment that became final is notified as a new one."""
    return arriving(asked, sound.answer(asked), lambda each: acting(each, "UPDATED", "CREATED"))


@fault(
    "EVT-01",
    "EVT-02",
    caught_by=("A registration that a payment leaves is notified beside the payment",),
    doors=EVERYWHERE,
)
def tells_registrations_as_payments(asked: Asked, sound: Sound) -> Answer:
    """A registration is notified as a payment."""

    def renamed(arrival: Arrival) -> Arrival:
        return {**arrival, "type": "PAYMENT"}

    return arriving(asked, sound.answer(asked), renamed)


@fault(
    "EVT-03",
    "RSP-09",
    caught_by=("A notification of a capture says what it refers to",),
    doors=EVERYWHERE,
)
def forgets_what_a_capture_refers_to(asked: Asked, sound: Sound) -> Answer:
    """A notification of a capture does not say of what."""
    return arriving(asked, sound.answer(asked), lambda each: with_payload(each, referencedId=None))


@fault(
    "EVT-03",
    caught_by=("A notification of a first payment refers to nothing",),
    doors=EVERYWHERE,
)
def refers_to_itself(asked: Asked, sound: Sound) -> Answer:
    """A notification of a first payment refers to a payment."""

    def referring(arrival: Arrival) -> Arrival:
        return with_payload(arrival, referencedId=payload_of(arrival).get("id"))

    return arriving(asked, sound.answer(asked), referring)


@fault(
    "EVT-03",
    caught_by=("A notification says what was presented to the shopper",),
    doors=EVERYWHERE,
)
def forgets_what_was_presented(asked: Asked, sound: Sound) -> Answer:
    """A notification does not say what the shopper saw."""

    def forgetting(arrival: Arrival) -> Arrival:
        return with_payload(arrival, presentationAmount=None)

    return arriving(asked, sound.answer(asked), forgetting)


@fault("EVT-06", caught_by=("A notification that comes twice has one identity",), doors=EVERYWHERE)
def names_every_notification_anew(asked: Asked, sound: Sound) -> Answer:
    """A notification that comes twice has two identities."""
    answer = sound.answer(asked)
    if not asked.place.endswith("/inbox"):
        return answer
    named = [
        {**arrival, "event_id": f"{arrival['event_id']}-{number}"}
        for number, arrival in enumerate(answer.body["arrived"])
    ]
    return Answer(answer.status, answer.headers, {**answer.body, "arrived": named})


@fault(
    "EVT-01",
    caught_by=("A notification is posted to the merchant's receiver",),
    doors=EVERYWHERE,
)
def seals_with_another_key(asked: Asked, sound: Sound) -> Answer:
    """A notification is encrypted with a key that the merchant does not have."""
    sealed = asked.door == "receiver" and "x-authentication-tag" in asked.headers
    if not sealed:
        return sound.answer(asked)
    headers = {**asked.headers, "x-authentication-tag": "00" * 16}
    return sound.answer(Asked(asked.method, asked.path, headers, asked.body, asked.door))


def acting(arrival: Arrival, action: str, instead: str) -> Arrival:
    """A notification that says another action in place of one."""
    return {**arrival, "action": instead} if arrival.get("action") == action else arrival


def payload_of(arrival: Arrival) -> dict[str, Any]:
    """What a notification is about; empty where it cannot be read."""
    return dict(arrival.get("payload") or {})


def with_payload(arrival: Arrival, **members: Any) -> Arrival:
    """A notification with some members of its payload changed; one that is None is left out."""
    changed = {**payload_of(arrival), **members}
    kept = {name: value for name, value in changed.items() if value is not None}
    return {**arrival, "payload": kept}

"""Steps about notifications in the inbox of the scenario's sandbox."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY
from features.support.assertions import NO_ANSWER, Judge
from features.support.disclosure import is_disclosed
from features.support.inboxes import Arrival, ScenarioInbox
from features.support.merchant import Merchant
from features.support.notifications import is_about_now
from simulator.client import Answer, Control

# Members that a notification may have beside those of the response.
EXTRA_MEMBERS = {"referencedId", "presentationAmount", "presentationCurrency"}
DELIVERY_FAULTS = {
    "the next notification is delivered after the following one": "webhook-swapped",
    "notifications are delivered twice": "webhook-twice",
    "notifications are delivered five minutes late": "webhook-late",
    "the first notification is corrupted": "webhook-corrupt",
    "the first notification is encrypted with another key": "webhook-wrong-key",
    "every delivery attempt is lost": "webhook-never",
}
VECTOR = "x-initialization-vector"
HEX = r"([0-9A-Fa-f]{2})+"
ENCRYPTED = {VECTOR: HEX, "x-authentication-tag": HEX}
FORMATS = {
    "hex text, encrypted": ("text/plain", HEX, ENCRYPTED),
    "hex text in JSON, encrypted": (
        "application/json",
        rf'\{{"encryptedBody": ?"{HEX}"\}}',
        ENCRYPTED,
    ),
    "plain JSON": ("application/json", r"(?s)\{.*\}", {}),
}


@given("the merchant has a webhook endpoint", target_fixture="endpoint")
def create_endpoint(inbox: ScenarioInbox) -> Mapping[str, Any]:
    return inbox.open()


@given(
    parsers.re(r"the merchant has a webhook endpoint for (?P<kind>[A-Z]+) events"),
    target_fixture="endpoint",
)
def create_endpoint_for_type(inbox: ScenarioInbox, kind: str) -> Mapping[str, Any]:
    return inbox.open([kind])


@given(
    parsers.re(r"the merchant has a webhook endpoint in the format (?P<form>hex|wrapped|json)"),
    target_fixture="endpoint",
)
def create_endpoint_in_format(control: Control, merchant: Merchant, form: str) -> Mapping[str, Any]:
    return control.create_webhook(merchant.sandbox, "inbox", format=form)


@given("the merchant has a webhook endpoint for its own entity", target_fixture="endpoint")
def create_endpoint_for_entity(control: Control, merchant: Merchant) -> Mapping[str, Any]:
    return control.create_webhook(merchant.sandbox, "inbox", entity=merchant.entity)


@given(
    parsers.re(r"the merchant has a webhook endpoint for its (?P<level>psp|division|channel)"),
    target_fixture="endpoint",
)
def create_endpoint_for_level(
    control: Control, merchant: Merchant, level: str
) -> Mapping[str, Any]:
    levels = {**control.sandbox(merchant.sandbox), "channel": merchant.client.entity_id}
    entity = levels[level]
    return control.create_webhook(merchant.sandbox, "inbox", entity=entity)


@given("the merchant has a webhook endpoint without customer data", target_fixture="endpoint")
def create_endpoint_without_customers(control: Control, merchant: Merchant) -> Mapping[str, Any]:
    return control.create_webhook(merchant.sandbox, "inbox", fields="NON_CUSTOMER_DATA")


@given(parsers.re(rf"(?P<fault>{'|'.join(DELIVERY_FAULTS)})"), target_fixture="script")
def arm_delivery_fault(control: Control, merchant: Merchant, fault: str) -> Mapping[str, Any]:
    # It applies to one payment, so that later notifications are delivered normally.
    return control.arm_script(merchant.sandbox, DELIVERY_FAULTS[fault], times=1)


@given(parsers.parse("the first {count:d} delivery attempts are lost"), target_fixture="script")
def lose_attempts(control: Control, merchant: Merchant, count: int) -> Mapping[str, Any]:
    behaviour = {
        "name": "loses-attempts",
        "title": "loses attempts",
        "description": "Armed by a scenario.",
        "steps": {"webhooks": {"lose": {"attempts": count}}},
    }
    return control.arm_script(merchant.sandbox, behaviour)


@when(parsers.re(rf"the other merchant debits {MONEY}"), target_fixture="answer")
def other_merchant_pays(two_merchants: list[Merchant], amount: str, currency: str) -> Answer:
    return two_merchants[1].pay_by_card("DB", amount, currency)


@when(parsers.re(rf"a merchant of another sandbox debits {MONEY}"), target_fixture="answer")
def foreign_merchant_pays(foreign_merchant: Merchant, amount: str, currency: str) -> Answer:
    return foreign_merchant.pay_by_card("DB", amount, currency)


@when("the tester replays the notification")
def replay_notification(control: Control, merchant: Merchant, payment: Answer) -> None:
    control.drain(merchant.sandbox)
    (notice,) = control.notices(merchant.sandbox, payment=payment.id)
    control.resend_notice(merchant.sandbox, notice["id"])


@then(parsers.re(r"(?P<count>\d+) notifications? (has|have) arrived"), converters={"count": int})
def has_arrived(inbox: ScenarioInbox, judge: Judge, count: int) -> None:
    came = [describe_arrival(each) for each in inbox.arrivals(count)]
    judge.holds("notifications", NO_ANSWER, len(came) == count, expected=str(count), came=str(came))


@then(parsers.re(r"the notification is of type (?P<kind>[A-Z]+)"))
def is_of_type(inbox: ScenarioInbox, judge: Judge, kind: str) -> None:
    judge.same("type", NO_ANSWER, expected=kind, came=last_arrival(inbox)["type"])


@then(parsers.re(r"the notification is of type (?P<kind>[A-Z]+) and action (?P<action>[A-Z]+)"))
def is_of_action(inbox: ScenarioInbox, judge: Judge, *, kind: str, action: str) -> None:
    last = last_arrival(inbox)
    came = (last["type"], last["action"])
    judge.same("type and action", NO_ANSWER, expected=(kind, action), came=came)


@then("the notification payload equals the response")
def equals_response(inbox: ScenarioInbox, answer: Answer, judge: Judge) -> None:
    payload = dict(last_arrival(inbox)["payload"])
    extra = {name: payload.pop(name) for name in EXTRA_MEMBERS if name in payload}
    if is_about_now(payload.get("timestamp"), answer.body.get("timestamp")):
        # The one is of the answer, the other of the event.
        payload["timestamp"] = answer.body["timestamp"]
    judge.same(f"payload without {sorted(extra)}", answer, expected=answer.body, came=payload)


@then(parsers.re(r'the notification shows (?P<path>\S+) "(?P<value>.*)"'))
def shows(inbox: ScenarioInbox, judge: Judge, path: str, *, value: str) -> None:
    payload = payload_of(last_arrival(inbox))
    judge.same(f"{path} of the payload", payload, expected=value, came=payload.at(path))


@then(parsers.re(r"the notification shows no (?P<path>\S+)"))
def shows_no(inbox: ScenarioInbox, judge: Judge, path: str) -> None:
    payload = payload_of(demand_last(inbox, judge))
    judge.same(f"{path} of the payload", payload, expected=None, came=payload.at(path))


@then(parsers.parse('the notification does not contain "{text}"'))
def does_not_contain(inbox: ScenarioInbox, judge: Judge, text: str) -> None:
    last = str(demand_last(inbox, judge))
    judge.holds(
        "the whole notification",
        NO_ANSWER,
        not is_disclosed(text, last),
        expected="the text not in it",
        came="the text in it",
    )


@then("the notification refers to the payment")
def refers_to_payment(inbox: ScenarioInbox, payment: Answer, judge: Judge) -> None:
    payload = payload_of(last_arrival(inbox))
    judge.same("referencedId", payload, expected=payment.id, came=payload.at("referencedId"))


@then(parsers.re(r"the notification refers to the (?P<what>capture|chargeback)"))
def refers_to_part(
    request: pytest.FixtureRequest, inbox: ScenarioInbox, judge: Judge, what: str
) -> None:
    expected: Answer = request.getfixturevalue(what)
    payload = payload_of(last_arrival(inbox))
    judge.same("referencedId", payload, expected=expected.id, came=payload.at("referencedId"))


@then("the notification is for the registration of the response")
def is_for_registration(inbox: ScenarioInbox, answer: Answer, judge: Judge) -> None:
    registration = answer.at("registrationId")
    payload = payload_of(last_arrival(inbox))
    judge.same("id of the payload", payload, expected=registration, came=payload.id)


@then("the notification shows the result of the response")
def shows_result_of_response(inbox: ScenarioInbox, answer: Answer, judge: Judge) -> None:
    payload = payload_of(last_arrival(inbox))
    judge.same("result of the payload", payload, expected=answer.code, came=payload.code)


@then("the notification has the id of the registration")
def has_id_of_registration(inbox: ScenarioInbox, stored: Answer, judge: Judge) -> None:
    payload = payload_of(last_arrival(inbox))
    judge.same("id of the payload", payload, expected=stored.id, came=payload.id)


@then("all notifications have the same event id")
def have_one_event_id(inbox: ScenarioInbox, judge: Judge) -> None:
    identities = [each["event_id"] for each in inbox.arrivals(1)]
    judge.same("event ids", NO_ANSWER, expected=1, came=len(set(identities) - {None}))


@then("each notification has its own event id")
def have_own_event_ids(inbox: ScenarioInbox, judge: Judge) -> None:
    identities = [each["event_id"] for each in inbox.arrivals(1)]
    judge.holds(
        "event ids",
        NO_ANSWER,
        0 < len(identities) == len(set(identities)),
        expected="one each, of at least one",
        came=f"{len(set(identities))} of {len(identities)}",
    )


@then("no two notifications share an initialization vector")
def have_own_vectors(inbox: ScenarioInbox, judge: Judge) -> None:
    found = [_header(each, VECTOR) for each in inbox.arrivals(1)]
    judge.holds(
        "initialization vectors",
        NO_ANSWER,
        all(found) and 1 < len(found) == len(set(found)),
        expected="one each, of at least two",
        came=f"{len(set(found))} of {len(found)}",
    )


@then("the first notification cannot be read")
def first_is_unreadable(inbox: ScenarioInbox, judge: Judge) -> None:
    first = inbox.arrivals(1)[0]
    judge.same("payload of the first notification", NO_ANSWER, expected=None, came=first["payload"])


@then("the gateway has given up the delivery")
def has_given_up(control: Control, merchant: Merchant, payment: Answer, judge: Judge) -> None:
    (notice,) = control.notices(merchant.sandbox, payment=payment.id)
    states = [each["state"] for each in notice["deliveries"]]
    judge.same("deliveries", NO_ANSWER, expected=["given up"], came=states)


@then(parsers.re(rf"the notification is sent as (?P<form>{'|'.join(FORMATS)})"))
def is_sent_as(inbox: ScenarioInbox, judge: Judge, form: str) -> None:
    last = last_arrival(inbox)
    kind, body, wanted = FORMATS[form]
    headers = {name.lower(): value for name, value in last["headers"].items()}
    judge.form("content type", NO_ANSWER, pattern=f"{kind}.*", came=headers["content-type"])
    judge.form("body", NO_ANSWER, pattern=body, came=last["body"])
    fits = all(re.fullmatch(pattern, headers.get(name, "")) for name, pattern in wanted.items())
    judge.holds("headers", NO_ANSWER, fits, expected=str(list(wanted)), came=str(list(headers)))


def demand_last(inbox: ScenarioInbox, judge: Judge) -> Arrival:
    """The last notification. Raises AssertionError where none has arrived."""
    last = last_arrival(inbox)
    judge.holds(
        "notifications", NO_ANSWER, last["type"] is not None, expected="at least one", came="none"
    )
    return last


def last_arrival(inbox: ScenarioInbox) -> Arrival:
    """The last notification; an empty one where none has arrived."""
    nothing: Arrival = {"type": None, "action": None, "payload": {}, "headers": {}, "body": ""}
    return (inbox.arrivals(1) or [nothing])[-1]


def payload_of(arrival: Arrival) -> Answer:
    """The payload of a notification, read like a response."""
    return Answer(0, {}, arrival["payload"])


def _header(arrival: Arrival, name: str) -> str:
    headers = {each.lower(): value for each, value in arrival["headers"].items()}
    return str(headers.get(name, ""))


def describe_arrival(arrival: Arrival) -> str:
    """Type and action of a notification, or why it could not be read."""
    return arrival["error"] or f"{arrival['type']} {arrival['action']}"

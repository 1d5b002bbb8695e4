"""Steps about a merchant's receiver: the address where notifications are posted."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from pytest_bdd import given, parsers, then, when

from features.judge import NO_ANSWER, Judge
from features.merchant import Merchant
from features.needs import refuse_unless_tagged
from features.receiver import TAKEN, Receiver, listening
from features.spec.envelopes import opened
from features.steps.words import MONEY
from features.target import Target
from simulator.client import Answer, Control

Endpoint = Mapping[str, Any]

SECRET = "00112233445566778899aabbccddeeff" * 2
NOBODY = "http://127.0.0.1:1/"
IDENTITY = "x-event-id"
ANSWERS = {"with a fault": 500, "with a refusal": 404, "that it moved": 307}


@given("the merchant listens at its receiver", target_fixture="endpoint")
def listens_at_receiver(control: Control, merchant: Merchant, receiver: Receiver) -> Endpoint:
    return endpoint_at(control, merchant, receiver.url, skip_activation=True)


@given("the merchant listens where nobody answers", target_fixture="endpoint")
def listens_nowhere(control: Control, merchant: Merchant) -> Endpoint:
    return endpoint_at(control, merchant, NOBODY, skip_activation=True)


@given(
    parsers.re(rf"the receiver answers (?P<how>{'|'.join(ANSWERS)}) (?P<times>\d+) times?"),
    converters={"times": int},
)
def receiver_answers(receiver: Receiver, how: str, times: int) -> None:
    receiver.answer_next(ANSWERS[how], times=times)


@given(parsers.parse("the receiver takes {seconds:d} seconds to answer"))
def receiver_is_slow(receiver: Receiver, seconds: int) -> None:
    receiver.delay_s = seconds


@given(
    parsers.re(rf"a debit of {MONEY} whose result goes to the receiver"), target_fixture="payment"
)
def debit_made_naming_receiver(
    merchant: Merchant, receiver: Receiver, amount: str, currency: str
) -> Answer:
    address = {"notificationUrl": f"{receiver.url}result?order=4711"}
    return merchant.pay_by_card("DB", amount, currency, address)


@when("the merchant listens at its receiver for the first time", target_fixture="endpoint")
def first_listens(control: Control, merchant: Merchant, receiver: Receiver) -> Endpoint:
    return endpoint_at(control, merchant, receiver.url)


@then("the receiver was called, and the merchant is told that it listens")
def was_called(receiver: Receiver, endpoint: Endpoint, judge: Judge) -> None:
    (call,) = receiver.calls(1)
    came = (opened(call.headers, call.body, SECRET)["type"], endpoint["active"])
    judge.same("first call and activity", NO_ANSWER, expected=("test", True), came=came)


@then("the merchant is told that it does not listen")
def was_not_activated(endpoint: Endpoint, judge: Judge) -> None:
    judge.same("activity", NO_ANSWER, expected=False, came=endpoint["active"])


@then(parsers.re(r"the receiver has got (?P<count>\d+) notifications?"), converters={"count": int})
def has_got(
    control: Control, merchant: Merchant, receiver: Receiver, judge: Judge, *, count: int
) -> None:
    control.drain(merchant.sandbox)
    came = [call.status for call in receiver.calls()]
    judge.same("calls of the receiver", NO_ANSWER, expected=count, came=len(came))


@then(
    parsers.re(r"the receiver has taken (?P<count>\d+) notifications?"), converters={"count": int}
)
def has_taken(
    control: Control, merchant: Merchant, receiver: Receiver, judge: Judge, *, count: int
) -> None:
    control.drain(merchant.sandbox)
    taken = {call.headers[IDENTITY] for call in receiver.calls() if call.status == TAKEN}
    judge.same("notifications that were taken", NO_ANSWER, expected=count, came=len(taken))


@then("all of them have one identity")
def have_one_identity(receiver: Receiver, judge: Judge) -> None:
    identities = {call.headers.get(IDENTITY) for call in receiver.calls()}
    judge.same("identities", NO_ANSWER, expected=1, came=len(identities - {None}))


@then("it is opened with the merchant's secret")
def is_opened(receiver: Receiver, judge: Judge) -> None:
    wrapper = opened_last(receiver)
    judge.same("members of the wrapper", NO_ANSWER, expected=True, came="payload" in wrapper)


@then("it is of type PAYMENT, about the payment")
def is_about_payment(receiver: Receiver, answer: Answer, judge: Judge) -> None:
    wrapper = opened_last(receiver)
    came = (wrapper.get("type"), wrapper.get("payload", {}).get("id"))
    judge.same("type and id", answer, expected=("PAYMENT", answer.id), came=came)


@then("the receiver was asked for the result, with id and resourcePath of the payment")
def was_asked_for_result(
    control: Control, merchant: Merchant, receiver: Receiver, payment: Answer, judge: Judge
) -> None:
    control.drain(merchant.sandbox)
    came = [(call.method, call.path) for call in receiver.calls()]
    query = f"order=4711&id={payment.id}&resourcePath=%2Fv1%2Fpayments%2F{payment.id}"
    judge.same("calls", payment, expected=[("GET", f"/result?{query}")], came=came)


@pytest.fixture
def receiver(request: pytest.FixtureRequest, target: Target) -> Iterator[Receiver]:
    """The merchant's receiver, which listens as long as the scenario runs."""
    refuse_unless_tagged(request.node, "receiver")
    with listening(target.receiver.listen, target.receiver.url) as found:
        yield found


def endpoint_at(control: Control, merchant: Merchant, url: str, **options: Any) -> Endpoint:
    """An endpoint of the scenario's sandbox at this address."""
    return control.create_webhook(merchant.sandbox, url, secret=SECRET, **options)


def opened_last(receiver: Receiver) -> Mapping[str, Any]:
    """The wrapper of the last notification; an empty one where the secret does not open it."""
    last = receiver.calls(1)[-1]
    try:
        return opened(last.headers, last.body, SECRET)
    except (InvalidTag, KeyError, ValueError):
        return {}

"""Steps about a merchant's receiver, to which notifications are delivered."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pytest_bdd import given, parsers, then, when

from features.spec.envelopes import opened
from features.steps.payments.asynchronous import RETURN_ADDRESS, RETURN_PARAMETER
from features.steps.payments.bank_accounts import DEBIT
from features.steps.payments.checkouts import post
from features.steps.phrases import MONEY
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.notifications import NotificationInbox, is_about_now
from features.support.sandboxes import SECRET
from simulator.client import Answer, Control, ControlError
from simulator.client.receiver import ACCEPTED, WebhookReceiver

Endpoint = Mapping[str, Any]

UNREACHABLE = "http://127.0.0.1:1/"
EVENT_ID, VECTOR = "x-event-id", "x-initialization-vector"
BAD_REQUEST = 400
ANSWERS = {
    "with a server error": 500,
    "with a client error": 404,
    "with a redirect": 307,
    "with no content": 204,
    "that it will be processed": 202,
    "that it was created": 201,
    "with a part": 206,
    "with a change": 226,
}


@given("the merchant's receiver is a webhook endpoint")
def receiver_is_endpoint(notified: NotificationInbox) -> None:
    """The fixture registers the endpoint."""


@given("the merchant has a webhook endpoint at an unreachable address", target_fixture="endpoint")
def create_unreachable_endpoint(control: Control, merchant: Merchant) -> Endpoint:
    return create_endpoint(control, merchant, UNREACHABLE, skip_activation=True)


@given(
    parsers.re(rf"the receiver answers (?P<how>{'|'.join(ANSWERS)}) (?P<times>\d+) times?"),
    converters={"times": int},
)
def script_receiver(receiver: WebhookReceiver, how: str, times: int) -> None:
    receiver.answer_next(ANSWERS[how], times=times)


@given(parsers.parse("the receiver takes {seconds:d} seconds to answer"))
def delay_receiver(receiver: WebhookReceiver, seconds: int) -> None:
    receiver.delay_s = seconds


@given(
    parsers.re(rf"a debit of {MONEY} with the receiver as notificationUrl"),
    target_fixture="payment",
)
def debit_with_notification_url(
    merchant: Merchant, receiver: WebhookReceiver, amount: str, currency: str
) -> Answer:
    address = {"notificationUrl": f"{receiver.url}result?order=4711"}
    return merchant.pay_by_card("DB", amount, currency, address)


@given("the endpoints of the merchant are removed")
def remove_endpoints(control: Control, merchant: Merchant) -> None:
    control.drain(merchant.sandbox)
    for endpoint in control.webhooks(merchant.sandbox):
        control.delete_webhook(merchant.sandbox, endpoint["id"])


@given(
    parsers.re(r"the shopper has paid in the checkout by direct debit, due on (?P<day>\S+)"),
    target_fixture="payment",
)
def debit_in_checkout(merchant: Merchant, checkout: Answer, day: str) -> Answer:
    return post(merchant, checkout, "payment", {**DEBIT, "transactionDueDate": day})


@given("the shopper is sent to EPS in the checkout", target_fixture="payment")
def redirect_in_checkout(merchant: Merchant, checkout: Answer) -> Answer:
    sent = {"paymentBrand": "EPS", RETURN_PARAMETER: RETURN_ADDRESS}
    return post(merchant, checkout, "payment", sent)


@when("the merchant reads what the receiver is called to read", target_fixture="answer")
def read_by_path(control: Control, merchant: Merchant, receiver: WebhookReceiver) -> Answer:
    control.drain(merchant.sandbox)
    (call,) = receiver.calls(1)
    (path,) = parse_qs(urlsplit(call.path).query)["resourcePath"]
    return merchant.client.get(path.removeprefix("/"))


@when("the merchant registers its receiver as webhook endpoint", target_fixture="endpoint")
def register_receiver(control: Control, merchant: Merchant, receiver: WebhookReceiver) -> Endpoint:
    return create_endpoint(control, merchant, receiver.url)


@when(
    parsers.re(r'the merchant registers an endpoint at "(?P<url>\S+)", where nothing listens'),
    target_fixture="endpoint",
)
def register_silent(control: Control, merchant: Merchant, url: str) -> Endpoint:
    return create_endpoint(control, merchant, url)


@when(
    parsers.re(r'the merchant registers "(?P<url>\S+)" as webhook endpoint'),
    target_fixture="refused",
)
def register_address(control: Control, merchant: Merchant, url: str) -> bool:
    try:
        control.create_webhook(merchant.sandbox, url, skip_activation=True)
    except ControlError as error:
        if error.status != BAD_REQUEST:
            raise
        return True
    return False


@when(
    parsers.parse("the merchant registers an address of {length:d} characters as webhook endpoint"),
    target_fixture="refused",
)
def register_long_address(
    control: Control, merchant: Merchant, receiver: WebhookReceiver, length: int
) -> bool:
    return register_address(control, merchant, f"{receiver.url}hook?order=".ljust(length, "4"))


@then(parsers.re(r"the endpoint is (?P<end>registered|refused)"))
def is_registered(refused: bool, judge: Judge, end: str) -> None:
    judge.same("whether it is refused", NO_ANSWER, expected=end == "refused", came=refused)


@then("the receiver gets a test message and the endpoint is active")
def is_activated(receiver: WebhookReceiver, endpoint: Endpoint, judge: Judge) -> None:
    (call,) = receiver.calls(1)
    came = (opened(call.headers, call.body, SECRET)["type"], endpoint["active"])
    judge.same(
        "type of the test message, and whether the endpoint is active",
        NO_ANSWER,
        expected=("test", True),
        came=came,
    )


@then("the endpoint is inactive")
def was_not_activated(endpoint: Endpoint, judge: Judge) -> None:
    judge.same("whether the endpoint is active", NO_ANSWER, expected=False, came=endpoint["active"])


@then(
    parsers.re(r"the receiver has received (?P<count>\d+) notifications?"),
    converters={"count": int},
)
def has_received(
    control: Control, merchant: Merchant, receiver: WebhookReceiver, judge: Judge, *, count: int
) -> None:
    control.drain(merchant.sandbox)
    came = [call.status for call in receiver.calls()]
    judge.same("calls of the receiver", NO_ANSWER, expected=count, came=len(came))


@then(
    parsers.re(r"the receiver has accepted (?P<count>\d+) notifications?"),
    converters={"count": int},
)
def has_accepted(
    control: Control, merchant: Merchant, receiver: WebhookReceiver, judge: Judge, *, count: int
) -> None:
    control.drain(merchant.sandbox)
    taken = {call.headers[EVENT_ID] for call in receiver.calls() if call.status == ACCEPTED}
    judge.same("accepted notifications", NO_ANSWER, expected=count, came=len(taken))


@then("all received notifications have the same event id")
def have_one_event_id(receiver: WebhookReceiver, judge: Judge) -> None:
    identities = {call.headers.get(EVENT_ID) for call in receiver.calls()}
    judge.same("event ids", NO_ANSWER, expected=1, came=len(identities - {None}))


@then("all received notifications have an initialization vector of their own")
def have_own_vectors(receiver: WebhookReceiver, judge: Judge) -> None:
    found = [call.headers.get(VECTOR) for call in receiver.calls()]
    is_anew = None not in found and len(found) == len(set(found))
    judge.holds("initialization vectors", NO_ANSWER, is_anew, expected="one each", came=str(found))


@then("the receiver gets one notification of the payment", target_fixture="notification")
def gets_one_notification(
    notified: NotificationInbox, answer: Answer, judge: Judge
) -> Mapping[str, Any]:
    came = notified.calls_about(answer.id)
    judge.same("notifications of the payment", answer, expected=1, came=len(came))
    return notified.opened(came[0])


@then("the notification is decrypted with the merchant's secret")
def is_decrypted(notification: Mapping[str, Any], judge: Judge) -> None:
    judge.same("a payload in the wrapper", NO_ANSWER, expected=True, came="payload" in notification)


@then("the received notification is of type PAYMENT and for the payment")
def is_for_payment(notification: Mapping[str, Any], answer: Answer, judge: Judge) -> None:
    wrapper = Answer(0, {}, notification)
    came = (wrapper.at("type"), wrapper.at("payload.id"))
    judge.same("type and id", answer, expected=("PAYMENT", answer.id), came=came)


@then("the received payload equals the response")
def equals_response(notification: Mapping[str, Any], answer: Answer, judge: Judge) -> None:
    payload = notification.get("payload") or {}
    came = {name: payload.get(name) for name in answer.body}
    if is_about_now(came.get("timestamp"), answer.body.get("timestamp")):
        # The one is of the answer, the other of the event.
        came["timestamp"] = answer.body["timestamp"]
    judge.same("members of the response", answer, expected=answer.body, came=came)


@then("the receiver is called with id and resourcePath of the payment")
def gets_callback(
    control: Control, merchant: Merchant, receiver: WebhookReceiver, payment: Answer, judge: Judge
) -> None:
    control.drain(merchant.sandbox)
    came = [(call.method, call.path) for call in receiver.calls()]
    query = f"order=4711&id={payment.id}&resourcePath=%2Fv1%2Fpayments%2F{payment.id}"
    judge.same("calls", payment, expected=[("GET", f"/result?{query}")], came=came)


def create_endpoint(control: Control, merchant: Merchant, url: str, **options: Any) -> Endpoint:
    """An endpoint of the scenario's sandbox at this address."""
    return control.create_webhook(merchant.sandbox, url, secret=SECRET, **options)

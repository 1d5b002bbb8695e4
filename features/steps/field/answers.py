"""Steps about responses that existing clients read: members, their order, and redirects."""

from urllib.parse import parse_qs, urlsplit

import pytest
from pytest_bdd import given, parsers, then, when

from features.spec.field import CARD_MEMBERS, PAYMENT_MEMBERS, RESOURCE_PATH
from features.steps.payments.checkouts import CHECKOUTS, cart, money, prepare
from features.steps.phrases import MONEY
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.shopper import Shopper
from simulator.client import Answer

PARAMETERS = {"merchantTransactionId": "abc123", "customParameters[order]": "7"}
REGISTERING = {"createRegistration": "true"}


@given(
    parsers.re(
        rf"a checkout for {MONEY} with a merchantTransactionId, a custom parameter and 2 cart items"
    ),
    target_fixture="checkout",
)
def create_detailed_checkout(merchant: Merchant, amount: str, currency: str) -> Answer:
    return prepare(merchant, {**money(amount, currency), **PARAMETERS, **cart(2)})


@given("the redirected shopper pays and returns", target_fixture="returned")
def return_shopper_before(shopper: Shopper, redirected: Answer) -> Answer:
    return shopper.choose(redirected.body["redirect"], "pays")


@then(parsers.re(r"(?P<name>[\w.]+) is the only parameter that is refused"))
def refuses_one_parameter(answer: Answer, judge: Judge, name: str) -> None:
    errors = [each.get("name") for each in answer.at("result.parameterErrors") or []]
    judge.same("status and errors", answer, expected=(400, [name]), came=(answer.status, errors))


@then("the response shows the referencedId of the payment")
def shows_reference(answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.same("referencedId", answer, expected=payment.id, came=answer.at("referencedId"))


@when("the merchant prepares a registration checkout", target_fixture="answer")
def prepare_registering(merchant: Merchant) -> Answer:
    return prepare(merchant, REGISTERING)


@when("the redirected shopper pays and returns", target_fixture="returned")
def return_shopper(shopper: Shopper, redirected: Answer) -> Answer:
    return shopper.choose(redirected.body["redirect"], "pays")


@when("the merchant reads the resourcePath of the return", target_fixture="answer")
def read_resource_path(merchant: Merchant, returned: Answer) -> Answer:
    return merchant.client.get(return_query(returned)["resourcePath"].removeprefix("/"))


@then("the response has the members of a payment in order")
def has_members_in_order(answer: Answer, judge: Judge) -> None:
    came = [name for name in answer.body if name in PAYMENT_MEMBERS]
    judge.same("members", answer, expected=list(PAYMENT_MEMBERS), came=came)


@then("the card has its five members")
def has_card_members(answer: Answer, judge: Judge) -> None:
    card = answer.at("card") or {}
    texts = {name for name, value in card.items() if value and isinstance(value, str)}
    judge.same("members of the card", answer, expected=CARD_MEMBERS, came=texts & CARD_MEMBERS)
    judge.same("non-empty members of the card", answer, expected=set(card), came=texts)


@then(parsers.re(r"the request id is the id of (?P<what>the checkout|the response)"))
def request_id_is(request: pytest.FixtureRequest, answer: Answer, judge: Judge, what: str) -> None:
    about = answer if what == "the response" else request.getfixturevalue("checkout")
    judge.same("ndc", answer, expected=about.id, came=answer.at("ndc"))


@then("the request id begins with the entity")
def request_id_begins(answer: Answer, merchant: Merchant, judge: Judge) -> None:
    came = str(answer.at("ndc")).partition("_")[0]
    judge.same("ndc", answer, expected=merchant.client.entity_id, came=came)


@then(parsers.re(r'the error of (?P<name>\S+) has the message "(?P<words>.+)"'))
def has_exact_message(answer: Answer, judge: Judge, name: str, words: str) -> None:
    messages = [each["message"] for each in answer.parameter_errors if each["name"] == name]
    judge.same(f"message of {name}", answer, expected=[words], came=messages)


@then("each error has a name, a value and a message, and nothing of the request is echoed")
def errors_have_form(answer: Answer, judge: Judge) -> None:
    shapes = [set(each) for each in answer.parameter_errors]
    wanted = {"name", "value", "message"}
    right = bool(shapes) and all(shape == wanted for shape in shapes)
    judge.same("errors with name, value and message", answer, expected=True, came=right)
    beside = set(answer.body) - {"result", "buildNumber", "timestamp", "ndc"}
    judge.same("members beside the result", answer, expected=set(), came=beside)


@then("the result description is")
def has_exact_description(answer: Answer, judge: Judge, docstring: str) -> None:
    judge.same("result description", answer, expected=docstring, came=answer.description)


@then("the shopper returns to the shop with id and resourcePath of the checkout")
def returns_with_checkout(returned: Answer, checkout: Answer, judge: Judge) -> None:
    came = return_query(returned)
    judge.same("id", NO_ANSWER, expected=checkout.id, came=came.get("id"))
    path = came.get("resourcePath")
    judge.form("resourcePath", NO_ANSWER, pattern=RESOURCE_PATH, came=path)
    judge.same("resourcePath", NO_ANSWER, expected=f"/{CHECKOUTS}/{checkout.id}/payment", came=path)


def return_query(returned: Answer) -> dict[str, str]:
    """The query parameters of the address that the shopper returns to."""
    query = parse_qs(urlsplit(returned.headers.get("location", "")).query)
    return {name: values[-1] for name, values in query.items()}

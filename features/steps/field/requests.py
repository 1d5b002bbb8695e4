"""Steps about requests of existing clients: paths, queries, forms and the older login."""

from base64 import b64encode
from collections.abc import Mapping, Sequence

import pytest
from pytest_bdd import parsers, then, when

from features.spec.field import CLOSING, CONTENT_TYPE
from features.steps.phrases import several
from features.support.assertions import Judge
from features.support.merchant import PAYMENTS, Merchant
from simulator.client import Answer, form_of

FORM = "application/x-www-form-urlencoded"
EARLIER = ("payment", "capture", "stored", "checkout", "schedule")
USER, PASSWORD = "authentication.userId", "authentication.password"
ENTITY = "authentication.entityId"
# Content type and body that a read or a deletion may have beside its query.
FORM_VARIANTS: Mapping[str, tuple[str | None, bytes | None]] = {
    "with the content type of a form": (FORM, None),
    "with an empty body": (FORM, b""),
    "with a form that says testMode=EXTERNAL": (FORM, b"testMode=EXTERNAL"),
}
VARIANT = rf"(?P<variant>{'|'.join(FORM_VARIANTS)})"


@when(parsers.re(r'the merchant posts to "/(?P<path>[^"]*)"'), target_fixture="answer")
def post_parameters(
    request: pytest.FixtureRequest,
    merchant: Merchant,
    path: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return merchant.client.post(fill_path(request, path), several(datatable))


@when(parsers.re(r'the merchant posts a debit to "/(?P<path>[^"]*)"'),
      target_fixture="answer")  # fmt: skip
def post_debit(merchant: Merchant, path: str) -> Answer:
    return merchant.client.post(path, merchant.debit)


@when(parsers.re(r'the merchant (?P<verb>GETs|DELETEs) "/(?P<path>[^"]*)"'),
      target_fixture="answer")  # fmt: skip
def request_with_entity(
    request: pytest.FixtureRequest, merchant: Merchant, verb: str, path: str
) -> Answer:
    return merchant.client.request(verb[:-1], add_entity(merchant, fill_path(request, path)))


@when(
    parsers.re(rf'the merchant (?P<verb>GETs|DELETEs) "/(?P<path>[^"]*)" {VARIANT}'),
    target_fixture="answer",
)
def request_with_form(
    request: pytest.FixtureRequest, merchant: Merchant, verb: str, path: str, *, variant: str
) -> Answer:
    kind, body = FORM_VARIANTS[variant]
    full = add_entity(merchant, fill_path(request, path))
    return merchant.client.request(verb[:-1], full, headers={"Content-Type": kind}, body=body)


@when(
    parsers.re(
        r"the merchant sends a debit and repeats (?P<name>\S+) in the (?P<place>body|query)"
    ),
    target_fixture="answer",
)
def send_repeating(merchant: Merchant, name: str, place: str) -> Answer:
    sent = {"entityId": merchant.client.entity_id, **merchant.debit}
    again = form_of({name: sent[name]}).decode()
    path = PAYMENTS if place == "body" else f"{PAYMENTS}?{again}"
    parameters = [*sent.items(), *([(name, sent[name])] if place == "body" else [])]
    return merchant.client.request("POST", path, body=form_of(parameters))


@when(
    parsers.re(
        r'the merchant sends a debit and repeats (?P<name>\S+) with the value "(?P<value>.*)"'
    ),
    target_fixture="answer",
)
def send_contradicting(merchant: Merchant, name: str, value: str) -> Answer:
    return merchant.client.post(PAYMENTS, [*merchant.debit.items(), (name, value)])


@when(
    parsers.re(
        r'the merchant sends a debit with (?P<name>\S+) "(?P<first>.*)" and again with '
        r'"(?P<second>.*)"'
    ),
    target_fixture="answer",
)
def send_twice(merchant: Merchant, name: str, first: str, second: str) -> Answer:
    return merchant.client.post(PAYMENTS, [*merchant.debit.items(), (name, first), (name, second)])


@when("a payment is posted with the older login", target_fixture="answer")
def post_with_login(merchant: Merchant) -> Answer:
    return pay_with_login(merchant, merchant.entity, merchant.client.token)


@when(parsers.re('a payment is posted with the older login, the (?P<part>user|password) wrong'),
      target_fixture="answer")  # fmt: skip
def post_with_wrong_login(merchant: Merchant, part: str) -> Answer:
    right = {"user": merchant.entity, "password": merchant.client.token}
    return pay_with_login(merchant, *{**right, part: "8" * 32}.values())


@when("a payment is posted with both parts of the older login as a token", target_fixture="answer")
def post_with_login_as_token(merchant: Merchant) -> Answer:
    login = f"{merchant.entity}|{merchant.client.token}"
    return merchant.presenting(f"Bearer {b64encode(login.encode()).decode()}", merchant.debit)


@when("the payment is read with the older login in the query", target_fixture="answer")
def read_with_login(merchant: Merchant, payment: Answer) -> Answer:
    query = form_of(login_parameters(merchant, merchant.entity, merchant.client.token)).decode()
    path = f"{PAYMENTS}/{payment.id}?{query}"
    return merchant.client.request("GET", path, headers={"Authorization": None})


@then("the response ends with buildNumber, timestamp and ndc")
def ends_with_trailer(answer: Answer, judge: Judge) -> None:
    missing = [path for path in CLOSING if not answer.at(path)]
    judge.same("missing members of the trailer", answer, expected=[], came=missing)


@then("the response is declared as JSON in UTF-8 and is not chunked")
def is_not_chunked(answer: Answer, judge: Judge) -> None:
    came = answer.headers.get("content-type"), "transfer-encoding" in answer.headers
    judge.same(
        "content type, and whether it is chunked", answer, expected=(CONTENT_TYPE, False), came=came
    )


def fill_path(request: pytest.FixtureRequest, path: str) -> str:
    """A path with {payment} and the like replaced by the ids of earlier responses."""
    for name in EARLIER:
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", request.getfixturevalue(name).id)
    return path


def add_entity(merchant: Merchant, path: str) -> str:
    """A path with the entity id in its query."""
    sign = "&" if "?" in path else "?"
    return f"{path}{sign}entityId={merchant.client.entity_id}"


def pay_with_login(merchant: Merchant, user: str, password: str) -> Answer:
    """The response to a payment with the older login and without a header."""
    body = form_of({**merchant.debit, **login_parameters(merchant, user, password)})
    return merchant.client.request("POST", PAYMENTS, headers={"Authorization": None}, body=body)


def login_parameters(merchant: Merchant, user: str, password: str) -> dict[str, str]:
    """The three parameters of the older login."""
    return {ENTITY: merchant.client.entity_id, USER: user, PASSWORD: password}

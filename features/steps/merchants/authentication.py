"""Steps about authentication: tokens, entities, and other merchants."""

from collections.abc import Callable, Mapping

from pytest_bdd import given, parsers, then, when

from features.spec.results import is_refusal
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import PAYMENTS, Merchant
from simulator.client import Answer, form_of

DEBITS = rf"the merchant debits {MONEY}"
CHANGED: Mapping[str, Callable[[str], str]] = {
    "and one character more": lambda token: f"{token}a",
    "in other letters": str.swapcase,
    "twice in a row": lambda token: f"{token}{token}",
    "without its first character": lambda token: token[1:],
    "without the last character": lambda token: token[:-1],
}


@when(parsers.re(rf"{DEBITS} without any credentials"), target_fixture="answer")
def pay_anonymously(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.presenting(None, merchant.by_card("DB", amount, currency))


@when("the merchant reads it without any credentials", target_fixture="answer")
def read_anonymously(merchant: Merchant, payment: Answer) -> Answer:
    path = f"{PAYMENTS}/{payment.id}?entityId={merchant.client.entity_id}"
    return merchant.client.request("GET", path, headers={"Authorization": None})


@when(parsers.re(rf'{DEBITS} with the credentials "(?P<credentials>.*)"'), target_fixture="answer")
def pay_with_credentials(
    merchant: Merchant, amount: str, currency: str, *, credentials: str
) -> Answer:
    return merchant.presenting(credentials, merchant.by_card("DB", amount, currency))


@when(parsers.re(rf'{DEBITS} with the token "(?P<token>\S+)"'), target_fixture="answer")
def pay_with_token(merchant: Merchant, amount: str, currency: str, *, token: str) -> Answer:
    return merchant.with_token(token).pay_by_card("DB", amount, currency)


@when(
    parsers.re(rf"{DEBITS} with its token (?P<changed>{'|'.join(CHANGED)})"),
    target_fixture="answer",
)
def pay_with_changed_token(
    merchant: Merchant, amount: str, currency: str, *, changed: str
) -> Answer:
    token = CHANGED[changed](merchant.client.token)
    return merchant.with_token(token).pay_by_card("DB", amount, currency)


@when(
    parsers.re(rf'{DEBITS} with its token under the scheme "(?P<scheme>.+)"'),
    target_fixture="answer",
)
def pay_under_scheme(merchant: Merchant, amount: str, currency: str, *, scheme: str) -> Answer:
    credentials = f"{scheme} {merchant.client.token}"
    return merchant.presenting(credentials, merchant.by_card("DB", amount, currency))


@when(
    parsers.re(rf"{DEBITS} with its token only as parameter (?P<name>\S+)"), target_fixture="answer"
)
def pay_with_token_as_parameter(
    merchant: Merchant, amount: str, currency: str, *, name: str
) -> Answer:
    token = {name: merchant.client.token}
    return merchant.presenting(None, merchant.by_card("DB", amount, currency, token))


@when(parsers.re(rf'{DEBITS} for the entity "(?P<entity>\S+)"'), target_fixture="answer")
def pay_for_entity(merchant: Merchant, amount: str, currency: str, *, entity: str) -> Answer:
    return merchant.naming(entity).pay_by_card("DB", amount, currency)


@when(parsers.re(rf"{DEBITS} without an entity id"), target_fixture="answer")
def pay_without_entity(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.client.request(
        "POST", PAYMENTS, body=form_of(merchant.by_card("DB", amount, currency))
    )


@when(
    parsers.re(rf"{DEBITS} with authentication.entityId instead of entityId"),
    target_fixture="answer",
)
def pay_with_older_entity_name(merchant: Merchant, amount: str, currency: str) -> Answer:
    entity = {"authentication.entityId": merchant.client.entity_id}
    body = form_of(merchant.by_card("DB", amount, currency, entity))
    return merchant.client.request("POST", PAYMENTS, body=body)


@given("two merchants of one sandbox", target_fixture="merchant")
def open_two_merchants(two_merchants: list[Merchant]) -> Merchant:
    return two_merchants[0]


@given(parsers.re(rf"the other merchant tries to capture {MONEY} of it"), target_fixture="attempt")
def other_merchant_tries(
    two_merchants: list[Merchant], payment: Answer, amount: str, currency: str
) -> Answer:
    return two_merchants[1].refer(payment.id, "CP", amount=amount, currency=currency)


@when(parsers.re(rf"{DEBITS} for the entity of the other merchant"), target_fixture="answer")
def pay_for_other_entity(two_merchants: list[Merchant], amount: str, currency: str) -> Answer:
    merchant, other = two_merchants
    return merchant.naming(other.client.entity_id).pay_by_card("DB", amount, currency)


@when("the other merchant reads it", target_fixture="answer")
def other_merchant_reads(two_merchants: list[Merchant], payment: Answer) -> Answer:
    return two_merchants[1].read(payment.id)


@when(parsers.re(rf"the other merchant captures {MONEY} of it"), target_fixture="answer")
def other_merchant_captures(
    two_merchants: list[Merchant], payment: Answer, amount: str, currency: str
) -> Answer:
    return two_merchants[1].refer(payment.id, "CP", amount=amount, currency=currency)


@when("the other merchant reverses it", target_fixture="answer")
def other_merchant_reverses(two_merchants: list[Merchant], payment: Answer) -> Answer:
    return two_merchants[1].refer(payment.id, "RV")


@when("a merchant of another sandbox reads it", target_fixture="answer")
def foreign_merchant_reads(foreign_merchant: Merchant, payment: Answer) -> Answer:
    return foreign_merchant.read(payment.id)


@then("the credentials are refused as missing or malformed")
def refused_as_malformed(answer: Answer, judge: Judge) -> None:
    refused_with_status(answer, judge, 401)


@then("the credentials are refused as unknown")
def refused_as_unknown(answer: Answer, judge: Judge) -> None:
    refused_with_status(answer, judge, 403)


def refused_with_status(answer: Answer, judge: Judge, status: int) -> None:
    """The request was refused with this status and a result code of a refusal."""
    judge.holds(
        "result of the refusal",
        answer,
        answer.status == status and is_refusal(answer.code),
        expected=f"status {status} and a result code that is neither a success nor pending",
        came=f"status {answer.status}, {answer.code}",
    )

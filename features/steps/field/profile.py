"""Steps about requests of existing clients, and about sandboxes with other decisions."""

from collections.abc import Sequence

from pytest_bdd import given, parsers, then, when

from features.spec.results import is_review
from features.steps.phrases import MONEY, several
from features.support.assertions import Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops
from simulator.client import Answer


@given(parsers.re(r'a merchant whose sandbox sets (?P<number>D-\d+) to "(?P<value>\w+)"'),
       target_fixture="merchant")  # fmt: skip
def open_merchant_with_decision(open_shops: OpenShops, number: str, value: str) -> Merchant:
    return open_shops(overrides={number: value})[0]


@given(parsers.re(rf'an authorized payment of {MONEY} with the reference "(?P<reference>\w+)"'),
       target_fixture="payment")  # fmt: skip
def authorize_with_reference(
    merchant: Merchant, amount: str, currency: str, *, reference: str
) -> Answer:
    return merchant.pay_by_card("PA", amount, currency, {"merchantTransactionId": reference})


@when("the merchant sends a debit with", target_fixture="answer")
def send_debit(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return merchant.pay({**merchant.debit, **several(datatable)})


@when("the merchant sends a payment with only these parameters", target_fixture="answer")
def send_only(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return merchant.pay(several(datatable))


@when("the merchant sends a debit without a brand", target_fixture="answer")
def send_debit_without_brand(merchant: Merchant) -> Answer:
    return merchant.pay({**merchant.debit, "paymentBrand": ""})


@when(
    parsers.re(rf'the merchant captures {MONEY} of it with the reference "(?P<reference>\w+)"'),
    target_fixture="answer",
)
def capture_with_reference(
    merchant: Merchant, payment: Answer, amount: str, currency: str, *, reference: str
) -> Answer:
    more = {"merchantTransactionId": reference}
    return merchant.refer(payment.id, "CP", amount=amount, currency=currency, **more)


@then("the payment succeeds with a manual review")
def succeeds_with_review(answer: Answer, judge: Judge) -> None:
    judge.holds(
        "result of the payment",
        answer,
        answer.status == 200 and is_review(answer.code),
        expected="200 and a success with a manual review",
        came=f"status {answer.status}, {answer.code}",
    )

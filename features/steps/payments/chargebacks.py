"""Steps about chargebacks: those a merchant submits, and returns by an issuer."""

import pytest
from pytest_bdd import given, parsers, when

from features.steps.payments.payments import earlier_answer
from features.steps.phrases import MONEY, Script, behaviour
from features.support.merchant import Merchant
from simulator.client import Answer, Control

REASON = "chargebackResultCode"


@given(parsers.re(rf"a chargeback of {MONEY} of it"), target_fixture="chargeback")
def charge_back_before(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "CB", amount=amount, currency=currency)


@given(parsers.re(rf"the capture is charged back by {MONEY}"), target_fixture="chargeback")
def charge_back_capture(merchant: Merchant, capture: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(capture.id, "CB", amount=amount, currency=currency)


@given("the chargeback reversal is charged back", target_fixture="chargeback")
def charge_back_reversal(merchant: Merchant, chargeback_reversal: Answer) -> Answer:
    return merchant.refer(chargeback_reversal.id, "CB")


@given("the chargeback is reversed", target_fixture="chargeback_reversal")
def reverse_before(merchant: Merchant, chargeback: Answer) -> Answer:
    return merchant.refer(chargeback.id, "CR")


@given(
    parsers.parse(
        "the acquirer approves 1 payment that is returned after {days:d} days for {code}"
    ),
    target_fixture="script",
)
def approve_then_return(control: Control, merchant: Merchant, days: int, code: str) -> Script:
    steps = {"approve": {"returned": {"days": days, "code": code}}}
    return control.arm_script(merchant.sandbox, behaviour("returned-later", steps), times=1)


@when(
    parsers.re(r"the merchant submits a chargeback of (?P<what>it|the capture)$"),
    target_fixture="answer",
)
def charge_back(request: pytest.FixtureRequest, merchant: Merchant, what: str) -> Answer:
    return merchant.refer(earlier_answer(request, what).id, "CB")


@when(
    parsers.re(
        r"the merchant submits a chargeback of (?P<what>it|the capture|the chargeback reversal)"
        r" for (?P<reason>\S+)"
    ),
    target_fixture="answer",
)
def charge_back_with_reason(
    request: pytest.FixtureRequest, merchant: Merchant, what: str, reason: str
) -> Answer:
    return merchant.refer(earlier_answer(request, what).id, "CB", **{REASON: reason})


@when(parsers.re(rf"the merchant submits a chargeback of {MONEY} of it"), target_fixture="answer")
def charge_back_part(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "CB", amount=amount, currency=currency)


@when("the merchant submits a chargeback of the chargeback reversal", target_fixture="answer")
def charge_back_again(merchant: Merchant, chargeback_reversal: Answer) -> Answer:
    return merchant.refer(chargeback_reversal.id, "CB")


@when("the merchant submits a reversal of the chargeback", target_fixture="answer")
def reverse_chargeback(merchant: Merchant, chargeback: Answer) -> Answer:
    return merchant.refer(chargeback.id, "CR")


@when("the merchant submits a chargeback reversal of it", target_fixture="answer")
def reverse_missing_chargeback(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.refer(payment.id, "CR")

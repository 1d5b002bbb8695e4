"""Steps about the risk system and its risk checks."""

import re
from typing import Any

from pytest_bdd import given, parsers, then, when

from features.spec.results import is_success
from features.steps.payments.three_d_secure import card_of
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

SCREENING = "v1/risk"
SCORE = re.compile(r"[+-]?[0-9]{1,5}")


@given(parsers.parse("the risk system denies every payment with {code} and the score {score:d}"))
def deny_all(control: Control, merchant: Merchant, code: str, score: int) -> None:
    arm(control, merchant, {"decline": code, "score": score})


@given(parsers.parse("the risk system accepts every payment with the score {score:d}"))
def accept_all(control: Control, merchant: Merchant, score: int) -> None:
    arm(control, merchant, {"score": score})


@given(parsers.parse("the risk system denies payments over {amount}"))
def deny_over(control: Control, merchant: Merchant, amount: str) -> None:
    arm(control, merchant, {"amount": {"over": amount}})


@given(parsers.parse("the risk system denies the brand {brand} with {code}"))
def deny_brand(control: Control, merchant: Merchant, brand: str, code: str) -> None:
    arm(control, merchant, {"decline": code}, brand=brand)


@given(parsers.parse("the risk system accepts {count:d} payment an hour from an account"))
def limit_velocity(control: Control, merchant: Merchant, count: int) -> None:
    arm(control, merchant, {"velocity": {"by": "account", "payments": count, "seconds": 3600}})


@when(parsers.re(rf"the merchant requests a risk check of {MONEY}"), target_fixture="answer")
def check_risk(merchant: Merchant, amount: str, currency: str) -> Answer:
    sent = {"amount": amount, "currency": currency, **merchant.card}
    return merchant.client.post(SCREENING, sent)


@when(
    parsers.re(
        rf"the merchant requests a risk check of {MONEY} by the (?P<brand>[A-Z]+) card "
        r"(?P<number>\d+)"
    ),
    target_fixture="answer",
)
def check_risk_of_brand(
    merchant: Merchant, amount: str, currency: str, *, brand: str, number: str
) -> Answer:
    card = {**merchant.card, **card_of(brand), "card.number": number}
    return merchant.client.post(SCREENING, {"amount": amount, "currency": currency, **card})


@then("the risk check succeeds")
def check_succeeds(answer: Answer, judge: Judge) -> None:
    judge.holds(
        "result of the risk check",
        answer,
        answer.status == 200 and is_success(answer.code),
        expected="a success",
        came=f"status {answer.status}, {answer.code}",
    )


@then("the risk score is between -99999 and +99999")
def has_score(answer: Answer, judge: Judge) -> None:
    came = answer.at("risk.score")
    judge.holds(
        "risk.score",
        answer,
        isinstance(came, str) and SCORE.fullmatch(came) is not None,
        expected="a number of at most five digits, with or without a sign",
        came=str(came),
    )


def arm(control: Control, merchant: Merchant, steps: dict[str, Any], **match: str) -> None:
    """Arm a script of the risk system."""
    control.arm_script(merchant.sandbox, {"steps": {"risk": steps}}, match=match)

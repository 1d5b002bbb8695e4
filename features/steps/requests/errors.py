"""Steps about refusals: the parameters they name, and their messages."""

from collections.abc import Mapping
from typing import Any

from pytest_bdd import parsers, then, when

from features.spec.results import MALFORMED
from features.spec.tables import result_codes
from features.steps.phrases import outcome_of
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from simulator.client import Answer

FORCED = "customParameters[forceResultCode]"
# Groups of codes that no payment ends with at once.
NOT_FINAL = frozenset({"pending", "pending_delayed", "chargeback", "success_rating_legacy"})
TAKEN = frozenset({"success", "success_manual_review"})
OUTCOMES: Mapping[str, bool] = {"final": True, "other": False}


@when(
    parsers.re(r"the merchant debits once with each (?P<kind>final|other) result code of the list"),
    target_fixture="by_code",
)
def debit_with_codes(merchant: Merchant, kind: str) -> dict[str, Answer]:
    codes = [code for code, group in result_codes().items()
             if (group not in NOT_FINAL) is OUTCOMES[kind]]  # fmt: skip
    return {code: merchant.pay_by_card("DB", "92.00", "EUR", {FORCED: code}) for code in codes}


@then("each payment ends with its code and words of its own")
def end_with_codes(by_code: Mapping[str, Answer], judge: Judge) -> None:
    groups = result_codes()
    came = {code: (*outcome_of(answer), bool(answer.reason)) for code, answer in by_code.items()}
    expected = {code: (200 if groups[code] in TAKEN else 400, code, True) for code in by_code}
    wrong = {code: each for code, each in came.items() if each != expected[code]}
    judge.same("payments that end otherwise", NO_ANSWER, expected={}, came=wrong)


@then(parsers.re(r"each payment is refused with (?P<code>[0-9.]+)"))
def refused_with(by_code: Mapping[str, Answer], judge: Judge, code: str) -> None:
    came = {each: outcome_of(answer) for each, answer in by_code.items()}
    expected = dict.fromkeys(by_code, (400, code))
    judge.same("refusals", NO_ANSWER, expected=expected, came=came)


@then("the request is refused as malformed")
def refused_as_malformed(answer: Answer, judge: Judge) -> None:
    judge.same("result of the refusal", answer, expected=(400, MALFORMED), came=outcome_of(answer))


@then(parsers.re(r"the request is refused, naming (?P<names>(?!one of).+)"))
def refused_naming(answer: Answer, judge: Judge, names: str) -> None:
    wanted = (400, MALFORMED, set(names.split(", ")))
    came = (*outcome_of(answer), named_parameters(answer))
    holds = came[:2] == wanted[:2] and wanted[2] <= came[2]
    judge.holds("result and names", answer, holds, expected=str(wanted), came=str(came))


@then(parsers.parse("the request is refused, naming one of {names}"))
def refused_naming_one(answer: Answer, judge: Judge, names: str) -> None:
    wanted = (400, MALFORMED, set(names.split(", ")))
    came = (*outcome_of(answer), named_parameters(answer))
    holds = came[:2] == wanted[:2] and bool(wanted[2] & came[2])
    judge.holds("result and names", answer, holds, expected=f"one of {wanted}", came=str(came))


@then(parsers.re(r'the error of (?P<name>\S+) shows the value "(?P<value>.*)"'))
def shows_value(answer: Answer, judge: Judge, name: str, value: str) -> None:
    judge.same(f"value of {name}", answer, expected=value, came=error_of(answer, name).get("value"))


@when(
    parsers.re(
        r"the merchant debits 92.00 EUR with (?P<name>\S+) of (?P<letters>\d+) letters and"
        r" (?P<digits>\d+) digits"
    ),
    converters={"letters": int, "digits": int},
    target_fixture="answer",
)
def debit_with_long_value(merchant: Merchant, name: str, letters: int, digits: int) -> Answer:
    value = "E" * letters + "9" * digits
    return merchant.pay_by_card("DB", "92.00", "EUR", {name: value})


@then(parsers.re(r"the error of (?P<name>\S+) shows the first (?P<letters>\d+) letters alone"),
      converters={"letters": int})  # fmt: skip
def shows_letters(answer: Answer, judge: Judge, name: str, letters: int) -> None:
    came = error_of(answer, name).get("value")
    judge.same(f"value of {name}", answer, expected="E" * letters, came=came)


@then(parsers.re(r"the error of (?P<name>\S+) shows no value"))
def shows_no_value(answer: Answer, judge: Judge, name: str) -> None:
    judge.same(f"value of {name}", answer, expected=None, came=error_of(answer, name).get("value"))


@then(parsers.re(r'the error of (?P<name>\S+) has a message with "(?P<words>.+)"'))
def has_message(answer: Answer, judge: Judge, name: str, words: str) -> None:
    message = str(error_of(answer, name).get("message"))
    judge.wording(f"message of {name}", answer, words=words, came=message)


def named_parameters(answer: Answer) -> set[str]:
    """The parameters a refusal names."""
    return {str(error.get("name")) for error in answer.parameter_errors}


def error_of(answer: Answer, name: str) -> Mapping[str, Any]:
    """The error of one parameter; empty where there is none."""
    return next((error for error in answer.parameter_errors if error.get("name") == name), {})

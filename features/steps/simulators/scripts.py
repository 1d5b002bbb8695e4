"""Steps about scripts, by which a tester decides the outcome of payments."""

from http.client import HTTPException

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import Script, behaviour
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops
from simulator.client import Control

NEW_PAYMENT = {"operation": "create_payment"}


@given(parsers.parse("the acquirer declines every payment with {code}"), target_fixture="script")
def decline_all(control: Control, merchant: Merchant, code: str) -> Script:
    return control.arm_script(merchant.sandbox, declining_behaviour(code))


@given(
    parsers.parse("the acquirer declines {times:d} payment with {code}"), target_fixture="script"
)
def decline_some(control: Control, merchant: Merchant, times: int, code: str) -> Script:
    return control.arm_script(merchant.sandbox, declining_behaviour(code), times=times)


@given(
    parsers.parse("the acquirer declines payments of {amount} EUR with {code}"),
    target_fixture="script",
)
def decline_amount(control: Control, merchant: Merchant, amount: str, code: str) -> Script:
    return control.arm_script(merchant.sandbox, declining_behaviour(code), match={"amount": amount})


@given(
    parsers.parse("the acquirer fails {times:d} times with {code} and then approves"),
    target_fixture="script",
)
def fail_then_approve(control: Control, merchant: Merchant, times: int, code: str) -> Script:
    steps = {"decline": {"code": code}, "fail_times": times, "then": {"approve": {}}}
    return control.arm_script(merchant.sandbox, behaviour("fails-then-approves", steps))


@given(
    parsers.parse("the acquirer returns {avs} for the address and {cvv} for the security code"),
    target_fixture="script",
)
def return_checks(control: Control, merchant: Merchant, avs: str, cvv: str) -> Script:
    steps = {"approve": {"avs": avs, "cvv": cvv}}
    return control.arm_script(merchant.sandbox, behaviour("answers-checks", steps))


@given(
    parsers.re(
        r"the acquirer returns (?P<letter>[A-Z]) for the (?P<check>address|security code) alone"
    ),
    target_fixture="script",
)
def return_one_check(control: Control, merchant: Merchant, letter: str, check: str) -> Script:
    steps = {"approve": {"avs" if check == "address" else "cvv": letter}}
    return control.arm_script(merchant.sandbox, behaviour("answers-one-check", steps))


@given(parsers.parse("the acquirer leaves {times:d} payment pending"), target_fixture="script")
def leave_pending(control: Control, merchant: Merchant, times: int) -> Script:
    return control.arm_script(merchant.sandbox, "pending", times=times)


@given("the acquirer approves 1 payment after a minute", target_fixture="script")
def approve_later(control: Control, merchant: Merchant) -> Script:
    return control.arm_script(merchant.sandbox, "pending-then-approved", times=1)


@given("the acquirer declines 1 payment after a minute", target_fixture="script")
def decline_later(control: Control, merchant: Merchant) -> Script:
    return control.arm_script(merchant.sandbox, "pending-then-declined", times=1)


@given(parsers.parse("the acquirer takes {seconds:d} second to approve"), target_fixture="script")
def approve_slowly(control: Control, merchant: Merchant, seconds: int) -> Script:
    steps = {"approve": {}, "latency": {"fixed": {"seconds": seconds}}}
    return control.arm_script(merchant.sandbox, behaviour("approves-slowly", steps))


@given("a script of another sandbox that declines every payment", target_fixture="script")
def decline_in_another_sandbox(control: Control, open_shops: OpenShops) -> Script:
    return control.arm_script(open_shops()[0].sandbox, declining_behaviour("800.100.155"))


@given("the answer to the next payment is lost", target_fixture="script")
def lose_answer(control: Control, merchant: Merchant) -> Script:
    return control.arm_script(merchant.sandbox, "connection-reset", match=NEW_PAYMENT, times=1)


@given("the next payment does not arrive", target_fixture="script")
def lose_payment(control: Control, merchant: Merchant) -> Script:
    name = "connection-reset-before"
    return control.arm_script(merchant.sandbox, name, match=NEW_PAYMENT, times=1)


@given(parsers.parse('a debit with the reference "{reference}" that is not answered'))
def debit_in_vain(merchant: Merchant, judge: Judge, reference: str) -> None:
    merchant = merchant.on_own_connection()
    try:
        came = merchant.pay_by_card("DB", "92.00", "EUR", {"merchantTransactionId": reference})
    except (OSError, HTTPException):
        came = NO_ANSWER
    finally:
        merchant.client.close()
    judge.same("status of the answer", came, expected=NO_ANSWER.status, came=came.status)


@given("the script is removed")
def remove_script(control: Control, merchant: Merchant, script: Script) -> None:
    control.disarm_script(merchant.sandbox, script["id"])


@given("the sandbox is reset")
def reset_sandbox(control: Control, merchant: Merchant) -> None:
    control.reset(merchant.sandbox)


@when("the tester reads the script", target_fixture="report")
def read_script(control: Control, merchant: Merchant, script: Script) -> Script:
    return control.script(merchant.sandbox, script["id"])


@then(parsers.re(r"the script matched (?P<times>\d+) times?"), converters={"times": int})
def has_matched(report: Script, judge: Judge, times: int) -> None:
    judge.same("matches of the script", NO_ANSWER, expected=times, came=report["matched"])


@then("the script reports a near miss")
def has_near_miss(report: Script, judge: Judge) -> None:
    judge.no_member("near misses", NO_ANSWER, banned=0, came=[len(report["near_misses"])])


def declining_behaviour(code: str) -> Script:
    """A behaviour that declines with a code."""
    return behaviour("declines", {"decline": {"code": code}})

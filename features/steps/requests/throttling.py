"""Steps about throttling: the requests a merchant may send in a minute, and the response beyond."""

from collections.abc import Mapping
from typing import Any

from pytest_bdd import given, parsers, then, when

from features.spec.results import TOO_MANY_REQUESTS, is_success
from features.steps.payments.payments import at_once
from features.steps.phrases import MONEY
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops
from simulator.client import Answer, Control

Answers = list[Answer]

# The sandbox clock is frozen, so that no minute ends during a scenario.
AT_HALF_PAST = {"mode": "frozen", "at": "2027-01-31T12:00:30Z"}
MAKES = r"a merchant limited to (?P<limit>\d+) payments? a minute"
THROTTLED = {(429, TOO_MANY_REQUESTS), (400, TOO_MANY_REQUESTS)}


@given(parsers.re(rf"{MAKES}(, at half past the minute)?"), target_fixture="merchant")
def open_limited_merchant(limited_merchant: OpenShops, limit: str) -> Merchant:
    name, throttle = f"limited-to-{limit}-payments-a-minute", payments_a_minute(limit)
    return limited_merchant(name, clock=AT_HALF_PAST, throttle=throttle)[0]


@given(parsers.re(rf"{MAKES}, and (?P<live_limit>\d+) on the live host"), target_fixture="merchant")
def open_merchant_limited_on_both_hosts(
    open_shops: OpenShops, limit: str, live_limit: str
) -> Merchant:
    tables = {"throttle": limit, "live_throttle": live_limit}
    options = {host: payments_a_minute(each) for host, each in tables.items()}
    return open_shops(clock=AT_HALF_PAST, **options)[0]


@given("a merchant limited to 1 request of every operation a minute", target_fixture="merchant")
def open_merchant_limited_everywhere(open_shops: OpenShops) -> Merchant:
    return open_shops(clock=AT_HALF_PAST, throttle=a_minute("*", "1", scope="merchant"))[0]


@given(parsers.re(r"both merchants are limited to (?P<limit>\d+) payments? a minute"))
def limit_both_merchants(control: Control, merchant: Merchant, limit: str) -> None:
    control.set_throttles(merchant.sandbox, throttle=payments_a_minute(limit))


@given(
    parsers.re(r"a merchant limited to reading each payment (?P<limit>\d+) times? a minute"),
    target_fixture="merchant",
)
def open_merchant_limited_in_reads(open_shops: OpenShops, limit: str) -> Merchant:
    reads = a_minute("read_payment", limit, scope="object")
    return open_shops(clock=AT_HALF_PAST, throttle=reads)[0]


@given("a merchant with the limits of profile field", target_fixture="merchant")
def open_merchant_with_field_limits(open_shops: OpenShops) -> Merchant:
    return open_shops(clock=AT_HALF_PAST, throttle="field")[0]


@given("the tester lifts the limits")
def lift_limits(control: Control, merchant: Merchant) -> None:
    control.set_throttles(merchant.sandbox, throttle="off")


@given("it is read", target_fixture="reading")
def read_before(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.read(payment.id)


@given(
    parsers.parse("the merchant has tried to send {count:d} payments at once"),
    target_fixture="tried",
)
def has_tried(merchant: Merchant, count: int) -> Answers:
    return pay_at_once(merchant, count)


@given(parsers.re(rf"the merchant has tried to debit {MONEY}"), target_fixture="tried")
def has_tried_one(merchant: Merchant, amount: str, currency: str) -> Answers:
    return [merchant.pay_by_card("DB", amount, currency)]


@given(
    parsers.parse("the other merchant has tried to send {count:d} payments at once"),
    target_fixture="tried",
)
def other_merchant_has_tried(two_merchants: list[Merchant], count: int) -> Answers:
    return pay_at_once(two_merchants[1], count)


@when(parsers.parse("the merchant sends {count:d} payments at once"), target_fixture="answers")
def send_at_once(merchant: Merchant, count: int) -> Answers:
    return pay_at_once(merchant, count)


@when(
    parsers.parse("the merchant sends {count:d} payments at once on the live host"),
    target_fixture="answers",
)
def send_at_once_live(live: Merchant, count: int) -> Answers:
    return pay_at_once(live, count)


@then(parsers.parse("{count:d} of them succeed and the others are throttled"))
def some_succeed(answers: Answers, judge: Judge, count: int) -> None:
    succeeded = sum(each.status == 200 and is_success(each.code) for each in answers)
    throttled = sum((each.status, each.code) in THROTTLED for each in answers)
    judge.same(
        "succeeded and throttled requests",
        NO_ANSWER,
        expected=(count, len(answers) - count),
        came=(succeeded, throttled),
    )


@then("the request is throttled")
def is_throttled(answer: Answer, judge: Judge) -> None:
    judge.member("status and code", answer, expected=(answer.status, answer.code), came=THROTTLED)


@then("the result description says too many requests and to retry later")
def has_description(answer: Answer, judge: Judge) -> None:
    pattern = r"(?is).*too many requests.*(retry|try again).*later.*"
    judge.form("result.description", answer, pattern=pattern, came=answer.description)


def pay_at_once(merchant: Merchant, count: int) -> Answers:
    """The responses to debits sent at once, each over its own connection."""
    return at_once(merchant, count, lambda alone: alone.pay_by_card("DB", "92.00", "EUR"))


def payments_a_minute(limit: str) -> Mapping[str, Any]:
    """The table of one limit: so many payments a merchant and minute."""
    return a_minute("create_payment", limit, scope="merchant")


def a_minute(operation: str, limit: str, *, scope: str) -> Mapping[str, Any]:
    """The table of one limit a minute."""
    row = {"operation": operation, "scope": scope, "limit": int(limit), "window_s": 60}
    return {"name": "of a scenario", "limits": [row]}

"""Steps about payments: creating, capturing, refunding, reversing and reading them."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_bdd import given, parsers, then, when

from features.spec.results import is_pending, is_refusal, is_success
from features.steps.phrases import MONEY, PAYS, TYPES
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

DECLINE = "800.100.152"
FORCED = "customParameters[forceResultCode]"
UNKNOWN_ID = "8a8294174b7ecb28014b9699220015ca"
CONNECTIONS = 16
CHANGED: Mapping[str, Callable[[str], str]] = {
    "in other letters": str.swapcase,
    "without its last character": lambda identity: identity[:-1],
    "and one character more": lambda identity: f"{identity}0",
    "in another order": lambda identity: identity[::-1],
}


@given(
    parsers.re(rf"(?P<what>an authorized payment|a debit|a credit) of {MONEY}"),
    target_fixture="payment",
)
def pay_before(merchant: Merchant, what: str, amount: str, currency: str) -> Answer:
    return merchant.pay_by_card(TYPES[what], amount, currency)


@given(
    parsers.re(rf'a debit of {MONEY} with (?P<name>\S+) "(?P<value>.*)"'), target_fixture="payment"
)
def debit_with_parameter(
    merchant: Merchant, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {name: value})


@given(parsers.re(rf"a declined authorization of {MONEY}"), target_fixture="payment")
def decline_authorization(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.pay_by_card("PA", amount, currency, {"card.holder": DECLINE})


@given(parsers.re(rf"a declined debit of {MONEY}"), target_fixture="payment")
def decline_debit(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {"card.holder": DECLINE})


@given(
    parsers.re(r'a debit that was declined, with (?P<name>\S+) "(?P<value>.*)"'),
    target_fixture="payment",
)
def decline_debit_with_parameter(merchant: Merchant, name: str, value: str) -> Answer:
    return merchant.pay_by_card("DB", "92.00", "EUR", {"card.holder": DECLINE, name: value})


@given("an unknown payment", target_fixture="payment")
def unknown_payment() -> Answer:
    return Answer(0, {}, {"id": UNKNOWN_ID})


@given(parsers.re(rf"{MONEY} of it is captured"), target_fixture="capture")
def capture_part(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "CP", amount=amount, currency=currency)


@given(parsers.re(rf"{MONEY} of it is refunded"), target_fixture="refund")
def refund_part(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "RF", amount=amount, currency=currency)


@given(parsers.re(rf"{MONEY} of the capture is refunded"), target_fixture="refund")
def refund_part_of_capture(
    merchant: Merchant, capture: Answer, amount: str, currency: str
) -> Answer:
    return merchant.refer(capture.id, "RF", amount=amount, currency=currency)


@given(parsers.re(rf"the merchant tries to capture {MONEY} of it"), target_fixture="tried")
def try_capture(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "CP", amount=amount, currency=currency)


@given(parsers.re(rf"{MONEY} of it is captured (?P<times>\d+) times"), converters={"times": int})
def capture_often(
    merchant: Merchant, payment: Answer, amount: str, currency: str, *, times: int
) -> None:
    # One after another they would take minutes at a target that is far away.
    at_once(
        merchant,
        times,
        lambda own: own.refer(payment.id, "CP", amount=amount, currency=currency),
        connections=min(times, CONNECTIONS),
    )


@given(parsers.re(rf"a declined capture of {MONEY} of it"), target_fixture="decline")
def decline_capture(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "CP", amount=amount, currency=currency, **{FORCED: DECLINE})


@given("it is reversed", target_fixture="reversal")
def reverse_before(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.refer(payment.id, "RV")


@given(parsers.re(rf"a rebill of {MONEY} on it"), target_fixture="rebill")
def rebill(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "RB", amount=amount, currency=currency)


@given(parsers.re(rf"a receipt of {MONEY} for it"), target_fixture="receipt")
def record_receipt(merchant: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return merchant.refer(payment.id, "RC", amount=amount, currency=currency)


@when(parsers.re(PAYS), target_fixture="answer")
def pay(merchant: Merchant, verb: str, amount: str, currency: str) -> Answer:
    return merchant.pay_by_card(TYPES[verb], amount, currency)


@when("the merchant registers a card", target_fixture="answer")
def register(merchant: Merchant) -> Answer:
    return merchant.pay_by_card("RG", "0.00", "EUR")


@when(
    parsers.re(
        rf"the merchant (?P<verb>captures|refunds|rebills|reports) {MONEY} (of|on|received for) "
        r"(?P<what>it|the (capture|refund|rebill|receipt|reversal))"
    ),
    target_fixture="answer",
)
def refer(
    request: pytest.FixtureRequest,
    merchant: Merchant,
    verb: str,
    amount: str,
    *,
    currency: str,
    what: str,
) -> Answer:
    return merchant.refer(
        earlier_answer(request, what).id, TYPES[verb], amount=amount, currency=currency
    )


@when(
    parsers.re(rf"the merchant captures {MONEY} of it, with the forced result (?P<code>[0-9.]+)"),
    target_fixture="answer",
)
def capture_with_forced_result(
    merchant: Merchant, payment: Answer, amount: str, currency: str, *, code: str
) -> Answer:
    return merchant.refer(payment.id, "CP", amount=amount, currency=currency, **{FORCED: code})


@when(
    parsers.re(rf"the merchant refunds {MONEY} of it on the channel (?P<channel>\w+)"),
    target_fixture="answer",
)
def refund_on_channel(
    merchant: Merchant, payment: Answer, amount: str, currency: str, *, channel: str
) -> Answer:
    elsewhere = merchant.on_channel(channel)
    return elsewhere.refer(payment.id, "RF", amount=amount, currency=currency)


@when(
    parsers.re(
        rf"the merchant (?P<verb>captures|refunds) {MONEY} of (?P<what>it|the capture) "
        r"(?P<times>\d+) times at once"
    ),
    converters={"times": int},
    target_fixture="answers",
)
def refer_at_once(
    request: pytest.FixtureRequest, merchant: Merchant, verb: str, *,
    amount: str, currency: str, what: str, times: int,
) -> list[Answer]:  # fmt: skip
    identity, kind = earlier_answer(request, what).id, TYPES[verb]
    return at_once(
        merchant, times, lambda own: own.refer(identity, kind, amount=amount, currency=currency)
    )


@when("the merchant captures it without an amount", target_fixture="answer")
def capture_without_amount(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.refer(payment.id, "CP", currency="EUR")


@when("the merchant captures an unknown payment", target_fixture="answer")
def capture_unknown(merchant: Merchant) -> Answer:
    return merchant.refer(UNKNOWN_ID, "CP", amount="92.00", currency="EUR")


@when("the merchant reverses it", target_fixture="answer")
def reverse(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.refer(payment.id, "RV")


@when(parsers.re(r"the merchant reads (?P<what>it|the capture)"), target_fixture="answer")
def read(request: pytest.FixtureRequest, merchant: Merchant, what: str) -> Answer:
    return merchant.read(earlier_answer(request, what).id)


@when(parsers.re(rf"the merchant reads it by its id (?P<changed>{'|'.join(CHANGED)})"),
      target_fixture="answer")  # fmt: skip
def read_by_changed_id(merchant: Merchant, payment: Answer, changed: str) -> Answer:
    return merchant.read(CHANGED[changed](payment.id))


@when("the merchant reads a payment by the id of the registration", target_fixture="answer")
def read_by_registration_id(merchant: Merchant, stored: Answer) -> Answer:
    return merchant.read(stored.id)


@when("the merchant reads an unknown payment", target_fixture="answer")
def read_unknown(merchant: Merchant) -> Answer:
    return merchant.read(UNKNOWN_ID)


@when("the merchant requests an unknown resource", target_fixture="answer")
def request_unknown_resource(merchant: Merchant) -> Answer:
    return merchant.client.get("v1/paymnets")


@then(
    parsers.re(
        r"the (?P<what>payment|capture|refund|reversal|rebill|receipt|registration) succeeds"
    )
)
def succeeds(answer: Answer, judge: Judge, what: str) -> None:
    judge.holds(
        f"result of the {what}",
        answer,
        answer.status == 200 and is_success(answer.code),
        expected="a success",
        came=f"status {answer.status}, {answer.code}",
    )


@then(parsers.parse("{count:d} of them succeed and the others are refused"))
def some_are_refused(answers: list[Answer], judge: Judge, count: int) -> None:
    succeeded = sum(each.status == 200 and is_success(each.code) for each in answers)
    refused_ones = sum(each.status == 400 and is_refusal(each.code) for each in answers)
    judge.same("succeeded and refused requests", answers[0],
               expected=(count, len(answers) - count), came=(succeeded, refused_ones))  # fmt: skip


@then("the payment is pending")
def payment_is_pending(answer: Answer, judge: Judge) -> None:
    judge.holds(
        "result of the payment",
        answer,
        answer.status == 200 and is_pending(answer.code),
        expected="200 and a pending result",
        came=f"status {answer.status}, {answer.code}",
    )


@then("the payment is refused")
def refused(answer: Answer, judge: Judge) -> None:
    judge.holds(
        "result of the payment",
        answer,
        answer.status == 400 and is_refusal(answer.code),
        expected="400 and a result code that is neither a success nor pending",
        came=f"status {answer.status}, {answer.code}",
    )


@then(
    parsers.re(
        r"the (payment|capture|refund|reversal|rebill|receipt|request) is refused "
        r"with (?P<code>\S+)"
    )
)
def refused_with(answer: Answer, judge: Judge, code: str) -> None:
    judge.refusal("result of the refusal", answer, status=400, code=code)


@then(parsers.parse("the payment is declined with {code}"))
def declined_with(answer: Answer, judge: Judge, code: str) -> None:
    judge.refusal("result of the decline", answer, status=400, code=code)


@then("the request is refused as not found")
def not_found(answer: Answer, judge: Judge) -> None:
    judge.same("status of the response", answer, expected=404, came=answer.status)


@then(parsers.parse("the request is refused as not found with {code}"))
def not_found_for(answer: Answer, judge: Judge, code: str) -> None:
    judge.refusal("result of the refusal", answer, status=404, code=code)


@then("the response has the id of the payment")
def has_payment_id(answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.same("id of the payment", answer, expected=payment.id, came=answer.id)


@then("the response has a new payment id")
def has_new_payment_id(answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.no_member("id of the payment", answer, banned=answer.id, came=["", payment.id])


def earlier_answer(request: pytest.FixtureRequest, what: str) -> Answer:
    """The response of an earlier step, by its name in a sentence: `it` is that to the payment, `the
    capture` that to the capture.
    """
    name = "payment" if what == "it" else what.removeprefix("the ").replace(" ", "_")
    answer: Answer = request.getfixturevalue(name)
    return answer


def at_once(
    merchant: Merchant, times: int, ask: Callable[[Merchant], Answer], *, connections: int = 0
) -> list[Answer]:
    """The responses to one request made so many times, over so many connections at once; without
    `connections` each over its own.
    """

    def ask_alone(share: range) -> list[Answer]:
        alone = merchant.on_own_connection()
        try:
            return [ask(alone) for _ in share]
        finally:
            alone.client.close()

    width = connections or times
    shares = [range(first, times, width) for first in range(width)]
    with ThreadPoolExecutor(width) as pool:
        return [answer for answers in pool.map(ask_alone, shares) for answer in answers]

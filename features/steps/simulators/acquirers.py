"""Steps about the card host and the connection to it."""

from typing import Any

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

KIND = "message type"
REFERENCE = "standingInstruction.initialTransactionId"
# A sign that takes the most bytes there are.
LONG_SIGN = "\U0001f4b3"
REPEATED = {
    "standingInstruction.mode": "REPEATED",
    "standingInstruction.source": "MIT",
    "standingInstruction.type": "UNSCHEDULED",
}


@given(
    parsers.re(
        rf"an authorized payment of {MONEY} in the test mode EXTERNAL"
        r"(?: by the card (?P<number>\d+))?"
    ),
    target_fixture="payment",
)
def authorize_at_card_host(
    merchant: Merchant, amount: str, currency: str, *, number: str | None
) -> Answer:
    card = {} if number is None else {"card.number": number}
    return merchant.pay_by_card("PA", amount, currency, {"testMode": "EXTERNAL", **card})


@when(
    parsers.re(
        rf"the merchant debits {MONEY} in the test mode EXTERNAL with a reference of"
        r" (?P<count>\d+) signs of four bytes"
    ),
    converters={"count": int},
    target_fixture="answer",
)
def debit_with_long_reference(
    merchant: Merchant, amount: str, currency: str, *, count: int
) -> Answer:
    more = {REFERENCE: LONG_SIGN * count, **REPEATED, "testMode": "EXTERNAL"}
    return merchant.pay_by_card("DB", amount, currency, more)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} in the test mode EXTERNAL with (?P<count>\d+) custom"
        r" parameters of 2048 characters"
    ),
    converters={"count": int},
    target_fixture="answer",
)
def debit_with_long_parameters(
    merchant: Merchant, amount: str, currency: str, *, count: int
) -> Answer:
    more = {f"customParameters[note{number}]": "n" * 2048 for number in range(count)}
    return merchant.pay_by_card("DB", amount, currency, {**more, "testMode": "EXTERNAL"})


@then(parsers.re(r"the card host received the reference of (?P<count>\d+) signs whole"),
      converters={"count": int})  # fmt: skip
def has_received_whole(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, count: int
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    came = str(body["parameters"].get(REFERENCE))
    judge.same(f"{REFERENCE} at the card host", answer, expected=LONG_SIGN * count, came=came)


@given(parsers.parse("the sandbox clock runs {rate:d} times as fast"))
def speed_up_clock(control: Control, merchant: Merchant, rate: int) -> None:
    control.set_clock(merchant.sandbox, "scaled", rate=rate)


@given(parsers.parse("the card host connection has the fault {fault}"))
def break_connection(control: Control, merchant: Merchant, fault: str) -> None:
    words = {"name": "line", "title": "A connection fault", "description": "Armed by a scenario."}
    control.arm_script(merchant.sandbox, {**words, "steps": {"link": fault}}, times=1)


@then(parsers.parse("a card message of type {kind} was sent to the card host"))
def sent_card_message(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, kind: str
) -> None:
    came = [body.get(KIND) for body in messages_to_acquirer(control, merchant, answer)]
    judge.holds("card messages", answer, kind in came, expected=kind, came=str(came))


@then(
    parsers.parse(
        "the reversal {kind} is repeated as {repeated} at least {least:d} times, and in "
        "{minutes:d} minutes no more"
    )
)
def repeats_reversal(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge,
    *, kind: str, repeated: str, least: int, minutes: int,
) -> None:  # fmt: skip
    """A busy card host may miss one more, so the number of repetitions is not judged."""
    before: list[str] = []
    came = reversals_of(control, merchant, answer)
    for _ in range(0, minutes, 2):
        before = came
        control.advance_clock(merchant.sandbox, by="2m")
        came = reversals_of(control, merchant, answer)
    expected = [kind, *[repeated] * max(least, len(before) - 1)]
    judge.same("reversals", answer, expected=expected, came=came)


@then("no card message was sent to the card host")
def sent_no_card_message(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge
) -> None:
    came = [body[KIND] for body in messages_to_acquirer(control, merchant, answer) if KIND in body]
    judge.same("card messages", answer, expected=[], came=came)


@then(parsers.re(r'the card host received (?P<name>\S+) "(?P<value>.+)"'))
def has_received(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, name: str, value: str
) -> None:
    bodies = messages_to_acquirer(control, merchant, answer)
    came = [body["parameters"].get(name) for body in bodies if "parameters" in body]
    judge.same(f"{name} at the card host", answer, expected=[value], came=came)


def reversals_of(control: Control, merchant: Merchant, answer: Answer) -> list[str]:
    """The types of the reversals of a payment, as they were sent."""
    kinds = [body.get(KIND, "") for body in messages_to_acquirer(control, merchant, answer)]
    return [each for each in kinds if each.startswith("04")]


def messages_to_acquirer(
    control: Control, merchant: Merchant, answer: Answer
) -> list[dict[str, Any]]:
    """The messages to the acquirer about the payment of a response."""
    control.drain(merchant.sandbox)
    entry = control.journal_entry(merchant.sandbox, str(answer.at("ndc")))
    return [each["body"] for each in entry["messages"] if each["receiver"] == "acquirer"]

"""Steps about what reached the parties behind the gateway, read from the messages they received."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pytest_bdd import parsers, then

from features.steps.payments.recurring import REFERENCE
from features.steps.phrases import MONEY, several
from features.steps.simulators.acquirers import messages_to_acquirer
from features.support.assertions import Judge
from features.support.disclosure import is_shown_as
from features.support.merchant import Merchant
from simulator.client import Answer, Control

IDENTITY = "resultDetails.ConnectorTxID1"
MASK = "******"
ADDRESSING = "60 "
LABEL = r"(?P<kind>[A-Z]{2})"


@then(
    parsers.re(
        rf"the (?P<party>acquirer|risk system) received {LABEL} of {MONEY}(?: for (?P<brand>\w+))?"
    )
)
def party_received_money(
    control: Control,
    merchant: Merchant,
    answer: Answer,
    judge: Judge,
    *,
    party: str,
    kind: str,
    amount: str,
    currency: str,
    brand: str | None,
) -> None:
    found = messages_to(party, control, merchant, answer)
    came = [(each["label"], brand and each["body"].get("brand")) for each in found]
    expected = [(f"{kind} {amount} {currency}", brand)]
    judge.same(f"messages to the {party}", answer, expected=expected, came=came)


@then(parsers.re(r"the acquirer received the id it gave the (?P<what>payment|capture)"))
def acquirer_received_original(
    request: pytest.FixtureRequest,
    control: Control,
    merchant: Merchant,
    answer: Answer,
    judge: Judge,
    *,
    what: str,
) -> None:
    original: Answer = request.getfixturevalue(what)
    (body,) = messages_to_acquirer(control, merchant, answer)
    came, expected = str(body.get("original")), str(original.at(IDENTITY))
    holds = is_shown_as(expected, came)
    judge.holds("original at the acquirer", answer, holds, expected=expected, came=came)


@then("the card host received the id it gave the payment")
def card_host_received_original(
    control: Control, merchant: Merchant, answer: Answer, payment: Answer, judge: Judge
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    came, expected = element_of(body, ADDRESSING), str(payment.at(IDENTITY))
    holds = is_shown_as(expected, came)
    judge.holds("original in the card message", answer, holds, expected=expected, came=came)


@then("the card message has")
def card_message_has(
    control: Control,
    merchant: Merchant,
    answer: Answer,
    judge: Judge,
    datatable: Sequence[Sequence[str]],
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    expected = several(datatable)
    came = {number: element_of(body, f"{number} ") for number in expected}
    judge.same("elements of the card message", answer, expected=expected, came=came)


@then("the card host received")
def card_host_received(
    control: Control,
    merchant: Merchant,
    answer: Answer,
    judge: Judge,
    datatable: Sequence[Sequence[str]],
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    expected, parameters = several(datatable), body["parameters"]
    came = {name: parameters.get(name, "") for name in expected}
    judge.same("parameters at the card host", answer, expected=expected, came=came)


@then("the card host received the reference of the series")
def card_host_received_reference(
    control: Control, merchant: Merchant, answer: Answer, first: Answer, judge: Judge
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    came = body["parameters"].get(REFERENCE)
    judge.same(REFERENCE, answer, expected=first.at(REFERENCE), came=came)


@then("the issuer received")
def issuer_received(
    control: Control,
    merchant: Merchant,
    answer: Answer,
    judge: Judge,
    datatable: Sequence[Sequence[str]],
) -> None:
    found = messages_to("directory server", control, merchant, answer)
    body: Mapping[str, Any] = next((each["body"] for each in found if each["label"] == "AReq"), {})
    expected = several(datatable)
    came = {name: str(body.get(name, "")) for name in expected}
    judge.same("members of the authentication request", answer, expected=expected, came=came)


def messages_to(
    party: str, control: Control, merchant: Merchant, answer: Answer
) -> list[Mapping[str, Any]]:
    """The messages that a party received because of the request that an answer is for."""
    control.drain(merchant.sandbox)
    entry = control.journal_entry(merchant.sandbox, str(answer.at("ndc")))
    return [each for each in entry["messages"] if each["receiver"] == party]


def element_of(body: Mapping[str, Any], beginning: str) -> str:
    """The element of a card message whose name begins like this; empty where it has none."""
    return next((str(value) for name, value in body.items() if name.startswith(beginning)), "")

"""A gateway whose answers cannot be: what it says it approved is taken back, nothing is paid."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from pos_emulator.card_numbers import has_card_number, has_card_number_inside
from pos_emulator.receipts.document import document_of
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.gateway import (
    TEXT_MAX,
    Gateway,
    GatewayAnswer,
    LostAnswerError,
    answer_of,
)
from pos_emulator.terminal.records import Ending, Stage
from pos_emulator.tests.terminal.shop import Shop, ended
from simulator.client.wire import Answer


class Deceiver:
    """A gateway that says of each new payment that it was another amount."""

    def __init__(self, gateway: Gateway, said: Mapping[str, Any]):
        self._gateway, self._said = gateway, said

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gateway, name)

    def pay(self, sent: Mapping[str, str]) -> GatewayAnswer:
        return replace(self._gateway.pay(sent), **self._said)


NUMBER = "4111111111111111"
SPELLINGS = (
    NUMBER,
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "A4111111111111111B",
    "\uff14111111111111111",
)
# What a gateway may answer of a payment, each with a text of its choice.
MEMBERS = (
    "id", "paymentType", "paymentBrand", "currency", "result.description",
    "resultDetails.ExtendedDescription", "pos.statusText", "pos.merchantId",
    "pos.clearing.authorizationAcquirerCode", "pos.clearing.authorizationIssuerCode",
)  # fmt: skip


def with_member(body: Mapping[str, Any], path: str, value: object) -> dict[str, Any]:
    """A body with another value at a path."""
    name, _, rest = path.partition(".")
    inner = body.get(name)
    within = inner if isinstance(inner, dict) else {}
    return {**body, name: with_member(within, rest, value) if rest else value}


class Scribbler:
    """A merchant API that writes a card number into each text of its answers."""

    def __init__(self, client: Any):
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def post(self, path: str, parameters: Mapping[str, str]) -> Answer:
        answer = self._client.post(path, parameters)
        body = answer.body
        for member in set(MEMBERS) - {"id", "paymentType", "currency"}:
            body = with_member(body, member, NUMBER)
        return Answer(answer.status, answer.headers, body)


@pytest.mark.parametrize("spelled", SPELLINGS)
@pytest.mark.parametrize("member", MEMBERS)
def test_no_text_of_an_answer_holds_a_card_number(member: str, spelled: str):
    body = with_member({"result": {"code": "000.100.110"}}, member, spelled)

    answer = answer_of(Answer(200, {}, body))

    assert not has_card_number_inside([*vars(answer).values()])
    assert NUMBER not in repr(answer)


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "a\x00b", "<b>\u202e"])
def test_no_text_of_an_answer_holds_a_control_character(member: str, text: str):
    body = with_member({"result": {"code": "000.100.110"}}, member, text)

    said = [
        each for each in vars(answer_of(Answer(200, {}, body))).values() if isinstance(each, str)
    ]

    assert all(each.isprintable() for each in said)


@pytest.mark.parametrize(
    "code", ["000.000.4111111111111111", NUMBER, "000.000.00012", "000 000", "0"]
)
def test_a_result_code_that_is_none_is_not_taken(code: str):
    assert not answer_of(Answer(200, {}, {"result": {"code": code}})).is_approved


def test_what_the_formats_allow_is_taken_as_it_is():
    number = "8" * 32
    words = dict.fromkeys(MEMBERS[6:], "A1b2")
    body: dict[str, Any] = {"result": {"code": "000.100.110", "description": "Request done: 1."}}
    for member, value in {**words, "id": number, "paymentType": "DB", "currency": "EUR"}.items():
        body = with_member(body, member, value)

    answer = answer_of(Answer(200, {}, body))

    assert (answer.payment, answer.type, answer.currency) == (number, "DB", "EUR")
    assert (answer.status, answer.merchant_id, answer.authorization) == ("A1b2", "A1b2", "A1b2")
    assert answer.reason == "Request done: 1."


def test_journal_and_receipts_of_a_scribbling_gateway_hold_no_card_number(shop: Shop):
    shop.gateway._client = Scribbler(shop.gateway._client)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert entry.ending is Ending.APPROVED
    printed = "".join(render_text(document_of(*each)) for each in shop.desk.printed)
    files = b"".join(path.read_bytes() for path in shop.folder.rglob("*") if path.is_file())
    assert "1111" in printed
    assert NUMBER not in "".join(printed.split())
    assert NUMBER.encode() not in files
    assert not has_card_number(repr(entry))


@pytest.mark.parametrize(
    ("amount", "currency"),
    [("60.01", "EUR"), ("1000000.00", "EUR"), ("0.00", "EUR"), ("60.00", "JPY")],
)
def test_an_approval_of_something_else_is_taken_back(shop: Shop, amount: str, currency: str):
    shop.gateway = Deceiver(shop.gateway, {"amount": Decimal(amount), "currency": currency})
    shop.restart()

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    assert entry.printed.status == "VOIDED"
    shop.agree()


@pytest.mark.parametrize(
    "amount", ["NaN", "Infinity", "-5.00", "1E+9", "1e999999999", "60,00", "٦٠", "1" * 5000, " 1"]
)
def test_an_amount_that_is_none_is_as_good_as_no_answer(amount: str):
    body = {"result": {"code": "000.100.110"}, "amount": amount}

    with pytest.raises(LostAnswerError, match="amount"):
        answer_of(Answer(200, {}, body))


@pytest.mark.parametrize("value", [None, 7, ["x"], {"a": 1}, True])
def test_members_of_another_type_say_nothing(value: object):
    body = {"result": {"code": "000.100.110"}, "amount": value, "pos": value, "paymentBrand": value}

    answer = answer_of(Answer(200, {}, body))

    assert (answer.amount, answer.status, answer.brand, answer.chip) == (None, "", "", b"")


def test_a_text_is_kept_as_far_as_the_field_goes():
    body = {"pos": {"statusText": "A" * 100_000, "iccDataResponse": "zz"}}

    answer = answer_of(Answer(200, {}, body))

    assert (answer.status, answer.chip) == ("A" * TEXT_MAX, b"")

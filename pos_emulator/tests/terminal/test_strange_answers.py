"""A gateway whose answers cannot be: what it says it approved is taken back, nothing is paid."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

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

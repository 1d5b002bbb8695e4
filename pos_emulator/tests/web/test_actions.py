"""What the page may send: each body that is none is refused, and nothing of it is repeated."""

from decimal import Decimal

import pytest

from pos_emulator.terminal.records import OrderError, OrderKind
from pos_emulator.web.actions import (
    BadActionError,
    EnterPin,
    GiveOrder,
    TypeCard,
    order_of,
    read_body,
)


@pytest.mark.parametrize(
    ("sent", "operation", "amount"),
    [
        (GiveOrder("sale", "12.50"), OrderKind.SALE, Decimal("12.50")),
        (GiveOrder("refund", "12,5"), OrderKind.REFUND, Decimal("12.5")),
        (GiveOrder("pre-authorization", " 7 "), OrderKind.PRE_AUTHORIZATION, Decimal(7)),
        (GiveOrder("void", receipt="12"), OrderKind.VOID, None),
    ],
)
def test_a_form_of_the_till_is_an_order(
    sent: GiveOrder, operation: OrderKind, amount: Decimal | None
) -> None:
    order = order_of(sent)

    assert (order.operation, order.amount, order.cashback) == (operation, amount, 0)
    assert order.receipt == ("000012" if sent.receipt else "")


@pytest.mark.parametrize(
    ("typed", "receipt"),
    [
        ("", ""), ("000012", "000012"), ("2-12", "0002-000012"), ("0002-000012", "0002-000012"),
        ("10000-000012", "10000-000012"),
    ],
)  # fmt: skip
def test_a_receipt_may_have_its_batch_before_it(typed: str, receipt: str) -> None:
    sent = read_body(f'{{"operation": "void", "receipt": "{typed}"}}'.encode(), GiveOrder)

    assert order_of(sent).receipt == receipt


@pytest.mark.parametrize(
    "sent",
    [
        GiveOrder("gift", "1"),
        GiveOrder("sale", "-1"),
        GiveOrder("sale", "0"),
        GiveOrder("sale", "NaN"),
        GiveOrder("sale", "Infinity"),
        GiveOrder("sale", "1e9"),
        GiveOrder("sale", "1e2"),
        GiveOrder("sale", "1_000"),
        GiveOrder("sale", "\u0661\u0662"),
        GiveOrder("sale", "twelve"),
        GiveOrder("sale", "10000000"),
        GiveOrder("sale", "1", cashback="x"),
    ],
)
def test_what_is_no_order_is_refused(sent: GiveOrder) -> None:
    with pytest.raises(OrderError, match="expected"):
        order_of(sent)


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        (EnterPin, b'{"pin": 907153}'),
        (EnterPin, b'{"pin": "9071539071539"}'),
        (EnterPin, b'{"pin": "907153", "more": 1}'),
        (EnterPin, b'{"pin": "907153"'),
        (EnterPin, b'["907153"]'),
        (EnterPin, b""),
        (EnterPin, b"\xff\xfe907153"),
        (EnterPin, b"[" * 4000),
        (TypeCard, b'{"number": "4242 4200 0001 0009", "expiry": "3112"}'),
        (TypeCard, b'{"number": "4242420000010009"}'),
        (GiveOrder, b'{"operation": "sale", "currency": "EURO"}'),
        (GiveOrder, b'{"operation": "sale", "receipt": "4242420000010009"}'),
        (GiveOrder, b'{"operation": "void", "receipt": "-12"}'),
        (GiveOrder, b'{"operation": "void", "receipt": "2-"}'),
    ],
)
def test_what_is_no_body_is_refused_without_repeating_it(shape: type, body: bytes) -> None:
    with pytest.raises(BadActionError, match="expected a JSON object with") as refused:
        read_body(body, shape)

    assert "907153" not in str(refused.value) and "4242" not in str(refused.value)

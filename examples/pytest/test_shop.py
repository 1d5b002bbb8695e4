"""Run with: sandgate run -- python -m pytest examples/pytest"""

import pytest
from shop import Shop, shop_from_environment

CARD = {
    "number": "4200000000000000",
    "holder": "Jane Jones",
    "expiryMonth": "05",
    "expiryYear": "2034",
    "cvv": "123",
}


@pytest.fixture
def shop() -> Shop:
    return shop_from_environment()


def test_a_good_card_is_charged(shop: Shop) -> None:
    paid = shop.pay("92.00", CARD)

    assert (paid.status, paid.code) == (200, "000.100.110")
    assert paid.body["amount"] == "92.00"


def test_a_card_without_funds_is_declined(shop: Shop) -> None:
    # A result code as card holder is the answer of the acquirer.
    declined = shop.pay("92.00", CARD | {"holder": "800.100.203"})

    assert (declined.status, declined.code) == (400, "800.100.203")


def test_an_authorization_is_captured_in_parts_and_refunded(shop: Shop) -> None:
    authorized = shop.pay("92.00", CARD, kind="PA")
    captured = shop.capture(authorized.id, "60.00")

    assert shop.capture(authorized.id, "32.00").status == 200
    assert shop.capture(authorized.id, "0.01").status == 400
    assert shop.refund(captured.id, "10.00").status == 200


def test_a_wrong_amount_is_named(shop: Shop) -> None:
    refused = shop.pay("92,00", CARD)

    assert refused.status == 400
    assert [error["name"] for error in refused.body["result"]["parameterErrors"]] == ["amount"]

"""Three steps of a shop's own: one that prepares, one that acts, one that compares."""

from pytest_bdd import given, parsers, then, when

from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer


@given(parsers.parse("an order of {count:d} books"), target_fixture="order")
def order_books(count: int) -> dict[str, str]:
    """The parameters that the shop sends for an order."""
    return {
        "cart.items[0].name": "Book",
        "cart.items[0].quantity": str(count),
        "merchantTransactionId": "order-4711",
    }


@when("the shop charges the order", target_fixture="answer")
def charge(merchant: Merchant, order: dict[str, str]) -> Answer:
    """A debit by the test card of the target."""
    return merchant.pay_by_card("DB", "24.00", "EUR", order)


@then(parsers.parse("the receipt says {count} of {name}"))
def receipt_says(answer: Answer, judge: Judge, count: str, name: str) -> None:
    """The item that the answer echoes."""
    shown = (answer.at("cart.items[0].name"), answer.at("cart.items[0].quantity"))
    judge.same("item on the receipt", answer, expected=(name, count), came=shown)

"""Examples: requests that work as they stand, given one's own entity, and answers as they come."""

from collections.abc import Mapping
from typing import NamedTuple

from simulator.catalogue.results import RESULTS
from simulator.derive.causes import BAD, THROTTLED
from simulator.grammar.choices import Choices
from simulator.grammar.version import __version__

ENTITY = "80000000000000000000000000000001"
PAYMENT = "80000000000000000000000000000002"
EXCHANGE = "4d0c9b0c3a5e4f6f8a7d2b1c0e9f8d7c"
SUCCESS = "000.100.110"
VIOLATION = {
    "name": "amount",
    "value": "92,00",
    "message": r"must match ^[0-9]{1,10}(\.[0-9]{2})?$",
}

CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
MONEY = {"amount": "92.00", "currency": "EUR"}
SHOPPER = {
    "merchantTransactionId": "order-20391",
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.email": "jane.jones@shop.example",
    "billing.street1": "Long Lane 7",
    "billing.city": "Riverside",
    "billing.postcode": "12345",
    "billing.country": "DE",
    "cart.items[0].name": "Lamp",
    "cart.items[0].quantity": "2",
    "cart.items[0].price": "46.00",
    "customParameters[shelf]": "B4",
}


class Example(NamedTuple):
    """A request worth showing: what it does, and its parameters but for entityId."""

    summary: str
    sent: Mapping[str, str]


DEBIT = {"paymentType": "DB", **MONEY, **CARD}
PART = {"amount": "42.00", "currency": "EUR"}
DECLINE = {**DEBIT, "card.holder": "800.100.152"}

# fmt: off
EXAMPLES: Mapping[str, Mapping[str, Example]] = {
    "create_payment": {
        "debit":         Example("Debit a card", DEBIT),
        "authorisation": Example("Authorise, capture later", {**DEBIT, "paymentType": "PA"}),
        "shopper":       Example("Debit, with customer, address and cart", {**DEBIT, **SHOPPER}),
        "registration":  Example("Debit, keep the card", {**DEBIT, "createRegistration": "true"}),
        "decline":       Example("Be declined: the card holder is the result code", DECLINE),
    },
    "refer_payment": {
        "capture":       Example("Capture a part of a PA", {"paymentType": "CP", **PART}),
        "refund":        Example("Refund a part of a DB or CP", {"paymentType": "RF", **PART}),
        "reversal":      Example("Reverse a whole PA", {"paymentType": "RV"}),
    },
}
# fmt: on


def payment_example(choices: Choices) -> dict:
    """The answer to the debit among the examples."""
    return {
        "id": PAYMENT,
        "paymentType": "DB",
        "paymentBrand": "VISA",
        **MONEY,
        "descriptor": "1234.5678.9012 Sandgate Channel",
        "result": _result(SUCCESS),
        "card": {
            "bin": "420000",
            "last4Digits": "0000",
            "holder": "Jane Jones",
            "expiryMonth": "05",
            "expiryYear": "2034",
        },
        **_envelope(choices, ENTITY),
    }


def result_example(code: str, choices: Choices, *, with_entity: bool) -> dict:
    """An answer with a result and no payment, given before or after the entity was known."""
    result = _result(code)
    if code == BAD:
        result["parameterErrors"] = [VIOLATION]
    identity = {"id": PAYMENT} if code == THROTTLED else {}
    return {**identity, "result": result, **_envelope(choices, ENTITY if with_entity else "")}


def _result(code: str) -> dict:
    return {"code": code, "description": RESULTS[code].text}


def _envelope(choices: Choices, entity: str) -> dict:
    sign = {"hyphen": "-", "underscore": "_"}[choices["ndc"]] if entity else ""
    return {
        "buildNumber": f"sandgate-{__version__}",
        "timestamp": "2026-11-20 12:00:00+0000",
        "ndc": f"{entity}{sign}{EXCHANGE}",
    }

"""Examples: requests that work as they stand, given one's own entity, and answers as they come."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from simulator.catalogue.results import RESULTS
from simulator.derive.schemas.causes import BAD, THROTTLED
from simulator.grammar.choices import Choices
from simulator.grammar.version import __version__

ENTITY = "5f2c8e1ba94d4e7f8c03d16ab27e9a01"
PAYMENT = "5f2c8e1ba94d4e7f8c03d16ab27e9a02"
CHECKOUT = "5F0E2B4C9D8A7160F3E1000000000000.000000000000001"
EXCHANGE = "4d0c9b0c3a5e4f6f8a7d2b1c0e9f8d7c"
SUCCESS = "000.100.110"
READ = "000.000.100"
OF_A_PAYMENT = ("paymentType", "amount", "currency", "descriptor")
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
SESSION = {"paymentType": "DB", **MONEY, "merchantTransactionId": "order-20391"}
INTEGRITY = {"integrity": "true"}
RETURN = {"shopperResultUrl": "https://shop.example/return"}

BROWSER = {
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.browser.acceptHeader": "text/html",
    "customer.browser.language": "en-GB",
    "customer.browser.screenHeight": "1080",
    "customer.browser.screenWidth": "1920",
    "customer.browser.timezone": "-60",
    "customer.browser.userAgent": "Mozilla/5.0",
    "customer.browser.javaEnabled": "false",
    "billing.street1": "Long Lane 7",
    "billing.city": "Riverside",
    "billing.postcode": "12345",
    "billing.country": "DE",
}
NEW_CARD = {name: value for name, value in CARD.items() if name != "card.cvv"}
MIGRATED = {
    "recurringMigration.paymentType": "DB",
    "recurringMigration.amount": "9.90",
    "recurringMigration.requestTimestamp": "2026-01-31 13:07:09",
    "recurringMigration.connectorTxId1": "830128374650192",
}
SERIES = {
    "standingInstruction.type": "RECURRING",
    "standingInstruction.mode": "REPEATED",
    "standingInstruction.source": "MIT",
}
SUBSCRIPTION = {"registrationId": PAYMENT, "paymentType": "DB", **MONEY}
MONTHLY = {**SUBSCRIPTION, "job.dayOfMonth": "05", "job.hour": "07"}
OF_CARD = {"registrationId": PAYMENT}
NOVEMBER = {"date.from": "2026-11-01", "date.to": "2026-11-30"}
WORKING_DAYS = {**SUBSCRIPTION, "job.expression": "0 0 9 ? * MON-FRI"}

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
    "create_registration": {
        "card":          Example("Store a card", NEW_CARD),
        "migration":     Example("Bring an agreement along", {**NEW_CARD, **MIGRATED}),
    },
    "update_registration": {
        "expiry":        Example("A card that was renewed",
                                 {"card.expiryMonth": "06", "card.expiryYear": "2036"}),
    },
    "pay_registration": {
        "debit":         Example("Debit a stored card", {"paymentType": "DB", **MONEY}),
        "series":        Example("Debit it without the shopper",
                                 {"paymentType": "DB", **MONEY, **SERIES}),
    },
    "extend_registration": {
        "longer":        Example("Keep it longer", {}),
    },
    "create_schedule": {
        "monthly":       Example("Charge on the 5th of each month, at 07:00 UTC", MONTHLY),
        "expression":    Example("Charge on working days, at 09:00 UTC", WORKING_DAYS),
    },
    "create_schedule_old": {
        "monthly":       Example("Charge on the 5th of each month, at 07:00 UTC", MONTHLY),
    },
    "list_schedules": {
        "card":          Example("The schedules of a stored card", OF_CARD),
    },
    "reschedule": {
        "amount":        Example("Another amount", {"amount": "42.00", "currency": "EUR"}),
        "job":           Example("Another day", {"job.dayOfMonth": "20"}),
    },
    "deschedule": {
        "end":           Example("End it", {}),
    },
    "create_authentication": {
        "card":          Example("Authenticate the holder of a card",
                                 {**MONEY, **CARD, "card.number": "4200000000000018", **RETURN,
                                  **BROWSER}),
    },
    "check_risk": {
        "card":          Example("Check a card payment", {**MONEY, **CARD}),
    },
    "create_checkout": {
        "payment":       Example("A checkout for a debit", SESSION),
        "registration":  Example("A checkout for a registration", {"createRegistration": "true"}),
        "brands":        Example("A card brand is authorised, others are debited",
                                 {**SESSION, "overridePaymentType[VISA]": "PA"}),
        "integrity":     Example("With the integrity of the script", {**SESSION, **INTEGRITY}),
    },
    "update_checkout": {
        "amount":        Example("Another amount", {"amount": "42.00", "currency": "EUR"}),
    },
    "pay_checkout": {
        "card":          Example("Pay by card", {**CARD, **RETURN}),
    },
    "register_checkout": {
        "card":          Example("Store a card", CARD),
    },
    "query_payments": {
        "days":          Example("The transactions of November", NOVEMBER),
    },
    "query_pages": {
        "days":          Example("The transactions of November, a page of 100",
                                 {**NOVEMBER, "pageNo": "1"}),
    },
    "query_settlements": {
        "days":          Example("What was settled in November", NOVEMBER),
    },
}
# fmt: on


def payment_example(choices: Choices) -> dict[str, Any]:
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


def registration_example(choices: Choices) -> dict[str, Any]:
    """The answer to the first registration among the examples."""
    payment = payment_example(choices)
    return {name: payment[name] for name in payment if name not in OF_A_PAYMENT}


def settled_example(choices: Choices) -> dict[str, Any]:
    """The answer to a registration that was removed."""
    return {"id": PAYMENT, "result": _result(SUCCESS), **_envelope(choices, ENTITY)}


def checkout_example(choices: Choices) -> dict[str, Any]:
    """The answer to a new checkout."""
    return {"result": _result("000.200.100"), **_envelope(choices, ENTITY), "id": CHECKOUT}


def result_codes_example(choices: Choices) -> dict[str, Any]:
    """The list of the result codes, cut after the first one."""
    first = next(iter(RESULTS.values()))
    codes = [{"code": first.code, "description": first.text}]
    return {"resultCodes": codes, **_read_by_anybody(choices)}


def integrity_example(choices: Choices) -> dict[str, Any]:
    """The hash of the form's script."""
    return {"integrity": f"sha384-{'0aB/' * 16}", **_read_by_anybody(choices)}


def _read_by_anybody(choices: Choices) -> dict[str, Any]:
    return {"result": _result(READ), **_envelope(choices, "")}


def result_example(code: str, choices: Choices, *, with_entity: bool) -> dict[str, Any]:
    """An answer with a result and no payment, given before or after the entity was known."""
    result = _result(code)
    if code == BAD:
        result["parameterErrors"] = [VIOLATION]
    identity = {"id": PAYMENT} if code == THROTTLED else {}
    return {**identity, "result": result, **_envelope(choices, ENTITY if with_entity else "")}


def _result(code: str) -> dict[str, Any]:
    return {"code": code, "description": RESULTS[code].text}


def _envelope(choices: Choices, entity: str) -> dict[str, Any]:
    sign = {"hyphen": "-", "underscore": "_"}[choices["ndc"]] if entity else ""
    return {
        "buildNumber": f"sandgate-{__version__}",
        "timestamp": "2026-11-20 12:00:00+0000",
        "ndc": f"{entity}{sign}{EXCHANGE}",
    }

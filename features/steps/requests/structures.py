"""Steps about the structures of a payment: what is echoed, and what the acquirer received."""

from pytest_bdd import given, parsers, then, when

from features.steps.payments.three_d_secure import BROWSER
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control


@when(
    parsers.re(rf"the merchant debits {MONEY} with the data of a browser but (?P<name>\S+)"),
    target_fixture="answer",
)
def pay_without_browser_member(
    merchant: Merchant, amount: str, currency: str, *, name: str
) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {**BROWSER, name: ""})


@when(
    parsers.re(
        rf"the merchant debits {MONEY} for a submerchant by the (?P<brand>[A-Z]+) card "
        r"(?P<number>\d+)"
    ),
    target_fixture="answer",
)
def pay_for_submerchant(
    merchant: Merchant, amount: str, currency: str, *, brand: str, number: str
) -> Answer:
    card = {"card.number": number, "paymentBrand": brand, "merchant.submerchantId": "4711"}
    return merchant.pay_by_card("DB", amount, currency, card)


@given(
    parsers.re(rf"a debit of {MONEY} for a cart of (?P<count>\d+) numbered items"),
    converters={"count": int},
    target_fixture="payment",
)
@when(
    parsers.re(rf"the merchant debits {MONEY} for a cart of (?P<count>\d+) numbered items"),
    converters={"count": int},
    target_fixture="answer",
)
def pay_for_numbered_items(merchant: Merchant, amount: str, currency: str, *, count: int) -> Answer:
    items = {f"cart.items[{index}].name": f"Item {index}" for index in range(count)}
    return merchant.pay_by_card("DB", amount, currency, items)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} for (?P<passengers>\d+) passengers with (?P<legs>\d+) "
        "legs each"
    ),
    converters={"passengers": int, "legs": int},
    target_fixture="answer",
)
def pay_for_journey(
    merchant: Merchant, amount: str, currency: str, *, passengers: int, legs: int
) -> Answer:
    flights = {
        f"airline.passengers[{one}].legs[{other}].flightNumber": flight_number(one, other)
        for one in range(passengers)
        for other in range(legs)
    }
    return merchant.pay_by_card("DB", amount, currency, flights)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} for a customer whose names have (?P<length>\d+) characters"
    ),
    converters={"length": int},
    target_fixture="answer",
)
def pay_for_long_name(merchant: Merchant, amount: str, currency: str, *, length: int) -> Answer:
    names = {"customer.givenName": "a" * length, "customer.surname": "b" * length}
    return merchant.pay_by_card("DB", amount, currency, names)


@then("every cart item has its own number")
def items_are_numbered(answer: Answer, judge: Judge) -> None:
    came = [each.get("name") for each in answer.at("cart.items") or []]
    expected = [f"Item {index}" for index in range(len(came))]
    judge.same("names of the cart items", answer, expected=expected, came=came)


@then(
    parsers.re(r"each of (?P<passengers>\d+) passengers has (?P<legs>\d+) legs of its own"),
    converters={"passengers": int, "legs": int},
)
def passengers_have_legs(answer: Answer, judge: Judge, passengers: int, legs: int) -> None:
    expected = [[flight_number(one, other) for other in range(legs)] for one in range(passengers)]
    came = [
        [leg.get("flightNumber") for leg in each.get("legs") or []]
        for each in answer.at("airline.passengers") or []
    ]
    judge.same("flights of the passengers", answer, expected=expected, came=came)


@then(
    parsers.re(r"the response shows (?P<path>\S+) with (?P<length>\d+) characters"),
    converters={"length": int},
)
def shows_length(answer: Answer, judge: Judge, path: str, length: int) -> None:
    came = answer.at(path)
    is_whole = isinstance(came, str) and len(came) == length and len(set(came)) == 1
    judge.holds(path, answer, is_whole, expected=f"{length} characters", came=repr(came)[:60])


@then(parsers.re(r"the acquirer received (?P<name>\S+)"))
def has_received(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, name: str
) -> None:
    judge.holds(
        "parameters at the acquirer",
        answer,
        name in parameters_at_acquirer(control, merchant, answer),
        expected=name,
        came="a request without it",
    )


@then(parsers.re(r"the acquirer did not receive (?P<name>\S+)"))
def has_not_received(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, name: str
) -> None:
    judge.no_member(
        "parameters at the acquirer",
        answer,
        banned=name,
        came=parameters_at_acquirer(control, merchant, answer),
    )


@then(parsers.re(r'the journal does not contain "(?P<text>.+)"'))
def journal_does_not_contain(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, text: str
) -> None:
    control.drain(merchant.sandbox)
    shown = str(control.journal(merchant.sandbox))
    judge.holds(
        "what the journal shows", answer, text not in shown, expected=f"no {text}", came=text
    )


def flight_number(passenger: int, leg: int) -> str:
    """The flight number of a leg of a passenger."""
    return f"SG{passenger}-{leg}"


def parameters_at_acquirer(control: Control, merchant: Merchant, answer: Answer) -> list[str]:
    """The names of the parameters that the acquirer received."""
    control.drain(merchant.sandbox)
    entry = control.journal_entry(merchant.sandbox, str(answer.at("ndc")))
    requests = [each for each in entry["messages"] if each["receiver"] == "acquirer"]
    return [name for message in requests for name in message["body"]["parameters"]]

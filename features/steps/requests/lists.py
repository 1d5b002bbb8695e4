"""Steps about long lists and maps, values of several lines, and checkouts with several values."""

from collections.abc import Callable, Mapping, Sequence

from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.steps.merchants.every_request import KIND, KINDS
from features.steps.payments.bank_accounts import DEBIT, WALLET
from features.steps.payments.checkouts import NO_REGISTRATION, cart, change, money, post, prepare
from features.steps.payments.registrations import VIRTUAL
from features.steps.phrases import MONEY, several
from features.steps.requests.errors import named_parameters
from features.steps.requests.structures import flight_number
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

NOTE = "customParameters[note]"
LINES = "  Ring twice,\tplease.\r\nBehind the\n\nhouse. "
JOURNEY = {
    f"airline.passengers[{one}].legs[{other}].flightNumber": flight_number(one, other)
    for one in range(3)
    for other in range(2)
}
ACCOUNTS: Mapping[str, Sent] = {
    "a wallet": WALLET,
    "a virtual account": VIRTUAL,
    "a bank account": DEBIT,
}
COUNT = r"(?P<count>\d+)"
COUNTED: dict[str, Callable[[str], object]] = {"count": int}


@given(parsers.re(rf"a checkout for {MONEY} with a journey"), target_fixture="checkout")
def prepare_with_journey(merchant: Merchant, amount: str, currency: str) -> Answer:
    return prepare(merchant, {**money(amount, currency), **JOURNEY})


@given(
    parsers.re(rf"a debit of {MONEY} by (?P<account>{'|'.join(ACCOUNTS)})"),
    target_fixture="payment",
)
def debit_account(merchant: Merchant, amount: str, currency: str, *, account: str) -> Answer:
    sent = {"paymentType": "DB", "amount": amount, "currency": currency}
    return merchant.pay({**sent, **ACCOUNTS[account]})


@given("the merchant changes the checkout to", target_fixture="changed")
def change_to(merchant: Merchant, checkout: Answer, datatable: Sequence[Sequence[str]]) -> Answer:
    return change(merchant, checkout, several(datatable))


@when("the shopper pays in the checkout with", target_fixture="answer")
def pay_with(merchant: Merchant, checkout: Answer, datatable: Sequence[Sequence[str]]) -> Answer:
    return post(merchant, checkout, "payment", several(datatable))


@when("the merchant prepares a checkout that offers the stored card and an unknown one",
      target_fixture="answer")  # fmt: skip
def prepare_offering_both(merchant: Merchant, stored: Answer) -> Answer:
    offered = {"registrations[0].id": stored.id, "registrations[1].id": NO_REGISTRATION}
    return prepare(merchant, {**money("92.00", "EUR"), **offered})


@when(parsers.re(rf"the merchant sends a cart of {COUNT} items with {KIND}"),
      converters=COUNTED, target_fixture="answer")  # fmt: skip
def send_cart(merchant: Merchant, count: int, kind: str) -> Answer:
    return KINDS[kind](merchant, cart(count))


@when(parsers.re(rf"the merchant debits {MONEY} with {COUNT} custom parameters"),
      converters=COUNTED, target_fixture="answer")  # fmt: skip
def pay_with_notes(merchant: Merchant, amount: str, currency: str, *, count: int) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, _notes(count))


@when(parsers.re(rf"the merchant debits {MONEY} with a note of several lines"),
      target_fixture="answer")  # fmt: skip
def pay_with_lines(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {NOTE: LINES})


@when(parsers.re(rf"the merchant sends {COUNT} wrong parameters with {KIND}"),
      converters=COUNTED, target_fixture="answer")  # fmt: skip
def send_wrong(merchant: Merchant, count: int, kind: str) -> Answer:
    return KINDS[kind](merchant, _wrong(count))


@then(parsers.re(rf"the response shows each of {COUNT} custom parameters"), converters=COUNTED)
def shows_notes(answer: Answer, judge: Judge, count: int) -> None:
    expected = _notes(count)
    came = {name: answer.at(name) for name in expected}
    judge.same("custom parameters", answer, expected=expected, came=came)


@then("the response shows the note of several lines")
def shows_lines(answer: Answer, judge: Judge) -> None:
    judge.same(NOTE, answer, expected=LINES, came=answer.at(NOTE))


@then(parsers.re(rf"the refusal names each of {COUNT} wrong parameters"), converters=COUNTED)
def names_each(answer: Answer, judge: Judge, count: int) -> None:
    missing = _wrong(count).keys() - named_parameters(answer)
    judge.same("wrong parameters that are not named", answer, expected=set(), came=missing)


def _notes(count: int) -> Sent:
    return {f"customParameters[note_{number}]": f"value {number}" for number in range(count)}


def _wrong(count: int) -> Sent:
    """Cart items whose price has one decimal."""
    return {f"cart.items[{number}].price": "1.5" for number in range(count)}

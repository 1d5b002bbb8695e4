"""Steps about the structures of a payment: what is echoed, and what the acquirer received."""

from pytest_bdd import parsers, then, when

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


def parameters_at_acquirer(control: Control, merchant: Merchant, answer: Answer) -> list[str]:
    """The names of the parameters that the acquirer received."""
    control.drain(merchant.sandbox)
    entry = control.journal_entry(merchant.sandbox, str(answer.at("ndc")))
    requests = [each for each in entry["messages"] if each["receiver"] == "acquirer"]
    return [name for message in requests for name in message["body"]["parameters"]]

"""Steps about a payment with some parameters changed, and about the members of a response."""

from collections.abc import Sequence

from pytest_bdd import parsers, then, when

from features.spec import field, results
from features.spec.companions import COMPANIONS, REFERENCE_CARD
from features.steps.phrases import MONEY, PAYS, TYPES, several
from features.support.assertions import Judge
from features.support.disclosure import is_disclosed
from features.support.merchant import Merchant
from simulator.client import Answer

FORMS = {
    "a checkout id": results.CHECKOUT_ID,
    "a payment id": results.PAYMENT_ID,
    "a result code": results.RESULT_CODE,
    "a request id": results.NDC,
    "a timestamp": results.TIMESTAMP,
    "an amount": results.AMOUNT,
    "an authorization code": results.AUTHORIZATION_CODE,
    "a retrieval reference": results.RETRIEVAL_REFERENCE,
    "a merchant id": results.MERCHANT_ID,
    "a time without a zone": results.TERMINAL_TIME,
    "some text": r".+",
    "a text of 2048 characters": r"(?s).{2048}",
    **field.FORMS,
}
CARDLESS = dict.fromkeys(REFERENCE_CARD, "")
DIRECT_DEBIT = {"paymentBrand": "DIRECTDEBIT_SEPA"}


@when(parsers.re(rf"{PAYS} with"), target_fixture="answer")
def pay_with_several(
    merchant: Merchant,
    verb: str,
    amount: str,
    currency: str,
    *,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return merchant.pay_by_card(TYPES[verb], amount, currency, several(datatable))


@when(parsers.re(rf'{PAYS} with (?P<name>\S+) "(?P<value>.*)"'), target_fixture="answer")
def pay_with(
    merchant: Merchant, verb: str, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return merchant.pay_by_card(TYPES[verb], amount, currency, {name: value})


@when(
    parsers.re(rf"the merchant debits {MONEY} with (?P<name>\S+) of (?P<length>\d+) characters"),
    converters={"length": int},
    target_fixture="answer",
)
def pay_with_length(
    merchant: Merchant, amount: str, currency: str, *, name: str, length: int
) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {name: "a" * length})


@when(
    parsers.re(rf"the merchant debits {MONEY} without (?P<name>[a-zA-Z.]+)"),
    target_fixture="answer",
)
def pay_without(merchant: Merchant, amount: str, currency: str, *, name: str) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {name: ""})


@when(
    parsers.re(rf"the merchant debits {MONEY} with an empty (?P<name>\S+)"), target_fixture="answer"
)
def pay_with_empty(merchant: Merchant, amount: str, currency: str, *, name: str) -> Answer:
    return merchant.pay_leaving_empty(name, amount, currency)


@when(
    parsers.re(rf"the merchant debits {MONEY} by the card (?P<number>\d+) without a brand"),
    target_fixture="answer",
)
def pay_by_card_alone(merchant: Merchant, amount: str, currency: str, *, number: str) -> Answer:
    code = "1234" if number.startswith(("34", "37")) else "123"
    card = {"card.number": number, "card.cvv": code, "paymentBrand": ""}
    return merchant.pay_by_card("DB", amount, currency, card)


@when(
    parsers.re(rf"the merchant debits {MONEY} by the (?P<brand>[A-Z]+) card (?P<number>\d+)"),
    target_fixture="answer",
)
def pay_by_brand(
    merchant: Merchant, amount: str, currency: str, *, brand: str, number: str
) -> Answer:
    card = {"card.number": number, "paymentBrand": brand}
    return merchant.pay_by_card("DB", amount, currency, card)


@when(
    parsers.re(
        r"the shopper's card (?P<number>\d+) of (?P<brand>[A-Z]+) with the code (?P<code>\d+) "
        rf"is debited {MONEY}"
    ),
    target_fixture="answer",
)
def pay_by_whole_card(
    merchant: Merchant, number: str, brand: str, code: str, *, amount: str, currency: str
) -> Answer:
    card = {"card.number": number, "paymentBrand": brand, "card.cvv": code}
    return merchant.pay_by_card("DB", amount, currency, card)


@when(
    parsers.re(rf'the merchant debits {MONEY} for the customer "(?P<given>.+)" "(?P<surname>.+)"'),
    target_fixture="answer",
)
def pay_for_customer(
    merchant: Merchant, amount: str, currency: str, *, given: str, surname: str
) -> Answer:
    names = {"customer.givenName": given, "customer.surname": surname}
    return merchant.pay_by_card("DB", amount, currency, names)


@when(
    parsers.re(rf"the merchant debits {MONEY} for a cart of (?P<count>\d+) items"),
    converters={"count": int},
    target_fixture="answer",
)
def pay_for_cart(merchant: Merchant, amount: str, currency: str, *, count: int) -> Answer:
    items = {f"cart.items[{index}].name": "Book" for index in range(count)}
    return merchant.pay_by_card("DB", amount, currency, items)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} with an external authentication that lacks (?P<missing>\S+)"
    ),
    target_fixture="answer",
)
def pay_with_part_of_authentication(
    merchant: Merchant, amount: str, currency: str, *, missing: str
) -> Answer:
    authentication = {**COMPANIONS["threeDSecure.eci"], missing: ""}
    return merchant.pay_by_card("DB", amount, currency, authentication)


@when(parsers.re(rf"the merchant debits {MONEY} from a bank account of"), target_fixture="answer")
def pay_by_bank(
    merchant: Merchant, amount: str, currency: str, *, datatable: Sequence[Sequence[str]]
) -> Answer:
    account = {**CARDLESS, **DIRECT_DEBIT, **several(datatable)}
    return merchant.pay_by_card("DB", amount, currency, account)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} from the virtual account of (?P<length>\d+) characters"
    ),
    converters={"length": int},
    target_fixture="answer",
)
def pay_by_virtual_account(
    merchant: Merchant, amount: str, currency: str, *, length: int
) -> Answer:
    named = COMPANIONS["virtualAccount."]
    account = {**CARDLESS, **named, "virtualAccount.accountId": "a" * length}
    return merchant.pay_by_card("DB", amount, currency, account)


@then(parsers.re(r'the response shows (?P<path>\S+) "(?P<value>.*)"'))
def shows(answer: Answer, judge: Judge, path: str, value: str) -> None:
    judge.same(path, answer, expected=value, came=answer.at(path))


@then("the response shows")
def shows_several(answer: Answer, judge: Judge, datatable: Sequence[Sequence[str]]) -> None:
    expected = several(datatable)
    came = {path: answer.at(path) for path in expected}
    judge.same("members of the response", answer, expected=expected, came=came)


@then(parsers.re(r"the response shows (?P<path>\S+) as (?P<form>an? .+|some text)"))
def shows_form(answer: Answer, judge: Judge, path: str, form: str) -> None:
    judge.form(f"{path} as {form}", answer, pattern=FORMS[form], came=answer.at(path))


@then(parsers.re(r"the response shows no (?P<path>\S+)"))
def shows_no(answer: Answer, judge: Judge, path: str) -> None:
    judge.same(path, answer, expected=None, came=answer.at(path))


@then(parsers.re(r'the response shows another (?P<path>\S+) than "(?P<value>.+)"'))
def shows_another(answer: Answer, judge: Judge, path: str, value: str) -> None:
    judge.no_member(path, answer, banned=value, came=[answer.at(path)])


@then(parsers.parse('the response does not contain "{text}"'))
def nowhere_contains(answer: Answer, judge: Judge, text: str) -> None:
    judge.holds(
        "the whole response",
        answer,
        not is_disclosed(text, f"{answer.body} {answer.headers}"),
        expected="the text not in it",
        came="the text in it",
    )


@then("the response has a request id of its own")
def own_request_id(answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.no_member("ndc", answer, banned=answer.at("ndc"), came=[None, payment.at("ndc")])

"""Steps about registrations: stored accounts, and payments from them."""

from collections.abc import Mapping, Sequence

from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.steps.payments.checkouts import CHECKOUTS, prepare
from features.steps.phrases import MONEY, TYPES, outcome_of, several
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

REGISTRATIONS = "v1/registrations"
MANDATE = "bankAccount.mandate.id"
BANK = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
    "bankAccount.country": "DE",
}
CARDS: Mapping[str, Sent] = {"card": {}, "card without a holder": {"card.holder": ""}}
VIRTUAL = {"paymentBrand": "VIRTUAL_ACCOUNT", "virtualAccount.accountId": "jane@pay.example"}
OTHERS: Mapping[str, Sent] = {"bank account": BANK, "virtual account": VIRTUAL}
ACCOUNTS = (*CARDS, *OTHERS)
DECLINE = {"customParameters[forceResultCode]": "800.100.152"}
OTHER_IDS = {
    "an unknown id": "8a8294174b7ecb28014b9699220015ca",
    "a malformed id": "8a82",
}


@given(
    parsers.re(f"a stored (?P<kind>{'|'.join(sorted(ACCOUNTS, key=len, reverse=True))})"),
    target_fixture="stored",
)
def store_before(merchant: Merchant, kind: str) -> Answer:
    return store(merchant, account_of(merchant, kind))


@given("a stored card with", target_fixture="stored")
def store_card_before(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return store(merchant, {**card_of(merchant), **several(datatable)})


@given("the id of a payment that stored nothing", target_fixture="stored")
def pay_without_storing(merchant: Merchant) -> Answer:
    return merchant.pay_by_card("DB", "92.00", "EUR")


@given("the id of a payment that stored its card", target_fixture="stored")
def pay_and_store(merchant: Merchant) -> Answer:
    return merchant.pay_by_card("DB", "92.00", "EUR", {"createRegistration": "true"})


@given("the registration of a payment with", target_fixture="stored")
def create_by_payment_with(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    sent = {**several(datatable), "createRegistration": "true"}
    paid = merchant.pay_by_card("DB", "92.00", "EUR", sent)
    return Answer(paid.status, paid.headers, {"id": paid.at("registrationId")})


@given("a registration that was declined", target_fixture="stored")
def decline_registration(merchant: Merchant) -> Answer:
    return store(merchant, {**card_of(merchant), **DECLINE})


@given("the registration created by a payment", target_fixture="stored")
def create_by_payment(merchant: Merchant) -> Answer:
    paid = merchant.pay_by_card("DB", "92.00", "EUR", {"createRegistration": "true"})
    return Answer(paid.status, paid.headers, {"id": paid.at("registrationId")})


@given(parsers.re(f"a registration with (?P<which>{'|'.join(OTHER_IDS)})"), target_fixture="stored")
def other_registration(which: str) -> Answer:
    return Answer(0, {}, {"id": OTHER_IDS[which]})


@given("the registration is deleted", target_fixture="removal")
def delete_before(merchant: Merchant, stored: Answer) -> Answer:
    return delete(merchant, stored)


@given(parsers.re(rf"a debit of {MONEY} from the registration"), target_fixture="payment")
def debit_before(merchant: Merchant, stored: Answer, amount: str, currency: str) -> Answer:
    return charge(merchant, stored, "DB", amount, currency=currency)


@given("its lifetime is extended", target_fixture="extension")
def extend_before(merchant: Merchant, stored: Answer) -> Answer:
    return extend(merchant, stored)


@given("a registration checkout that offers the stored card", target_fixture="checkout")
def offer_in_registration_checkout(merchant: Merchant, stored: Answer) -> Answer:
    return prepare(merchant, {"createRegistration": "true", "registrations[0].id": stored.id})


@when("the merchant reads what the checkout fixed", target_fixture="answer")
def read_fixed(merchant: Merchant, checkout: Answer) -> Answer:
    return merchant.client.get(f"{CHECKOUTS}/{checkout.id}")


@when(parsers.re("the merchant stores a (?P<kind>card|bank account)"), target_fixture="answer")
def store_account(merchant: Merchant, kind: str) -> Answer:
    return store(merchant, account_of(merchant, kind))


@when("the merchant stores an account of", target_fixture="answer")
def store_other_account(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return store(merchant, several(datatable))


@when("the merchant stores a card with", target_fixture="answer")
def store_card_with(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return store(merchant, {**card_of(merchant), **several(datatable)})


@when(
    parsers.re(rf"the merchant (?P<verb>authorizes|debits|credits) {MONEY} from the registration"),
    target_fixture="answer",
)
def charge_it(
    merchant: Merchant, stored: Answer, verb: str, amount: str, *, currency: str
) -> Answer:
    return charge(merchant, stored, TYPES[verb], amount, currency=currency)


@when(
    parsers.re(
        rf"the merchant (?P<verb>authorizes|debits|credits) {MONEY} from the registration with"
    ),
    target_fixture="answer",
)
def charge_it_with(
    merchant: Merchant,
    stored: Answer,
    verb: str,
    amount: str,
    *,
    currency: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return charge(merchant, stored, TYPES[verb], amount, currency=currency, **several(datatable))


@when(
    parsers.re(rf"the other merchant debits {MONEY} from the registration"), target_fixture="answer"
)
def other_merchant_charges(
    two_merchants: list[Merchant], stored: Answer, amount: str, currency: str
) -> Answer:
    return charge(two_merchants[1], stored, "DB", amount, currency=currency)


@when("the merchant reads the registration", target_fixture="answer")
def read_it(merchant: Merchant, stored: Answer) -> Answer:
    return merchant.client.get(f"{REGISTRATIONS}/{stored.id}")


@when("the other merchant reads the registration", target_fixture="answer")
def other_merchant_reads(two_merchants: list[Merchant], stored: Answer) -> Answer:
    return two_merchants[1].client.get(f"{REGISTRATIONS}/{stored.id}")


@when("the other merchant deletes the registration", target_fixture="answer")
def other_merchant_deletes(two_merchants: list[Merchant], stored: Answer) -> Answer:
    return delete(two_merchants[1], stored)


@when("the merchant deletes the registration", target_fixture="answer")
def delete_it(merchant: Merchant, stored: Answer) -> Answer:
    return delete(merchant, stored)


@when("the merchant extends its lifetime", target_fixture="answer")
def extend_it(merchant: Merchant, stored: Answer) -> Answer:
    return extend(merchant, stored)


@when("the merchant changes the registration to", target_fixture="answer")
def change_it(merchant: Merchant, stored: Answer, datatable: Sequence[Sequence[str]]) -> Answer:
    return merchant.client.post(f"{REGISTRATIONS}/{stored.id}", several(datatable))


@then(parsers.re(r"the (?P<what>deletion|extension|change) succeeds"))
def is_done(answer: Answer, judge: Judge, what: str) -> None:
    judge.same(
        f"result of the {what}", answer, expected=(200, "000.100.110"), came=outcome_of(answer)
    )


@then("the response shows the registrationId of the registration")
def shows_registration(answer: Answer, stored: Answer, judge: Judge) -> None:
    judge.same("registrationId", answer, expected=stored.id, came=answer.at("registrationId"))


@then("the response has the id of the registration")
def has_registration_id(answer: Answer, stored: Answer, judge: Judge) -> None:
    judge.same("id of the registration", answer, expected=stored.id, came=answer.id)


@then("the response shows the mandate of the registration")
def shows_mandate(answer: Answer, stored: Answer, judge: Judge) -> None:
    expected, came = stored.at(MANDATE), answer.at(MANDATE)
    judge.holds(
        MANDATE, answer, came == expected is not None, expected=str(expected), came=str(came)
    )


@then("the registration still has no holder")
def has_no_holder(merchant: Merchant, stored: Answer, judge: Judge) -> None:
    read = merchant.client.get(f"{REGISTRATIONS}/{stored.id}")
    came = (read.status, read.at("card.holder"))
    judge.same("card.holder", read, expected=(200, None), came=came)


@then("the payment from the registration can still be read")
def payment_is_readable(merchant: Merchant, payment: Answer, judge: Judge) -> None:
    read = merchant.read(payment.id)
    judge.same("status of the payment", read, expected=200, came=read.status)


def store(merchant: Merchant, sent: Sent) -> Answer:
    """The response to a registration."""
    return merchant.client.post(REGISTRATIONS, sent)


def charge(
    merchant: Merchant, stored: Answer, kind: str, amount: str, *, currency: str, **more: str
) -> Answer:
    """The response to a payment from a registration."""
    sent = {"paymentType": kind, "amount": amount, "currency": currency, **more}
    return merchant.client.post(f"{REGISTRATIONS}/{stored.id}/payments", sent)


def account_of(merchant: Merchant, kind: str) -> Sent:
    """The parameters of an account of this kind, without empty ones."""
    sent = {**card_of(merchant), **CARDS[kind]} if kind in CARDS else OTHERS[kind]
    return {name: value for name, value in sent.items() if value}


def card_of(merchant: Merchant) -> dict[str, str]:
    """The test card without its security code."""
    return {name: value for name, value in merchant.card.items() if name != "card.cvv"}


def delete(merchant: Merchant, stored: Answer) -> Answer:
    """The response to a deletion."""
    return merchant.client.delete(f"{REGISTRATIONS}/{stored.id}")


def extend(merchant: Merchant, stored: Answer) -> Answer:
    """The response to an extension of the lifetime."""
    return merchant.client.post(f"{REGISTRATIONS}/{stored.id}/extendlife", {})

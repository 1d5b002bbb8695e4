"""Steps about recurring payments: series started by a shopper, and charges without the shopper."""

from collections.abc import Sequence

from pytest_bdd import given, parsers, then, when

from features.spec.companions import COMPANIONS
from features.steps.payments.checkouts import money, prepare
from features.steps.payments.registrations import DECLINE, card_of, charge, store
from features.steps.phrases import MONEY, several
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

REFERENCE = "standingInstruction.initialTransactionId"
NUMBER = "standingInstruction.numberOfInstallments"
DETAIL = "resultDetails.CardholderInitiatedTransactionID"
FIRST = {"standingInstruction.mode": "INITIAL", "standingInstruction.source": "CIT"}
ALONE = {"standingInstruction.source": "MIT"}
NEXT = {"standingInstruction.mode": "REPEATED", "standingInstruction.source": "MIT"}
EXTERNAL_MODE = {"testMode": "EXTERNAL"}
UNTIL = {"standingInstruction.type": "RECURRING", "standingInstruction.frequency": "0001"}
CHECKOUTS = "v1/checkouts"
PLAN = {
    "standingInstruction.type": "INSTALLMENT",
    "standingInstruction.expiry": "2099-12-31",
    "standingInstruction.frequency": "0028",
    NUMBER: "3",
}
MIGRATED = {
    "recurringMigration.paymentType": "DB",
    "recurringMigration.amount": "9.90",
    "recurringMigration.requestTimestamp": "2026-01-31 13:07:09",
    "recurringMigration.connectorTxId1": "830128374650192",
}
EXTERNAL = COMPANIONS["threeDSecure.eci"]


@given("a series started by the shopper", target_fixture="first")
@given("another series started by the shopper", target_fixture="other_series")
def start_series(merchant: Merchant) -> Answer:
    return start(merchant)


@given("a series started by the shopper in the test mode EXTERNAL", target_fixture="first")
def start_series_at_card_host(merchant: Merchant) -> Answer:
    return start(merchant, **EXTERNAL_MODE)


@given(
    parsers.re(r"a series started by the shopper from the registration by (?P<kind>PA|DB)"),
    target_fixture="first",
)
def start_series_from_registration(merchant: Merchant, stored: Answer, kind: str) -> Answer:
    return charge(merchant, stored, kind, "9.90", currency="EUR", **FIRST)


@given(
    parsers.re(r"a series started by the shopper that ends on (?P<expiry>\S+)"),
    target_fixture="first",
)
def start_series_with_end(merchant: Merchant, expiry: str) -> Answer:
    return start(merchant, **{**UNTIL, "standingInstruction.expiry": expiry})


@given(
    parsers.re(r"a series started by the shopper every (?P<days>\d+) days"),
    target_fixture="first",
)
def start_series_with_frequency(merchant: Merchant, days: str) -> Answer:
    terms = {"standingInstruction.frequency": f"{int(days):04d}"}
    return start(merchant, **{**UNTIL, "standingInstruction.expiry": "2099-12-31", **terms})


@given(parsers.re(rf"a checkout for {MONEY} in which a series starts"), target_fixture="checkout")
def create_checkout_with_series(merchant: Merchant, amount: str, currency: str) -> Answer:
    sent = {"paymentType": "DB", "amount": amount, "currency": currency}
    return merchant.client.post(CHECKOUTS, {**sent, **FIRST, "createRegistration": "true"})


@given(
    parsers.re(rf"a charge of {MONEY} of the series that is declined"), target_fixture="declined"
)
def decline_charge(merchant: Merchant, first: Answer, amount: str, currency: str) -> Answer:
    stored = Answer(200, {}, {"id": first.at("registrationId")})
    return charge(merchant, stored, "DB", amount, currency=currency, **{**NEXT, **DECLINE})


@given("nothing is charged yet")
def charge_nothing() -> None:
    """The series has no charge."""


@given("the registration is charged")
def charge_registration(merchant: Merchant, stored: Answer) -> None:
    charge(merchant, stored, "DB", "9.90", currency="EUR", **NEXT)


@given("a series of 3 installments started by the shopper", target_fixture="first")
def start_installments(merchant: Merchant) -> Answer:
    return start(merchant, **PLAN)


@given("a series of 3 installments started by the merchant", target_fixture="first")
def start_installments_alone(merchant: Merchant) -> Answer:
    return start(merchant, **{**PLAN, **ALONE})


@given(
    parsers.re(r"a series started by the merchant that ends on (?P<expiry>\S+)"),
    target_fixture="first",
)
def start_series_alone_with_end(merchant: Merchant, expiry: str) -> Answer:
    return start(merchant, **{**UNTIL, **ALONE, "standingInstruction.expiry": expiry})


@given(parsers.re(r"the registration is charged as an installment of (?P<number>\d+)"))
def charge_installment(merchant: Merchant, stored: Answer, number: str) -> None:
    plan = {**NEXT, "standingInstruction.type": "INSTALLMENT", NUMBER: number}
    charge(merchant, stored, "DB", "9.90", currency="EUR", **plan)


@given(parsers.re(rf"the merchant has charged {MONEY} of the series"), target_fixture="charges")
def charge_before(merchant: Merchant, first: Answer, amount: str, currency: str) -> list[Answer]:
    return [charge_next(merchant, first, amount, currency)]


@given(
    parsers.re(rf"the merchant has charged {MONEY} of the series twice"), target_fixture="charges"
)
def charge_twice(merchant: Merchant, first: Answer, amount: str, currency: str) -> list[Answer]:
    return [charge_next(merchant, first, amount, currency) for _ in range(2)]


@given(parsers.re(rf"the shopper has paid {MONEY} of the series"), target_fixture="paid_before")
@when(parsers.re(rf"the shopper pays {MONEY} of the series"), target_fixture="answer")
def pay_installment(merchant: Merchant, first: Answer, amount: str, currency: str) -> Answer:
    sent = {**NEXT, "standingInstruction.type": "INSTALLMENT", "standingInstruction.source": "CIT"}
    return charge(merchant, _stored_by(first), "DB", amount, currency=currency, **sent)


@given("a migrated agreement", target_fixture="first")
def migrate_agreement(merchant: Merchant) -> Answer:
    stored = store(merchant, {**card_of(merchant), **MIGRATED})
    return Answer(stored.status, stored.headers, {"registrationId": stored.id})


@when(parsers.re(rf"the merchant prepares a checkout for {MONEY} with"), target_fixture="answer")
def prepare_with_several(
    merchant: Merchant, amount: str, currency: str, *, datatable: Sequence[Sequence[str]]
) -> Answer:
    return prepare(merchant, {**money(amount, currency), **several(datatable)})


@when(
    parsers.re(rf"the merchant charges {MONEY} of the series without the shopper"),
    target_fixture="answer",
)
def charge_without_shopper(merchant: Merchant, first: Answer, amount: str, currency: str) -> Answer:
    return charge_next(merchant, first, amount, currency)


@when(
    parsers.re(
        rf"the merchant (?P<verb>authorizes|charges) {MONEY} without the shopper, with the "
        "reference of the series"
    ),
    target_fixture="answer",
)
def charge_with_reference(
    merchant: Merchant, first: Answer, amount: str, currency: str, *, verb: str
) -> Answer:
    sent = {**NEXT, REFERENCE: str(first.at(REFERENCE))}
    return merchant.pay_by_card("PA" if verb == "authorizes" else "DB", amount, currency, sent)


@when(parsers.re(r"the merchant charges the series by (?P<kind>PA|DB)"), target_fixture="answer")
def charge_by_type(merchant: Merchant, first: Answer, kind: str) -> Answer:
    return charge(merchant, _stored_by(first), kind, "9.90", currency="EUR", **NEXT)


@when(
    parsers.parse('the merchant charges the series with the reference "{reference}"'),
    target_fixture="answer",
)
def charge_under_other_reference(merchant: Merchant, first: Answer, reference: str) -> Answer:
    sent = {**NEXT, REFERENCE: reference}
    return charge(merchant, _stored_by(first), "DB", "9.90", currency="EUR", **sent)


@when(
    parsers.re(
        rf"the merchant charges {MONEY} in the test mode EXTERNAL, with the reference of the series"
    ),
    target_fixture="answer",
)
def charge_at_card_host(merchant: Merchant, first: Answer, amount: str, currency: str) -> Answer:
    sent = {**NEXT, **EXTERNAL_MODE, REFERENCE: str(first.at(REFERENCE))}
    return merchant.pay_by_card("DB", amount, currency, sent)


@when(
    parsers.re(
        rf'the merchant charges {MONEY} without the shopper, with the reference "(?P<reference>.*)"'
    ),
    target_fixture="answer",
)
def charge_with_other_reference(
    merchant: Merchant, amount: str, currency: str, *, reference: str
) -> Answer:
    return merchant.pay_by_card("DB", amount, currency, {**NEXT, REFERENCE: reference})


@when(
    parsers.re(rf"the merchant debits {MONEY} with an external authentication, in a series with"),
    target_fixture="answer",
)
def pay_authenticated(
    merchant: Merchant, amount: str, currency: str, datatable: Sequence[Sequence[str]]
) -> Answer:
    sent = {**EXTERNAL, **FIRST, **several(datatable)}
    return merchant.pay_by_card("DB", amount, currency, sent)


@then("the response shows a reference for the series")
def shows_new_reference(answer: Answer, judge: Judge) -> None:
    judge.form(REFERENCE, answer, pattern=".+", came=answer.at(REFERENCE))


@then("the result details show the same reference")
def details_show_reference(answer: Answer, judge: Judge) -> None:
    judge.same(DETAIL, answer, expected=answer.at(REFERENCE), came=answer.at(DETAIL))


@then("the response shows no reference for the series")
def shows_no_reference(answer: Answer, judge: Judge) -> None:
    judge.same("references", answer, expected=(None, None), came=references_in(answer))


@then("the response does not show the reference of the other series")
def shows_other_reference(answer: Answer, other_series: Answer, judge: Judge) -> None:
    banned = other_series.at(REFERENCE)
    judge.no_member(REFERENCE, answer, banned=banned, came=[None, answer.at(REFERENCE)])


@then("the response shows the reference of the series")
def shows_reference(answer: Answer, first: Answer, judge: Judge) -> None:
    judge.same(REFERENCE, answer, expected=first.at(REFERENCE), came=answer.at(REFERENCE))


def start(merchant: Merchant, **terms: str) -> Answer:
    """The response to the shopper's first payment of a series, which stores the card."""
    sent = {**FIRST, **terms, "createRegistration": "true"}
    return merchant.pay_by_card("DB", "9.90", "EUR", sent)


def charge_next(merchant: Merchant, first: Answer, amount: str, currency: str) -> Answer:
    """The response to a charge without the shopper."""
    return charge(merchant, _stored_by(first), "DB", amount, currency=currency, **NEXT)


def references_in(answer: Answer) -> tuple[object, object]:
    """The reference of a series, which a response has in two members."""
    return answer.at(REFERENCE), answer.at(DETAIL)


def _stored_by(first: Answer) -> Answer:
    """The registration that the first payment of a series left."""
    return Answer(200, {}, {"id": first.at("registrationId")})

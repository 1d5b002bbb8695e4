"""Steps about people without the right to something: another merchant, and the shopper's form."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from features.steps.merchants.every_request import PAID, UNKNOWN_ID
from features.steps.payments.checkouts import CHECKOUTS, change, money, post, prepare, read, submit
from features.steps.payments.recurring import NEXT, REFERENCE
from features.steps.payments.registrations import REGISTRATIONS, charge, delete, extend
from features.steps.payments.reports import PAGES, QUERY
from features.steps.payments.schedules import SCHEDULES, deschedule, reschedule
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import PAYMENTS, Merchant
from simulator.client import Answer, Control, form_of

Deed = tuple[str, Callable[[Merchant, Answer], Answer]]
RENEWED = {"card.expiryMonth": "06", "card.expiryYear": "2098"}


def _offers(other: Merchant, stored: Answer) -> Answer:
    return prepare(other, {**money("92.00", "EUR"), "registrations[0].id": stored.id})


def _pays_elsewhere(other: Merchant, stored: Answer) -> Answer:
    checkout = prepare(other, money("92.00", "EUR"))
    return post(other, checkout, "payment", {"registrationId": stored.id, "card.cvv": "123"})


def _charges_series(other: Merchant, first: Answer) -> Answer:
    stored = Answer(200, {}, {"id": first.at("registrationId")})
    return charge(other, stored, "DB", "9.90", currency="EUR", **NEXT)


def _schedules(other: Merchant, stored: Answer) -> Answer:
    sent = {"registrationId": stored.id, "paymentType": "DB", "job.dayOfMonth": "05", **PAID}
    return other.client.post(SCHEDULES, sent)


def _refers(kind: str) -> Callable[[Merchant, Answer], Answer]:
    return lambda other, payment: other.refer(payment.id, kind, **PAID)


# What another may try, and the fixture of the object it is tried with.
DEEDS: Mapping[str, Deed] = {
    "read the payment": ("payment", lambda other, it: other.read(it.id)),
    "capture the payment": ("payment", _refers("CP")),
    "refund the payment": ("payment", _refers("RF")),
    "reverse the payment": ("payment", lambda other, it: other.refer(it.id, "RV")),
    "rebill the payment": ("payment", _refers("RB")),
    "charge back the payment": ("payment", _refers("CB")),
    "record a receipt of the payment": ("payment", _refers("RC")),
    "report the payment": ("payment", lambda other, it: other.client.get(f"{QUERY}/{it.id}")),
    "report the payment in pages": (
        "payment", lambda other, it: other.client.get(f"{PAGES}/{it.id}"),
    ),
    "read the result of the checkout": (
        "checkout", lambda other, it: read(other, it.id, "payment"),
    ),
    "read the registration of the checkout": (
        "checkout", lambda other, it: read(other, it.id, "registration"),
    ),
    "pay in the checkout": (
        "checkout", lambda other, it: post(other, it, "payment", other.card),
    ),
    "register in the checkout": (
        "checkout", lambda other, it: post(other, it, "registration", other.card),
    ),
    "change the checkout": ("checkout", lambda other, it: change(other, it, {"amount": "1.00"})),
    "delete the checkout": (
        "checkout", lambda other, it: other.client.delete(f"{CHECKOUTS}/{it.id}"),
    ),
    "read the stored card": (
        "stored", lambda other, it: other.client.get(f"{REGISTRATIONS}/{it.id}"),
    ),
    "change the stored card": (
        "stored", lambda other, it: other.client.post(f"{REGISTRATIONS}/{it.id}", RENEWED),
    ),
    "extend the stored card": ("stored", extend),
    "delete the stored card": ("stored", delete),
    "charge the stored card": (
        "stored", lambda other, it: charge(other, it, "DB", "9.90", currency="EUR"),
    ),
    "schedule the stored card": ("stored", _schedules),
    "list the schedules of the stored card": (
        "stored", lambda other, it: other.client.get(f"{SCHEDULES}/{it.id}"),
    ),
    "offer the stored card": ("stored", _offers),
    "pay by the stored card in a checkout": ("stored", _pays_elsewhere),
    "read the schedule": ("schedule", lambda other, it: other.client.get(f"{SCHEDULES}/{it.id}")),
    "reschedule the schedule": (
        "schedule", lambda other, it: reschedule(other, it, "1.00", "EUR"),
    ),
    "deschedule the schedule": ("schedule", deschedule),
    "charge the card of the series": ("first", _charges_series),
    "charge with the reference of the series": (
        "first",
        lambda other, it: other.pay_by_card(
            "DB", "9.90", "EUR", {**NEXT, REFERENCE: str(it.at(REFERENCE))}
        ),
    ),
}  # fmt: skip
WHO = r"(?P<who>the other merchant|a merchant of another sandbox)"
DEED = rf"(?P<deed>{'|'.join(sorted(DEEDS, key=len, reverse=True))})"
# What the form of a shopper may try beyond paying in its own checkout.
FORM_DEEDS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "read the result": ("GET", f"{CHECKOUTS}/{{id}}/payment", {}),
    "take a payment of its own": ("POST", PAYMENTS, {"paymentType": "DB", **PAID}),
    "store a card of its own": ("POST", REGISTRATIONS, {}),
    "change the checkout": ("POST", f"{CHECKOUTS}/{{id}}", {"amount": "1.00"}),
    "delete the checkout": ("DELETE", f"{CHECKOUTS}/{{id}}", {}),
    "request a report": ("GET", QUERY, {}),
    "refund a payment": ("POST", f"{PAYMENTS}/{UNKNOWN_ID}", {"paymentType": "RF", **PAID}),
}


@given(parsers.re(rf"{WHO} tries to {DEED}"), target_fixture="attempt")
@when(parsers.re(rf"{WHO} tries to {DEED}"), target_fixture="answer")
def try_deed(request: pytest.FixtureRequest, who: str, deed: str) -> Answer:
    fixture, act = DEEDS[deed]
    found: Any = request.getfixturevalue(fixture)
    return act(person(request, who), found)


@when(parsers.re(rf"the payment form tries to (?P<deed>{'|'.join(FORM_DEEDS)})"),
      target_fixture="answer")  # fmt: skip
def form_tries(control: Control, merchant: Merchant, checkout: Answer, deed: str) -> Answer:
    method, path, sent = FORM_DEEDS[deed]
    capability = control.issue_capability(merchant.sandbox, checkout.id)
    headers = {"Authorization": f"Checkout {capability}"}
    named = {"entityId": merchant.client.entity_id, **sent}
    path = path.format(id=checkout.id)
    if method == "POST":
        return merchant.client.request("POST", path, headers=headers, body=form_of(named))
    return merchant.client.request(method, f"{path}?{form_of(named).decode()}", headers=headers)


@when(parsers.re(rf"the payment form of another checkout for {MONEY} pays in the checkout"),
      target_fixture="answer")  # fmt: skip
def form_of_another_pays(
    control: Control, merchant: Merchant, checkout: Answer, *, amount: str, currency: str
) -> Answer:
    another = prepare(merchant, money(amount, currency))
    capability = control.issue_capability(merchant.sandbox, another.id)
    return submit(merchant, checkout, capability, merchant.card)


@when(parsers.parse('the payment form pays in the checkout with the credentials "{credentials}"'),
      target_fixture="answer")  # fmt: skip
def form_pays_with(merchant: Merchant, checkout: Answer, credentials: str) -> Answer:
    return submit(merchant, checkout, credentials, merchant.card)


@when("the payment form pays in the checkout by the stored card", target_fixture="answer")
def form_pays_by_stored(
    control: Control, merchant: Merchant, checkout: Answer, stored: Answer
) -> Answer:
    capability = control.issue_capability(merchant.sandbox, checkout.id)
    sent = {"registrationId": stored.id, "card.cvv": merchant.card["card.cvv"]}
    return submit(merchant, checkout, capability, sent)


@then("the request is refused like one for something unknown")
def refused_as_unknown(answer: Answer, judge: Judge) -> None:
    is_hidden = "92.00" not in str(answer.body) and "Jane Jones" not in str(answer.body)
    judge.holds(
        "result of the refusal",
        answer,
        answer.status == 404 and is_hidden,
        expected="status 404 and nothing of the object",
        came=f"status {answer.status}",
    )


def person(request: pytest.FixtureRequest, who: str) -> Merchant:
    """The merchant who tries something without the right to it."""
    if who == "the other merchant":
        merchants: list[Merchant] = request.getfixturevalue("two_merchants")
        return merchants[1]
    found: Merchant = request.getfixturevalue("foreign_merchant")
    return found

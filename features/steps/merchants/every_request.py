"""Steps about rules that hold with every kind of request: the same parameter with each of them, and
each of them without the right to it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.spec.results import is_success
from features.steps.payments.bank_accounts import DEBIT, NATIONAL, SHOPPER, WALLET
from features.steps.payments.checkouts import CHECKOUTS, REGISTERING, change, money, post, prepare
from features.steps.payments.registrations import REGISTRATIONS, VIRTUAL, card_of, store
from features.steps.payments.reports import QUERY
from features.steps.payments.risk import SCREENING
from features.steps.payments.schedules import SCHEDULES
from features.steps.phrases import several
from features.support.assertions import Judge
from features.support.merchant import PAYMENTS, Merchant
from simulator.client import Answer, form_of

AMOUNT, CURRENCY = "92.00", "EUR"
PAID = {"amount": AMOUNT, "currency": CURRENCY}
# Some channels require a reference of every payment, also of one that is captured later.
FIRST = {"merchantTransactionId": "first-4711"}
# The other brand of direct debits.
BY_SEPA = {**DEBIT, "paymentBrand": "SEPA"}
UNKNOWN_ID = "8a" * 16
# Members of a response that are about the request and not about the payment.
OF_THE_ANSWER = {"timestamp", "ndc", "buildNumber"}
Sending = Callable[[Merchant, Sent], Answer]


class RequestKind(NamedTuple):
    """A kind of request: method, path with `{id}`, and what is sent."""

    method: str
    path: str
    sent: Sent = {}


def _pays(kind: str) -> Sending:
    return lambda merchant, more: merchant.pay_by_card(kind, AMOUNT, CURRENCY, more)


def _refers(first: str, kind: str) -> Sending:
    def ask(merchant: Merchant, more: Sent) -> Answer:
        before = merchant.pay_by_card(first, AMOUNT, CURRENCY, FIRST)
        sent = {"paymentType": kind, **PAID, **more}
        return merchant.client.post(f"{PAYMENTS}/{before.id}", _given(sent))

    return ask


def _charges(account: Sent | None = None) -> Sending:
    def ask(merchant: Merchant, more: Sent) -> Answer:
        stored = store(merchant, {**(account or card_of(merchant)), **FIRST})
        sent = _given({"paymentType": "DB", **PAID, **more})
        return merchant.client.post(f"{REGISTRATIONS}/{stored.id}/payments", sent)

    return ask


def _pays_in_checkout(account: Sent | None = None) -> Sending:
    def ask(merchant: Merchant, more: Sent) -> Answer:
        checkout = prepare(merchant, money(AMOUNT, CURRENCY))
        return post(merchant, checkout, "payment", _given({**(account or merchant.card), **more}))

    return ask


def _registers_in_checkout(merchant: Merchant, more: Sent) -> Answer:
    checkout = prepare(merchant, REGISTERING)
    return post(merchant, checkout, "registration", _given({**card_of(merchant), **more}))


def _changes_checkout(merchant: Merchant, more: Sent) -> Answer:
    return change(merchant, prepare(merchant, money(AMOUNT, CURRENCY)), more)


def _pays_by(account: Sent) -> Sending:
    return lambda merchant, more: merchant.pay(
        _given({"paymentType": "DB", **PAID, **account, **more})
    )


def _stores(account: Sent | None = None) -> Sending:
    return lambda merchant, more: store(
        merchant, _given({**(account or card_of(merchant)), **more})
    )


def _schedules(merchant: Merchant, more: Sent) -> Answer:
    stored = store(merchant, card_of(merchant))
    sent = {"registrationId": stored.id, "paymentType": "DB", "job.dayOfMonth": "05", **PAID}
    return merchant.client.post(SCHEDULES, _given({**sent, **more}))


def _given(sent: Sent) -> dict[str, str]:
    """What is sent: an empty value leaves a parameter out."""
    return {name: value for name, value in sent.items() if value}


KINDS: Mapping[str, Sending] = {
    "an authorization": _pays("PA"),
    "a debit": _pays("DB"),
    "a debit at the card host": lambda merchant, more: merchant.pay_by_card(
        "DB", AMOUNT, CURRENCY, {"testMode": "EXTERNAL", **more}
    ),
    "a wallet payment": _pays_by(WALLET),
    "a wallet payment in a checkout": _pays_in_checkout(WALLET),
    "a direct debit": _pays_by(DEBIT),
    "a direct debit in a checkout": _pays_in_checkout(DEBIT),
    "a direct debit by SEPA": _pays_by(BY_SEPA),
    "a direct debit by SEPA in a checkout": _pays_in_checkout(BY_SEPA),
    "a payment from a virtual account": _pays_by(VIRTUAL),
    "a payment from a virtual account in a checkout": _pays_in_checkout(VIRTUAL),
    "a credit": _pays("CD"),
    "a capture": _refers("PA", "CP"),
    "a reversal": _refers("PA", "RV"),
    "a receipt": _refers("PA", "RC"),
    "a refund": _refers("DB", "RF"),
    "a rebill": _refers("DB", "RB"),
    "a registration of a bank account": _stores({**DEBIT, "bankAccount.country": "DE"}),
    "a registration of a virtual account": _stores(VIRTUAL),
    "a registration of a wallet": _stores(WALLET),
    "a registration": _stores(),
    "a credit to a bank account": _pays_by(
        {**SHOPPER, "paymentBrand": "SEPA", "paymentType": "CD"}
    ),
    "a registration in a checkout": _registers_in_checkout,
    "a payment from a registration": _charges(),
    "a payment from a stored bank account": _charges(DEBIT),
    "a payment from a stored SEPA account": _charges(BY_SEPA),
    "a payment from a national account that is stored": _charges(NATIONAL),
    "a checkout": lambda merchant, more: prepare(
        merchant, _given({**money(AMOUNT, CURRENCY), **more})
    ),
    "a change of a checkout": _changes_checkout,
    "a payment in a checkout": _pays_in_checkout(),
    "a schedule": _schedules,
    "a risk check": lambda merchant, more: merchant.client.post(
        SCREENING, _given({**PAID, **merchant.card, **more})
    ),
    "a risk check of a bank account": lambda merchant, more: merchant.client.post(
        SCREENING, _given({**PAID, **DEBIT, **more})
    ),
}
REQUESTS: Mapping[str, RequestKind] = {
    "takes a payment": RequestKind("POST", PAYMENTS, {"paymentType": "DB", **PAID}),
    "reads a payment": RequestKind("GET", f"{PAYMENTS}/{{id}}"),
    "captures a payment": RequestKind("POST", f"{PAYMENTS}/{{id}}", {"paymentType": "CP", **PAID}),
    "prepares a checkout": RequestKind("POST", CHECKOUTS, money(AMOUNT, CURRENCY)),
    "reads a checkout": RequestKind("GET", f"{CHECKOUTS}/{{id}}"),
    "deletes a checkout": RequestKind("DELETE", f"{CHECKOUTS}/{{id}}"),
    "pays in a checkout": RequestKind("POST", f"{CHECKOUTS}/{{id}}/payment"),
    "registers in a checkout": RequestKind("POST", f"{CHECKOUTS}/{{id}}/registration"),
    "reads the registration of a checkout": RequestKind("GET", f"{CHECKOUTS}/{{id}}/registration"),
    "changes a checkout": RequestKind("POST", f"{CHECKOUTS}/{{id}}", {"amount": AMOUNT}),
    "reads the result of a checkout": RequestKind("GET", f"{CHECKOUTS}/{{id}}/payment"),
    "stores an account": RequestKind("POST", REGISTRATIONS),
    "changes a registration": RequestKind("POST", f"{REGISTRATIONS}/{{id}}"),
    "extends a registration": RequestKind("POST", f"{REGISTRATIONS}/{{id}}/extendlife"),
    "reads a registration": RequestKind("GET", f"{REGISTRATIONS}/{{id}}"),
    "charges a registration": RequestKind("POST", f"{REGISTRATIONS}/{{id}}/payments", PAID),
    "deletes a registration": RequestKind("DELETE", f"{REGISTRATIONS}/{{id}}"),
    "schedules payments": RequestKind("POST", SCHEDULES, PAID),
    "reads a schedule": RequestKind("GET", f"{SCHEDULES}/{{id}}"),
    "ends a schedule": RequestKind("POST", f"{SCHEDULES}/{{id}}/deschedule"),
    "lists schedules": RequestKind("GET", SCHEDULES),
    "changes a schedule": RequestKind("POST", f"{SCHEDULES}/{{id}}/reschedule"),
    "deletes a schedule": RequestKind("DELETE", f"{SCHEDULES}/{{id}}"),
    "requests a report": RequestKind("GET", f"{QUERY}/{{id}}"),
    "requests a risk check": RequestKind("POST", SCREENING, PAID),
}
KIND = rf"(?P<kind>{'|'.join(sorted(KINDS, key=len, reverse=True))})"
REQUEST = rf"(?P<request_kind>{'|'.join(sorted(REQUESTS, key=len, reverse=True))})"
SENDS = rf'the merchant sends (?P<name>\S+) "(?P<value>[^"]*)" with {KIND}'


@when(parsers.re(SENDS), target_fixture="answer")
def send_with(merchant: Merchant, name: str, value: str, kind: str) -> Answer:
    return KINDS[kind](merchant, {name: value})


@given(
    parsers.re(rf'the merchant has sent (?P<name>\S+) "(?P<value>[^"]*)" with {KIND}'),
    target_fixture="payment",
)
def send_before(merchant: Merchant, name: str, value: str, kind: str) -> Answer:
    return KINDS[kind](merchant, {name: value})


@when(parsers.re(rf"the merchant sends these with {KIND}"), target_fixture="answer")
def send_several(merchant: Merchant, kind: str, datatable: Sequence[Sequence[str]]) -> Answer:
    return KINDS[kind](merchant, several(datatable))


@when(parsers.re(rf"a merchant without credentials {REQUEST}"), target_fixture="answer")
def ask_anonymously(merchant: Merchant, request_kind: str) -> Answer:
    return _ask(merchant, REQUESTS[request_kind], {"Authorization": None})


@when(parsers.re(rf"a merchant with a token that was never issued {REQUEST}"),
      target_fixture="answer")  # fmt: skip
def ask_with_unknown_token(merchant: Merchant, request_kind: str) -> Answer:
    return _ask(merchant.with_token("A" * 40), REQUESTS[request_kind], {})


@when(parsers.re(rf"a merchant that names no entity {REQUEST}"), target_fixture="answer")
def ask_without_entity(merchant: Merchant, request_kind: str) -> Answer:
    return _ask(merchant, REQUESTS[request_kind], {}, {})


@when(parsers.re(rf"a merchant that names another merchant {REQUEST}"), target_fixture="answer")
def ask_for_another(two_merchants: list[Merchant], request_kind: str) -> Answer:
    merchant, other = two_merchants
    return _ask(merchant.naming(other.client.entity_id), REQUESTS[request_kind], {})


@when(parsers.re(rf"a merchant with its token only in the address {REQUEST}"),
      target_fixture="answer")  # fmt: skip
def ask_with_token_in_address(merchant: Merchant, request_kind: str) -> Answer:
    asked, token = REQUESTS[request_kind], form_of({"accessToken": merchant.client.token}).decode()
    named = {"entityId": merchant.client.entity_id, **asked.sent}
    path, headers = f"{asked.path.format(id=UNKNOWN_ID)}?{token}", {"Authorization": None}
    if asked.method == "POST":
        return merchant.client.request("POST", path, headers=headers, body=form_of(named))
    query = form_of(named).decode()
    return merchant.client.request(asked.method, f"{path}&{query}", headers=headers)


@when(parsers.re(rf"a merchant with a full window {REQUEST}"), target_fixture="answer")
def ask_twice(merchant: Merchant, request_kind: str) -> Answer:
    _ask(merchant, REQUESTS[request_kind], {})
    return _ask(merchant, REQUESTS[request_kind], {})


@when(parsers.re(rf"the merchant {REQUEST} that does not exist"), target_fixture="answer")
def ask_about_unknown(merchant: Merchant, request_kind: str) -> Answer:
    return _ask(merchant, REQUESTS[request_kind], {})


@given("a schedule of the stored card", target_fixture="schedule")
def schedule_of(merchant: Merchant, stored: Answer) -> Answer:
    sent = {"registrationId": stored.id, "paymentType": "DB", "job.dayOfMonth": "05", **PAID}
    return merchant.client.post(SCHEDULES, sent)


@when(parsers.re(r"the other merchant (?P<does>reads|ends) the schedule"), target_fixture="answer")
def other_asks_about_schedule(two_merchants: list[Merchant], schedule: Answer, does: str) -> Answer:
    path = f"{SCHEDULES}/{schedule.id}"
    other = two_merchants[1].client
    return other.get(path) if does == "reads" else other.post(f"{path}/deschedule", {})


@when("the other merchant schedules the stored card", target_fixture="answer")
def other_schedules(two_merchants: list[Merchant], stored: Answer) -> Answer:
    sent = {"registrationId": stored.id, "paymentType": "DB", "job.dayOfMonth": "05", **PAID}
    return two_merchants[1].client.post(SCHEDULES, sent)


@when(parsers.re(r"the other merchant (?P<verb>refunds|rebills) it"), target_fixture="answer")
def other_refers(two_merchants: list[Merchant], payment: Answer, verb: str) -> Answer:
    kind = {"refunds": "RF", "rebills": "RB"}[verb]
    return two_merchants[1].refer(payment.id, kind, **PAID)


@then("it is accepted")
def is_accepted(answer: Answer, judge: Judge) -> None:
    accepted = answer.status == 200 and (is_success(answer.code) or answer.code.startswith("000."))
    judge.holds(
        "the request", answer, accepted, expected="200 and a success", came=f"{answer.status}"
    )


@then("what is read is what was answered")
def reads_as_answered(merchant: Merchant, answer: Answer, judge: Judge) -> None:
    read = merchant.read(answer.id)
    expected, came = (
        {name: value for name, value in each.body.items() if name not in OF_THE_ANSWER}
        for each in (answer, read)
    )
    judge.same("members of the payment", read, expected=expected, came=came)


@then("the response shows all that the payment showed")
def shows_as_paid(answer: Answer, payment: Answer, judge: Judge) -> None:
    expected, came = (
        {name: value for name, value in each.body.items() if name not in OF_THE_ANSWER}
        for each in (payment, answer)
    )
    judge.same("members of the payment", answer, expected=expected, came=came)


def _ask(
    merchant: Merchant,
    asked: RequestKind,
    headers: Mapping[str, str | None],
    named: Sent | None = None,
) -> Answer:
    """The answer to a request that names its entity, unless `named` says something else."""
    client, path = merchant.client, asked.path.format(id=UNKNOWN_ID)
    whom = {"entityId": client.entity_id} if named is None else named
    if asked.method == "POST":
        return client.request("POST", path, headers=headers, body=form_of({**whom, **asked.sent}))
    query = form_of(whom).decode()
    return client.request(asked.method, f"{path}?{query}" if query else path, headers=headers)

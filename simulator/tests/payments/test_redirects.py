"""Redirected payments as the merchant, the tester and the clock see them; the page itself is in
test_redirect_page.py.
"""

from contextlib import nullcontext, suppress
from datetime import timedelta
from random import Random

import gevent
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.flow import WAY_BACK
from simulator.catalogue.operations.payments import CREATE_PAYMENT
from simulator.derive.checks.check import compile_check
from simulator.derive.schemas.conditions import conditions_of
from simulator.domain.accounts.accounts import Account
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.core.records import (
    Origin,
    Outcome,
    Payment,
    PaymentSource,
    PaymentType,
    State,
)
from simulator.domain.payments.pending import EXPIRED, Awaited, ShopperChoice
from simulator.domain.payments.redirects import (
    ResultPlace,
    is_redirected,
    result_place,
    token_in,
    with_result,
)
from simulator.grammar.choices import choose as chosen
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pending import UnknownPendingError, end_pending, release_pending
from simulator.service.payments.pipeline import take_payment
from simulator.service.payments.redirects import apply_choice
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.kit.making import APPROVED, DECLINED, a_context, ledger_entries_in, new_ids
from simulator.tests.payments.test_captures_at_once import Interleaving

SHOP = "https://shop.example/done?order=4711"
ORDER = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "EPS",
    "shopperResultUrl": SHOP,
}
PENDING = Outcome(code="000.200.000")
CANCELLED, FAILED = "100.396.101", "100.396.104"


class Redirecting:
    """An acquirer that sends the shopper away where the ask says so."""

    def __init__(self, paid: Outcome | None = APPROVED, **plan: object):
        self.paid, self.plan_of = paid, plan

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """Pending until the shopper has paid."""
        if not ask.redirects:
            return AcquirerResponse(outcome=APPROVED)
        return AcquirerResponse(outcome=PENDING, redirects=True, paid=self.paid, **self.plan_of)


def redirected(
    context: ChannelContext, origin: Origin | None = None, **more: str | None
) -> Payment:
    """A payment of a brand that redirects."""
    sent = {name: value for name, value in {**ORDER, **more}.items() if value is not None}
    return take_payment(context, sent, new_ids(context), origin or Origin())


@pytest.fixture
def context() -> ChannelContext:
    """A context in front of an acquirer that redirects."""
    return a_context(acquirer=Redirecting())


def code_of(context: ChannelContext, payment: Payment) -> str:
    return read_payment(context, payment.id).outcome.code


def test_a_brand_that_redirects_leaves_the_payment_pending_with_a_place_to_go(
    context: ChannelContext,
) -> None:
    payment = redirected(context)

    assert payment.state is State.PENDING
    start = f"http://gateway.test/redirect/{context.ports.sandbox.id}/{payment.id}/"
    assert payment.redirect.url.startswith(start)
    assert len(token_in(payment.redirect)) == 48
    assert payment.redirect.parameters == {"reference": payment.short_id}


def test_a_payment_on_the_live_host_is_redirected_to_the_live_host(context: ChannelContext) -> None:
    payment = redirected(replace(context, host="live"))

    assert payment.redirect.url.startswith("http://live.gateway.test/redirect/")


def test_two_payments_have_two_secrets(context: ChannelContext) -> None:
    assert token_in(redirected(context).redirect) != token_in(redirected(context).redirect)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"paymentType": "CD"}, "a payout goes to the shopper, who is not asked"),
        ({"paymentType": "RG"}, "a registration moves nothing"),
    ],
)
def test_what_asks_no_acquirer_does_not_redirect(
    context: ChannelContext, more: dict, why: str
) -> None:
    account = {"bankAccount.holder": "Jane Jones", "bankAccount.iban": "DE89370400440532013000",
               "bankAccount.bic": "MARKDEF1", "bankAccount.country": "DE"}  # fmt: skip
    payment = redirected(context, **account, shopperResultUrl=None, **more)

    assert payment.redirect is None and payment.state is not State.PENDING, why


def test_a_payment_of_a_schedule_does_not_redirect(context: ChannelContext) -> None:
    payment = redirected(context, Origin(source=PaymentSource.SCHEDULER), shopperResultUrl=None)

    assert payment.redirect is None


def test_who_is_redirected_must_be_able_to_return(context: ChannelContext) -> None:
    with pytest.raises(Violations) as raised:
        redirected(context, shopperResultUrl=None)

    (violation,) = raised.value.violations
    assert (violation.name, violation.rule) == ("shopperResultUrl", "ASYNC-01")
    assert violation.message.startswith(
        "must be present so the shopper's browser can be redirected back to you"
    )


def way_back_schemas() -> list[Draft202012Validator]:
    """What the schema of a payment says of it."""
    names = tuple(name for table in CREATE_PAYMENT.tables for row in table.rows
                  for name in row.concrete_names)  # fmt: skip
    return [Draft202012Validator(schema) for _, schema in conditions_of([WAY_BACK], names)]


@pytest.mark.parametrize(
    ("more", "is_needed"),
    [
        ({}, True),
        ({"paymentType": "PA"}, True),
        ({"paymentType": "CD"}, False),
        ({"paymentType": "RG"}, False),
        ({"paymentBrand": "VISA"}, False),
        ({"standingInstruction.source": "MIT"}, False),
        ({"standingInstruction.source": "CIT", "recurringType": "REPEATED"}, True),
        ({"recurringType": "REPEATED"}, False),
        ({"recurringType": "INITIAL"}, True),
        ({"recurringType": "REPEATED", "standingInstruction.mode": "REPEATED"}, True),
        ({"shopperResultUrl": "https://shop.example"}, False),
    ],
)
def test_the_check_and_the_decision_ask_for_a_way_back_alike(more: dict, is_needed: bool) -> None:
    check = compile_check(CREATE_PAYMENT, chosen(CHOICES, "specification"))
    sent = {**ORDER, **more}
    if "shopperResultUrl" not in more:
        del sent["shopperResultUrl"]
    broken = {each.rule for each in check.violations_of({"entityId": "8" * 32, **sent})}
    account = Account(sent["paymentBrand"], redirects=BRANDS[sent["paymentBrand"]].redirects)

    assert ("ASYNC-01" in broken) == is_needed
    assert all(schema.is_valid(sent) for schema in way_back_schemas()) != is_needed
    with pytest.raises(Violations) if is_needed else nullcontext():
        is_redirected(account, sent, PaymentSource.OPP)


@pytest.mark.parametrize(
    "url",
    ["javascript://shop/%0aalert(1)", "DATA://text/html,x", "shop.example/done", "//shop.example",
     "file:///etc/hosts"],
)  # fmt: skip
def test_a_way_back_that_no_browser_may_take_is_refused(context: ChannelContext, url: str) -> None:
    with pytest.raises(Violations, match="shopperResultUrl"):
        redirected(context, shopperResultUrl=url)


@pytest.mark.parametrize(
    ("choice", "code", "state"),
    [
        (ShopperChoice.PAY, "000.100.110", State.COMPLETED),
        (ShopperChoice.CANCEL, CANCELLED, State.FAILED),
        (ShopperChoice.FAIL, FAILED, State.FAILED),
        (ShopperChoice.LEAVE, "000.200.000", State.PENDING),
    ],
)
def test_the_shoppers_choice_ends_the_payment(
    context: ChannelContext, choice: ShopperChoice, code: str, state: State
) -> None:
    payment = redirected(context)

    chosen = apply_choice(context.ports, payment, choice)

    assert (chosen.outcome.code, chosen.state) == (code, state)
    assert chosen == read_payment(context, payment.id)
    assert (context.ports.store.get(Awaited, payment.id) is None) == (
        choice is not ShopperChoice.LEAVE
    )


def test_who_pays_gets_what_the_acquirer_would_have_answered() -> None:
    context = a_context(acquirer=Redirecting(DECLINED))

    assert apply_choice(context.ports, redirected(context), ShopperChoice.PAY).outcome == DECLINED


def test_paying_hurries_no_acquirer_that_is_still_to_confirm() -> None:
    minute = timedelta(minutes=1)
    context = a_context(acquirer=Redirecting(None, then=APPROVED, then_after=minute))
    payment = redirected(context)

    assert apply_choice(context.ports, payment, ShopperChoice.PAY).state is State.PENDING
    context.ports.clock.advance(minute)
    run_due(context.ports)

    assert code_of(context, payment) == APPROVED.code


def test_a_shopper_who_walked_away_is_waited_for_thirty_minutes(context: ChannelContext) -> None:
    payment = redirected(context)
    apply_choice(context.ports, payment, ShopperChoice.LEAVE)

    context.ports.clock.advance(timedelta(minutes=29, seconds=59))
    run_due(context.ports)
    assert code_of(context, payment) == "000.200.000"
    context.ports.clock.advance(timedelta(seconds=1))
    run_due(context.ports)

    assert code_of(context, payment) == EXPIRED.code == "100.396.103"


def test_a_registration_asked_for_comes_about_once_the_shopper_has_paid(
    context: ChannelContext,
) -> None:
    payment = redirected(context, createRegistration="true")
    assert payment.registration is None

    assert apply_choice(context.ports, payment, ShopperChoice.PAY).registration is not None


@pytest.mark.parametrize(
    ("url", "back"),
    [
        ("https://shop.example", "https://shop.example?id=8&resourcePath=%2Fp"),
        ("https://shop.example/?a=1", "https://shop.example/?a=1&id=8&resourcePath=%2Fp"),
        ("https://shop.example/?", "https://shop.example/?id=8&resourcePath=%2Fp"),
        ("https://shop.example/?a&", "https://shop.example/?a&id=8&resourcePath=%2Fp"),
        ("https://shop.example/?a=%20+%C3%A9", "https://shop.example/?a=%20+%C3%A9&id=8&"
                                               "resourcePath=%2Fp"),
        ("https://shop.example/?id=7", "https://shop.example/?id=7&id=8&resourcePath=%2Fp"),
        ("https://shop.example/#/done", "https://shop.example/?id=8&resourcePath=%2Fp#/done"),
        ("shop://done", "shop://done?id=8&resourcePath=%2Fp"),
    ],
)  # fmt: skip
def test_the_way_back_keeps_what_the_merchant_wrote(url: str, back: str) -> None:
    assert with_result(url, ResultPlace("8", "/p")) == back


def test_the_result_of_a_payment_in_a_checkout_is_that_of_the_checkout(
    context: ChannelContext,
) -> None:
    payment = replace(redirected(context), checkout="C0.node")

    assert result_place(payment) == ("C0.node", "/v1/checkouts/C0.node/payment")
    registering = replace(payment, type=PaymentType.RG)
    assert result_place(registering) == ("C0.node", "/v1/checkouts/C0.node/registration")


ENDS = {
    "pay": lambda context, payment: apply_choice(context.ports, payment, ShopperChoice.PAY),
    "cancel": lambda context, payment: apply_choice(context.ports, payment, ShopperChoice.CANCEL),
    "fail": lambda context, payment: apply_choice(context.ports, payment, ShopperChoice.FAIL),
    "release": lambda context, payment: release(context, payment, APPROVED),
    "refuse": lambda context, payment: release(context, payment, DECLINED),
    "expire": lambda context, payment: expire(context, payment),
}
CODES = {"pay": "000.100.110", "cancel": CANCELLED, "fail": FAILED, "release": "000.100.110",
         "refuse": "800.100.152", "expire": "100.396.103"}  # fmt: skip


def release(context: ChannelContext, payment: Payment, outcome: Outcome) -> None:
    with suppress(UnknownPendingError, Refusal):
        release_pending(context.ports, payment.id, outcome)


def expire(context: ChannelContext, payment: Payment) -> None:
    for awaited in context.ports.store.between(Awaited, "due", "", "9999-12-31"):
        end_pending(context.ports, awaited)


@given(st.lists(st.sampled_from(sorted(ENDS)), min_size=2, max_size=6))
@settings(max_examples=60, deadline=None)
def test_the_first_end_is_the_end(ends: list[str]) -> None:
    context = a_context(acquirer=Redirecting())
    payment = redirected(context)

    for end in ends:
        ENDS[end](context, payment)

    assert code_of(context, payment) == CODES[ends[0]]


@given(st.integers(0, 2**32), st.lists(st.sampled_from(sorted(ENDS)), min_size=2, max_size=8))
@settings(max_examples=150, deadline=None)
def test_of_all_who_end_a_payment_at_once_one_wins_and_nothing_happens_twice(
    seed: int, ends: list[str]
) -> None:
    context = a_context(acquirer=Redirecting(), store=Interleaving(Random(seed)))
    payment = redirected(context, createRegistration="true")

    greenlets = [gevent.spawn(ENDS[end], context, payment) for end in ends]
    gevent.joinall(greenlets, raise_error=True)

    settled = read_payment(context, payment.id)
    assert settled.outcome.code in {CODES[end] for end in ends}
    assert settled.version == payment.version + 2
    assert len(ledger_entries_in(context, [payment])) == (settled.state is State.COMPLETED)
    assert (settled.registration is None) == (settled.state is State.FAILED)
    assert context.ports.store.get(Awaited, payment.id) is None
    chosen = [each.value for each in greenlets if isinstance(each.value, Payment)]
    assert all(each == settled for each in chosen)

"""Steps about the test host and the live host."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY, TYPES
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.target.records import Target
from simulator.client import Answer, Client, Interceptor

LIVE_DEBIT = rf"the merchant debits {MONEY} on the live host"


@given(
    parsers.re(rf"(?P<what>an authorized payment|a debit) of {MONEY} on the live host"),
    target_fixture="payment",
)
def pay_live_before(live: Merchant, what: str, amount: str, currency: str) -> Answer:
    return live.pay_by_card(TYPES[what], amount, currency)


@given("the merchant works on the live host", target_fixture="merchant")
def work_live(live: Merchant) -> Merchant:
    """What the merchant of the scenario does from here on, it does there."""
    return live


@when("the merchant is given the addresses of both hosts", target_fixture="addresses")
def read_addresses(target: Target) -> list[str]:
    return [target.base_url, target.live_url]


@when(parsers.re(LIVE_DEBIT), target_fixture="answer")
def pay_live(live: Merchant, amount: str, currency: str) -> Answer:
    return live.pay_by_card("DB", amount, currency)


@when(parsers.re(rf'{LIVE_DEBIT} with testMode "(?P<mode>\w+)"'), target_fixture="answer")
def pay_live_with(live: Merchant, amount: str, currency: str, *, mode: str) -> Answer:
    return live.pay_by_card("DB", amount, currency, {"testMode": mode})


@when(
    parsers.re(rf"{LIVE_DEBIT}, with the forced result (?P<code>[0-9.]+)"), target_fixture="answer"
)
def pay_live_with_forced_result(live: Merchant, amount: str, currency: str, *, code: str) -> Answer:
    in_test_mode = {"card.holder": code, "testMode": "INTERNAL"}
    return live.pay_by_card("DB", amount, currency, in_test_mode)


@when(parsers.re(rf"{LIVE_DEBIT} with its token for the test host"), target_fixture="answer")
def pay_live_with_test_token(
    merchant: Merchant, live: Merchant, amount: str, currency: str
) -> Answer:
    return live.with_token(merchant.client.token).pay_by_card("DB", amount, currency)


@when(
    parsers.re(rf"the merchant debits {MONEY} with its token for the live host"),
    target_fixture="answer",
)
def pay_with_live_token(merchant: Merchant, amount: str, currency: str) -> Answer:
    return merchant.with_token(merchant.live_token).pay_by_card("DB", amount, currency)


@when("the merchant reads it on the live host", target_fixture="answer")
def read_live(live: Merchant, payment: Answer) -> Answer:
    return live.read(payment.id)


@when(parsers.re(rf"the merchant captures {MONEY} of it on the live host"), target_fixture="answer")
def capture_live(live: Merchant, payment: Answer, amount: str, currency: str) -> Answer:
    return live.refer(payment.id, "CP", amount=amount, currency=currency)


@then("every address ends with a slash")
def end_with_slash(addresses: list[str], judge: Judge) -> None:
    without = [address for address in addresses if not address.endswith("/")]
    judge.same("addresses without a slash", NO_ANSWER, expected=[], came=without)


@pytest.fixture
def live(merchant: Merchant, live_client: Client) -> Merchant:
    """The merchant of the scenario at the live host, with its token for that host."""
    there = live_client.with_credentials(merchant.live_token, merchant.client.entity_id)
    return replace(merchant, client=there)


@pytest.fixture(scope="session")
def live_client(target: Target, around: Interceptor | None) -> Iterator[Client]:
    """One connection to the live host."""
    authority = target.ca_file or None
    client = Client(
        target.live_url, target.live_token, target.entity_id, ca_file=authority, around=around
    )
    yield client
    client.close()

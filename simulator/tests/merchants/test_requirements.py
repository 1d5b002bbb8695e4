"""What a channel makes mandatory, for whom, and for whom not."""

import pytest

from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.core.records import Origin, PaymentSource, State
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.registrations import charge
from simulator.tests.kit.making import CARD, a_context, new_ids

BROWSER = {
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.browser.acceptHeader": "text/html",
    "customer.browser.language": "en-GB",
    "customer.browser.screenHeight": "1080",
    "customer.browser.screenWidth": "1920",
    "customer.browser.timezone": "60",
    "customer.browser.userAgent": "Mozilla/5.0",
    "customer.browser.javaEnabled": "false",
}
ADDRESS = {
    "billing.street1": "Main Street",
    "billing.city": "Berlin",
    "billing.postcode": "10115",
    "billing.country": "DE",
}
MASTER = {**CARD, "paymentBrand": "MASTER", "card.number": "5454545454545454"}
MPI = {"threeDSecure.eci": "05"}


def pay(channel: dict, kind: str = "DB", origin: Origin | None = None, **more) -> State:
    """A payment by card on a channel set up so."""
    context = a_context(channel=channel)
    named = {name.replace("__", "."): value for name, value in more.items()}
    sent = {"paymentType": kind, "amount": "92.00", "currency": "EUR", **CARD, **named}
    return take_payment(context, sent, new_ids(context), origin or Origin()).state


def lacking(channel: dict, kind: str = "DB", **more) -> list[str]:
    """What is named as lacking."""
    with pytest.raises(Violations) as caught:
        pay(channel, kind, **more)
    return [violation.name for violation in caught.value.violations]


SECURE = {"three_d_secure": {"VISA": "2.2.0"}}


@pytest.mark.parametrize("kind", ["PA", "DB"])
def test_version_2_needs_the_browser_and_the_address(kind: str) -> None:
    names = [name for name in (*BROWSER, *ADDRESS) if not name.endswith("Name")]
    names = [name for name in names if name != "customer.surname"]
    assert lacking(SECURE, kind) == names
    assert pay(SECURE, kind, **BROWSER, **ADDRESS) in (State.COMPLETED, State.AUTHORIZED)


def test_each_lack_is_named_alone() -> None:
    sent = {**BROWSER, **ADDRESS}
    del sent["billing.city"]
    assert lacking(SECURE, **sent) == ["billing.city"]


@pytest.mark.parametrize(
    ("channel", "kind", "more", "why"),
    [
        ({}, "DB", {}, "the channel is not set up"),
        ({"three_d_secure": {"VISA": "1.0.2"}}, "DB", {}, "version 1 asks for no browser"),
        (SECURE, "DB", MASTER, "another brand"),
        (SECURE, "DB", MPI, "authenticated elsewhere"),
        (SECURE, "CD", {}, "the shopper is given money"),
        (SECURE, "RG", {}, "a registration never asks"),
        (SECURE, "DB", {"recurringType": "REPEATED"}, "no shopper is there"),
    ],
    ids=lambda each: each if isinstance(each, str) and " " in each else "",
)
def test_nothing_is_needed_where_no_shopper_is_asked(
    channel: dict, kind: str, more: dict, why: str
) -> None:
    assert pay(channel, kind, **more) is not State.FAILED


def test_a_schedule_has_no_browser() -> None:
    assert pay(SECURE, origin=Origin(source=PaymentSource.SCHEDULER)) is State.COMPLETED


def test_a_receiver_demands_a_reference_of_every_request() -> None:
    channel = {"requires_merchant_transaction_id": True}
    assert lacking(channel) == ["merchantTransactionId"]
    context = a_context(channel=channel)
    sent = {"paymentType": "PA", "amount": "92.00", "currency": "EUR", **CARD}
    paid = take_payment(context, {**sent, "merchantTransactionId": "order-4711"}, new_ids(context))
    with pytest.raises(Violations):
        refer_payment(context, paid.id, {"paymentType": "RV"}, new_ids(context))


@pytest.mark.parametrize(
    "more",
    [
        {"currency": "USD"},
        {"amount": "0.00"},
        {"paymentBrand": "MASTER", "card.number": "5454545454545454"},
        {"card.number": "4200000000000001"},
        {"card.expiryYear": "2001"},
        {"mobileWallet.paymentToken": "no token"},
    ],
    ids=lambda more: " ".join(more),
)
def test_what_the_channel_requires_is_named_before_anything_is_refused(more: dict) -> None:
    channel = {**SECURE, "requires_merchant_transaction_id": True, "currencies": ("EUR",)}
    assert lacking({**channel, "brands": ("VISA",)}, **more)[0] == "merchantTransactionId"


def test_a_reference_is_required_before_a_registration_is_looked_for() -> None:
    context = a_context(channel={"requires_merchant_transaction_id": True})
    sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}
    with pytest.raises(Violations):
        charge(context, "8" * 32, sent, new_ids(context))


def test_nothing_is_required_for_a_brand_that_the_channel_does_not_take() -> None:
    with pytest.raises(Refusal) as refused:
        pay({**SECURE, "brands": ("MASTER",)})
    assert refused.value.code == "600.200.201"

"""Accounts by brand: the card of a wallet, and when a code is due."""

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.parameters import onward
from simulator.domain.core.records import State
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import CARD, Answering, a_context, new_ids

WALLET = {
    "paymentBrand": "MOBILE_WALLET",
    "card.number": "4200000000000000",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "threeDSecure.verificationId": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
    "threeDSecure.eci": "05",
    "mobileWallet.source": "app",
}
DEMANDING = {"cvv": "required"}


def pay(account: dict, channel: dict | None = None, acquirer=None, **more):
    """A debit of 92.00 EUR by this account."""
    context = a_context(channel=channel, acquirer=acquirer)
    sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **account, **more}
    return take_payment(context, sent, new_ids(context))


@pytest.mark.parametrize("brand", ["MOBILE_WALLET", "VISA"])
def test_a_wallet_pays_with_the_card_it_was_opened_to(brand: str) -> None:
    acquirer = Answering()
    payment = pay({**WALLET, "paymentBrand": brand}, DEMANDING, acquirer)
    assert payment.state is State.COMPLETED
    assert payment.brand == brand
    assert payment.card.bin == "420000"
    assert acquirer.asks[0].number == "4200000000000000"
    assert acquirer.asks[0].parameters["threeDSecure.eci"] == "05"
    assert acquirer.asks[0].parameters["mobileWallet.source"] == "app"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"card.number": "4200000000000001"}, "100.100.101"),
        ({"card.number": "9999999999999995"}, "100.100.101"),
        ({"card.expiryYear": "2019"}, "100.100.303"),
    ],
)
def test_the_card_of_a_wallet_has_the_rules_of_its_scheme(changed: dict, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        pay({**WALLET, **changed})
    assert caught.value.code == code


def test_a_code_is_due_where_a_shopper_could_read_it() -> None:
    card = {name: value for name, value in CARD.items() if name != "card.cvv"}
    with pytest.raises(Refusal, match=r"100\.100\.600"):
        pay(card, DEMANDING)
    assert pay(card, DEMANDING, recurringType="REPEATED").state is State.COMPLETED


@pytest.mark.parametrize(("brand", "travels"), [("MASTER", True), ("VISA", False), (None, False)])
def test_a_submerchant_is_sent_to_one_scheme(brand: str | None, travels: bool) -> None:
    sent = {"merchant.submerchantId": "4711", "merchant.name": "Jones"}
    found = onward(sent, brand)
    assert ("merchant.submerchantId" in found) == travels
    assert found["merchant.name"] == "Jones"


def test_of_two_accounts_the_one_of_the_brand_pays() -> None:
    other = {"virtualAccount.accountId": "jones"}
    acquirer = Answering()
    by_card = pay({**CARD, **other}, acquirer=acquirer)
    by_account = pay(
        {**CARD, **other, "paymentBrand": "VIRTUAL_ACCOUNT", "card.cvv": "123"}, acquirer=acquirer
    )
    assert (by_card.brand, by_card.card.bin, acquirer.asks[0].number) == (
        "VISA", "420000", CARD["card.number"],
    )  # fmt: skip
    assert (by_account.brand, by_account.card, acquirer.asks[1].number) == (
        "VIRTUAL_ACCOUNT", None, None,
    )  # fmt: skip

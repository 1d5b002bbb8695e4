"""A request that names two accounts is refused at every place: one of them would be charged, and
nothing would say which. Choice: D-668.
"""

from itertools import combinations

import pytest
from falcon.testing import Result

from simulator.catalogue.fields.accounts import APART
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, named_in
from simulator.tests.kit.gateway import Gateway

PROFILES = ["specification", "field"]
STORED = "8" * 32
VALUES = {
    "card.number": "4200000000000000",
    "mobileWallet.paymentToken": '{"version":"EC_v1"}',
    "virtualAccount.accountId": "jane@pay.example",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.number": "0532013000",
    "registrationId": STORED,
}
BESIDE = {
    "card.number": {"card.expiryMonth": "05", "card.expiryYear": "2034"},
    "bankAccount.iban": {"bankAccount.holder": "Jane Jones", "bankAccount.bic": "COBADEFFXXX"},
    "bankAccount.number": {"bankAccount.holder": "Jane Jones", "bankAccount.bankCode": "37040044"},
}
PAIRS = [
    (first, second)
    for one, other in combinations((*APART, ("registrationId",)), 2)
    for first in one
    for second in other
]


def both(first: str, second: str) -> dict[str, str]:
    """Two accounts, each whole."""
    named = {name: VALUES[name] for name in (first, second)}
    return {"paymentBrand": "VISA", **BESIDE.get(first, {}), **BESIDE.get(second, {}), **named}


def at_payments(shop: Shop, sent: dict[str, str]) -> Result:
    whole = {"entityId": shop.who.entity_id, **SESSION, **sent}
    return shop.gateway.send("/v1/payments", whole, shop.who)


def at_registrations(shop: Shop, sent: dict[str, str]) -> Result:
    whole = {"entityId": shop.who.entity_id, **sent}
    return shop.gateway.send("/v1/registrations", whole, shop.who)


def at_a_checkout(shop: Shop, sent: dict[str, str]) -> Result:
    return shop.post(f"/{shop.prepare()}/payment", sent)


def at_a_form(shop: Shop, sent: dict[str, str]) -> Result:
    checkout = shop.prepare()
    return shop.submit(checkout, shop.capability(checkout), sent)


def at_a_registering_checkout(shop: Shop, sent: dict[str, str]) -> Result:
    return shop.post(f"/{shop.prepare({'createRegistration': 'true'})}/registration", sent)


PLACES = [at_payments, at_registrations, at_a_checkout, at_a_form, at_a_registering_checkout]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_accounts_are_refused_at_every_place(
    gateway: Gateway, profile: str, first: str, second: str
) -> None:
    shop = Shop(gateway, profile=profile)
    for place in PLACES:
        answer = place(shop, both(first, second))
        assert (answer.status_code, list(named_in(answer))) == (400, [second]), place.__name__
        assert VALUES["card.number"] not in answer.text


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("place", [at_payments, at_a_checkout])
def test_an_account_that_is_empty_is_none(gateway: Gateway, profile: str, place) -> None:
    empty = dict.fromkeys(set(VALUES) - {"card.number"}, "")
    assert place(Shop(gateway, profile=profile), {**CARD, **empty}).status_code == 200


def test_an_account_that_the_merchant_fixed_is_of_another_brand(gateway: Gateway) -> None:
    shop = Shop(gateway)
    fixed = {"virtualAccount.accountId": VALUES["virtualAccount.accountId"]}
    assert shop.pay(shop.prepare({**SESSION, **fixed})).status_code == 200


def test_one_of_them_pays_where_the_switch_says_so(gateway: Gateway) -> None:
    shop = Shop(gateway, overrides={"D-668": "accept"})
    answer = at_payments(shop, {**CARD, "virtualAccount.accountId": "jane@pay.example"})
    assert (answer.status_code, answer.json["paymentBrand"]) == (200, "VISA")

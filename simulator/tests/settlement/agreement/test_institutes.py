"""One institute settles a payment: the answer names the one that has it in its file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.catalogue.clearing_institutes import BANK_ACCOUNTS, CLEARING_INSTITUTES
from simulator.tests.kit.shopper import Shopper
from simulator.tests.settlement.test_control import Shop

CLEARING = CLEARING_INSTITUTES[0]
ACCOUNT = {
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
}
NO_CARD = {
    f"card.{name}": None for name in ("number", "holder", "expiryMonth", "expiryYear", "cvv")
}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


def answered(shop: Shop, **sent: str | None) -> dict:
    return dict(shop.gateway.post(who=shop.who, **{**NO_CARD, **sent}).json)


def referred(shop: Shop, payment: dict, kind: str, amount: str = "5.00") -> dict:
    sent = {"entityId": shop.who.entity_id, "paymentType": kind, "amount": amount}
    path = f"/v1/payments/{payment['id']}"
    return dict(shop.gateway.send(path, {**sent, "currency": "EUR"}, shop.who).json)


def made_payments(shop: Shop) -> list[tuple[dict, str]]:
    """Payments of each kind, and the institute that settles each."""
    card = dict(shop.gateway.post(who=shop.who, paymentType="DB").json)
    debit = answered(shop, paymentType="DB", paymentBrand="DIRECTDEBIT_SEPA", **ACCOUNT)
    transfer = answered(
        shop, paymentType="PA", paymentBrand="PREPAYMENT", shopperResultUrl="https://shop.example/"
    )
    return [
        (card, CLEARING),
        (referred(shop, card, "RF"), CLEARING),
        (debit, BANK_ACCOUNTS),
        (referred(shop, debit, "RF"), BANK_ACCOUNTS),
        (referred(shop, debit, "RB"), BANK_ACCOUNTS),
        (referred(shop, transfer, "RC"), BANK_ACCOUNTS),
    ]


def test_an_answer_names_the_institute_that_settles_the_payment(shop: Shop) -> None:
    payments = made_payments(shop)
    shop.advance("6d")
    runs = shop.call("POST", "/settlements", {})["runs"]
    for payment, institute in payments:
        details = shop.gateway.read(payment["id"], shop.who).json["resultDetails"]
        assert details["clearingInstituteName"] == institute
        own = tuple(each["id"] for each in runs if each["institute"] == institute)
        assert details["reconciliationId"].startswith(own)


def test_no_test_on_the_live_host_is_settled(shop: Shop) -> None:
    modes = ({}, {"testMode": "INTERNAL"}, {"testMode": "EXTERNAL"})
    live = [shop.gateway.post(who=shop.live, paymentType="DB", **more).json["id"] for more in modes]
    tests = [
        shop.gateway.post(who=shop.who, paymentType="DB", **more).json["id"] for more in modes[:2]
    ]
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": CLEARING})["runs"]
    rows = [row for name in run["delivered"] for row in shop.fetched(name)]
    assert {row["UniqueID"] for row in rows} == {"", live[0], *tests}
    settled = [
        "reconciliationId" in shop.gateway.read(each, who).json["resultDetails"]
        for who, ids in ((shop.live, live), (shop.who, tests))
        for each in ids
    ]
    assert settled == [True, False, False, True, True]
    accounts = shop.call("GET", f"/settlements/{run['id']}")["accounts"]
    assert all(each["agrees"] for each in accounts)


@pytest.mark.parametrize("kind", ["RF", "CB", "RB"])
def test_what_refers_to_a_live_payment_is_settled_whatever_test_mode_it_sends(
    shop: Shop, kind: str
) -> None:
    live = shop.gateway.post(who=shop.live, paymentType="DB").json["id"]
    money = {"entityId": shop.live.entity_id, "amount": "4.00", "currency": "EUR"}
    sent = {**money, "paymentType": kind, "testMode": "INTERNAL"}
    made = shop.gateway.send(f"/v1/payments/{live}", sent, shop.live).json
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": CLEARING})["runs"]
    rows = [row for name in run["delivered"] for row in shop.fetched(name)]
    assert {row["UniqueID"] for row in rows} == {"", live, made["id"]}
    accounts = shop.call("GET", f"/settlements/{run['id']}")["accounts"]
    assert all(each["agrees"] for each in accounts)


def test_a_refund_settles_where_the_money_came_in(shop: Shop) -> None:
    """A brand that redirects may name a bank account; its refund names none."""
    began = answered(
        shop,
        paymentType="DB",
        paymentBrand="TRUSTLY",
        shopperResultUrl="https://shop.example/",
        **ACCOUNT,
    )
    Shopper(shop.gateway, shop.id, shop.who).posts(began, "action=pay")
    refund = referred(shop, began, "RF")
    for each in (began, refund):
        details = shop.gateway.read(each["id"], shop.who).json["resultDetails"]
        assert details["clearingInstituteName"] == BANK_ACCOUNTS

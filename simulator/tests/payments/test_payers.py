"""Refunds of a captured authorization, receipts for captured money, and refunds of those."""

from collections.abc import Iterator

import pytest
from falcon.testing import Result

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.payments.ledger import CLEARING, MERCHANT, RESERVE, balances, entries_between
from simulator.tests.kit.gateway import Credentials, Gateway


class Shop:
    """A merchant of a sandbox of its own, in a profile."""

    def __init__(self, gateway: Gateway, profile: str):
        self.gateway = gateway
        made = gateway.control("POST", "/sandboxes", {"profile": profile}).json
        self.sandbox = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])

    def pay(self, kind: str) -> str:
        """The id of a payment of 92.00 EUR."""
        return self.gateway.post(who=self.who, paymentType=kind).json["id"]

    def refer(self, identity: str, kind: str, amount: str) -> Result:
        """The answer to a payment that refers to another."""
        sent = {"entityId": self.who.entity_id, "paymentType": kind, "amount": amount}
        return self.gateway.send(f"/v1/payments/{identity}", {**sent, "currency": "EUR"}, self.who)

    def code(self, identity: str, kind: str, amount: str = "92.00") -> str:
        """The result code of such a payment."""
        return self.refer(identity, kind, amount).json["result"]["code"]

    def merchant_balance(self) -> str:
        """What the ledger says the merchant is owed."""
        ports = self.gateway.ports(self.sandbox)
        total = balances(entries_between(ports.store, "", "~"))
        assert total[CLEARING] + total[MERCHANT] + total[RESERVE] == 0
        return str(total[MERCHANT])


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("payers") / "data")
    yield made
    made.close()


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, "field")


def test_a_refund_of_a_captured_authorization_refunds_its_capture(shop: Shop) -> None:
    held = shop.pay("PA")
    capture = shop.refer(held, "CP", "50.00").json["id"]
    refund = shop.refer(held, "RF", "30.00").json
    assert (refund["result"]["code"], refund["referencedId"]) == ("000.100.110", capture)
    assert shop.code(capture, "RF", "20.01") == "700.400.200"
    assert shop.code(held, "RF", "20.00") == "000.100.110"
    assert shop.code(held, "RF", "0.01") == "700.400.200"


def test_a_refund_takes_the_oldest_capture_that_has_as_much_left(shop: Shop) -> None:
    held = shop.pay("PA")
    captures = [shop.refer(held, "CP", amount).json["id"] for amount in ("10.00", "60.00")]
    assert shop.refer(held, "RF", "20.00").json["referencedId"] == captures[1]
    assert shop.refer(held, "RF", "10.00").json["referencedId"] == captures[0]
    assert shop.code(held, "RF", "41.00") == "700.400.200"
    assert shop.refer(held, "RF", "40.00").json["referencedId"] == captures[1]


@pytest.mark.parametrize("ended", ["nothing", "reversed", "declined"])
def test_a_refund_without_a_capture_is_refused(shop: Shop, ended: str) -> None:
    held = shop.pay("PA")
    if ended == "reversed":
        assert shop.code(held, "RV") == "000.100.110"
    if ended == "declined":
        held = shop.gateway.post(
            who=shop.who, paymentType="PA", **{"card.holder": "800.100.151"}
        ).json["id"]
    assert shop.code(held, "RF") == "700.400.520"


def test_profile_specification_refunds_no_authorization(gateway: Gateway) -> None:
    shop = Shop(gateway, "specification")
    held = shop.pay("PA")
    assert shop.code(held, "CP") == "000.100.110"
    assert shop.code(held, "RF") == "700.400.520"
    assert shop.code(shop.pay("DB"), "RC") == "700.400.560"


@pytest.mark.parametrize("kind", ["DB", "CP", "RB"])
def test_a_receipt_for_captured_money_moves_nothing(shop: Shop, kind: str) -> None:
    paid = shop.pay({"DB": "DB", "CP": "PA", "RB": "DB"}[kind])
    if kind != "DB":
        paid = shop.refer(paid, kind, "92.00").json["id"]
    before = shop.merchant_balance()
    assert shop.code(paid, "RC", "90.00") == "000.100.110"
    assert shop.code(paid, "RC", "2.01") == "700.400.100"
    assert shop.code(paid, "RC", "2.00") == "000.100.110"
    assert shop.merchant_balance() == before
    assert shop.code(paid, "RF") == "000.100.110"


def test_a_refund_of_a_receipt_refunds_the_payment_once(shop: Shop) -> None:
    paid = shop.pay("DB")
    receipt = shop.refer(paid, "RC", "92.00").json["id"]
    refund = shop.refer(receipt, "RF", "92.00").json
    assert (refund["result"]["code"], refund["referencedId"]) == ("000.100.110", paid)
    assert shop.code(paid, "RF", "0.01") == "700.400.200"
    assert shop.code(receipt, "RF", "0.01") == "700.400.200"
    assert shop.merchant_balance() == "0.00"


def test_a_receipt_of_an_authorization_still_captures_it(shop: Shop) -> None:
    held = shop.pay("PA")
    receipt = shop.refer(held, "RC", "92.00").json["id"]
    assert shop.code(held, "CP", "1.00") == "700.400.100"
    assert shop.code(receipt, "RF") == "000.100.110"


def test_both_ledgers_agree_on_receipts_and_their_refunds(shop: Shop) -> None:
    external = {"testMode": "EXTERNAL", "paymentType": "DB"}
    paid = shop.gateway.post(who=shop.who, **external).json["id"]
    receipt = shop.refer(paid, "RC", "92.00").json["id"]
    assert shop.code(receipt, "RF", "2.00") == "000.100.112"
    assert shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/books").json["agree"]


def test_nothing_was_received_for_a_reversed_debit(shop: Shop) -> None:
    paid = shop.pay("DB")
    assert shop.code(paid, "RV") == "000.100.110"
    assert shop.code(paid, "RC") == "700.400.100"


@pytest.mark.parametrize(
    ("kind", "parent"),
    [(row.code, parent) for row in PAYMENT_TYPES.values() for parent in row.also if parent == "DB"],
)
def test_a_refused_type_says_that_profile_field_accepts_it(
    gateway: Gateway, kind: str, parent: str
) -> None:
    strict = Shop(gateway, "specification")
    answer = strict.refer(strict.pay(parent), kind, "92.00").json
    assert answer["resultDetails"]["ExtendedDescription"].endswith("profile field accepts it")

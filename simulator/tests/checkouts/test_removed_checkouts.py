"""Removing a checkout: one that is used stays, as long as how it ended can be read."""

import pytest

from simulator.tests.kit.checkout_shop import CARD, DECLINE, Shop, code_of
from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def test_a_removed_checkout_is_gone_and_its_declined_payment_is_not(shop: Shop) -> None:
    identity = shop.prepare()
    payment = shop.pay(identity, **DECLINE).json["id"]

    removed = shop.ask("DELETE", f"/{identity}")

    assert (removed.status_code, code_of(removed)) == (200, "000.200.102")
    assert shop.get(f"/{identity}/payment").status_code == 404
    assert code_of(shop.gateway.read(payment, shop.who)) == DECLINE["card.holder"]


@pytest.mark.parametrize(("profile", "status"), [("specification", 404), ("field", 400)])
@pytest.mark.parametrize("name", ["payment", "registration"])
def test_a_used_checkout_is_not_removed_and_its_end_stays_readable(
    gateway: Gateway, profile: str, status: int, name: str
) -> None:
    shop = Shop(gateway, profile=profile)
    identity = shop.prepare(createRegistration="true")
    shop.post(f"/{identity}/{name}", CARD)

    removed = shop.ask("DELETE", f"/{identity}")

    assert (removed.status_code, code_of(removed)) == (status, "200.300.404")
    assert "No payment session found" in removed.json["result"]["description"]
    assert shop.get(f"/{identity}/{name}").status_code == 200

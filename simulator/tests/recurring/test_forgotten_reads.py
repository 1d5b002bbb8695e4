"""The journal shows nothing of a removed registration, however it was read. Choice: D-120."""

import pytest

from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway

HOLDER = {"card.holder": "Zaphod Beeblebrox"}


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_the_end_of_its_checkout_shows_nothing_of_it(gateway: Gateway, profile: str) -> None:
    shop = Shop(gateway, profile=profile)
    checkout = shop.prepare({"createRegistration": "true"})
    made = shop.post(f"/{checkout}/registration", {**CARD, **HOLDER}).json["id"]
    assert shop.get(f"/{checkout}/registration").json["card"]["holder"] == HOLDER["card.holder"]
    assert "Zaphod" in shown(shop)

    remove(shop, made)
    assert "Zaphod" not in shown(shop)


def test_the_payment_that_made_it_stays(gateway: Gateway) -> None:
    shop = Shop(gateway)
    checkout = shop.prepare({**SESSION, "createRegistration": "true"})
    made = shop.pay(checkout, **HOLDER).json["registrationId"]
    assert shop.get(f"/{checkout}/registration").json["id"] == made

    remove(shop, made)
    entries = {each["method"]: each for each in journal(shop) if each["path"].endswith("n")}
    assert "Zaphod" not in str(entries["GET"])
    assert "Zaphod" in shown(shop)


def remove(shop: Shop, registration: str) -> None:
    answer = shop.gateway.client.simulate_delete(
        f"/v1/registrations/{registration}",
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    assert answer.status_code == 200


def journal(shop: Shop) -> list[dict]:
    return shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json["entries"]


def shown(shop: Shop) -> str:
    return str(journal(shop))

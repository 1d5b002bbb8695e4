"""What the card host was sent repeats parameters: in the journal as the request shows them, also
those that a merchant fixed before.
"""

import pytest
from falcon.testing import Result

from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway

SECRET, CITY = "zebra-quince-81", "Potsdam"
SENT = {"testMode": "EXTERNAL", "customParameters[apiToken]": SECRET, "shipping.city": CITY}


def by_payment(shop: Shop) -> Result:
    return shop.gateway.send(
        "/v1/payments", {"entityId": shop.who.entity_id, **SESSION, **CARD, **SENT}, shop.who
    )


def by_checkout(shop: Shop) -> Result:
    return shop.pay(shop.prepare({**SESSION, **SENT}))


def by_form(shop: Shop) -> Result:
    checkout = shop.prepare({**SESSION, **SENT})
    return shop.submit(checkout, shop.capability(checkout), CARD)


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("ask", [by_payment, by_checkout, by_form])
def test_what_the_card_host_was_sent_is_masked(gateway: Gateway, ask, profile: str) -> None:
    shop = Shop(gateway, profile=profile)
    assert ask(shop).status_code == 200
    found = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    bodies = [
        message["body"]["parameters"]
        for entry in found.json["entries"]
        for message in entry.get("messages", ())
        if isinstance(message["body"].get("parameters"), dict)
    ]
    assert {body["customParameters[apiToken]"] for body in bodies} == {"***"}
    assert {body["shipping.city"] for body in bodies} == {CITY}
    assert SECRET not in found.text

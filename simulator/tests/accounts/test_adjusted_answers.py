"""Long names are cut, second lines of addresses left out and units filled in wherever they are
shown, not in payments alone. Source: Customer; Billing address; Shipping address; Cart items.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_advance import FROZEN, card_of, schedule_of

SENT = {
    "customer.givenName": "a" * 60,
    "customer.surname": "b" * 49,
    "shipping.street1": "Main Street",
    "shipping.houseNumber1": "1",
    "shipping.street2": "Back yard",
    "cart.items[0].name": "Book",
    "cart.items[0].quantity": "1",
}


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


@pytest.fixture
def who(gateway: Gateway) -> Credentials:
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    return Credentials(made["token"], made["entity_id"])


def read(gateway: Gateway, path: str, who: Credentials) -> dict:
    """What a GET is answered."""
    headers = {"Authorization": f"Bearer {who.token}"}
    query = f"entityId={who.entity_id}"
    return dict(gateway.client.simulate_get(path, query_string=query, headers=headers).json)


def judged(shown: dict) -> None:
    assert (len(shown["customer"]["givenName"]), len(shown["customer"]["surname"])) == (48, 48)
    assert shown["shipping"] == {"street1": "Main Street", "houseNumber1": "1"}
    assert shown["cart"]["items"][0]["quantityUnit"] == "COUNT"


def test_a_checkout_that_is_read(gateway: Gateway, who: Credentials) -> None:
    sent = {"entityId": who.entity_id, "amount": "9.00", "currency": "EUR", "paymentType": "DB"}
    made = gateway.send("/v1/checkouts", {**sent, **SENT}, who).json

    judged(read(gateway, f"/v1/checkouts/{made['id']}", who))


def test_a_schedule(gateway: Gateway, who: Credentials) -> None:
    registered = gateway.send("/v1/registrations", card_of(who.entity_id), who).json["id"]
    sent = {**schedule_of(registered, who.entity_id), **SENT}

    shown = gateway.send("/scheduling/v1/schedules", sent, who)
    assert shown.status_code == 200, shown.text
    judged(shown.json)


def test_a_registration_whose_address_is_changed_later(gateway: Gateway, who: Credentials) -> None:
    lines = {"billing.street1": "Main Street", "billing.street2": "Back yard"}
    registered = gateway.send("/v1/registrations", {**card_of(who.entity_id), **lines}, who).json
    changed = {"entityId": who.entity_id, "billing.houseNumber1": "1"}

    shown = gateway.send(f"/v1/registrations/{registered['id']}", changed, who).json

    assert registered["billing"]["street2"] == "Back yard"
    assert shown["billing"] == {"street1": "Main Street", "houseNumber1": "1"}


def test_a_descriptor_that_is_made_of_a_long_name(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    (merchant,) = made["entities"]["merchants"]
    path = f"/sandboxes/{made['id']}/merchants/{merchant['id']}/channels/{made['entity_id']}"
    for use in ("dynamic", "fixed"):
        named = {"name": "C" * 128, "descriptor_use": use}
        assert gateway.control("PATCH", path, named).status_code == 200
        paid = gateway.post(who=Credentials(made["token"], made["entity_id"])).json
        assert len(paid["descriptor"]) == 127, use

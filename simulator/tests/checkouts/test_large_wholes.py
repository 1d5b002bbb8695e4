"""What is added to is no larger in all than a request may be."""

import pytest

from simulator.domain.core import parameters
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_advance import schedule_of

MOST = 60


@pytest.fixture
def shop(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(parameters, "PARAMETERS_MAX", MOST)
    return Shop(gateway)


def custom(first: int, count: int) -> dict[str, str]:
    """So many parameters that no others have."""
    return {f"customParameters[key{number}]": "v" for number in range(first, first + count)}


def test_a_checkout_that_is_updated_or_paid(shop: Shop) -> None:
    made = shop.post("", {**SESSION, **custom(0, 20)}).json["id"]
    assert shop.post(f"/{made}", custom(20, 20)).status_code == 200
    for _ in range(2):
        refused = shop.post(f"/{made}", custom(100, 40))
        assert (refused.status_code, code_of(refused)) == (400, "200.100.103")
    # What is there already may change.
    assert shop.post(f"/{made}", custom(0, 40)).status_code == 200
    refused = shop.post(f"/{made}/payment", {**CARD, **custom(100, 40)})
    assert (refused.status_code, code_of(refused)) == (400, "200.100.103")


def test_a_registration_that_is_updated(shop: Shop) -> None:
    sent = {**CARD, "entityId": shop.who.entity_id}
    made = shop.gateway.send("/v1/registrations", {**sent, **custom(0, 40)}, shop.who).json["id"]
    place = f"/v1/registrations/{made}"
    update = {"entityId": shop.who.entity_id}

    refused = shop.gateway.send(place, {**update, **custom(100, 40)}, shop.who)

    assert (refused.status_code, code_of(refused)) == (400, "200.100.103")
    assert shop.gateway.send(place, {**update, **custom(0, 40)}, shop.who).status_code == 200


def test_a_schedule_that_is_replaced(shop: Shop) -> None:
    sent = {**CARD, "entityId": shop.who.entity_id}
    registered = shop.gateway.send("/v1/registrations", sent, shop.who).json["id"]
    asked = {**schedule_of(registered, shop.who.entity_id), **custom(0, 40)}
    made = shop.gateway.send("/scheduling/v1/schedules", asked, shop.who).json["id"]
    place = f"/scheduling/v1/schedules/{made}/reschedule"
    update = {"entityId": shop.who.entity_id}

    refused = shop.gateway.send(place, {**update, **custom(100, 40)}, shop.who)

    assert (refused.status_code, code_of(refused)) == (400, "200.100.103")
    assert shop.gateway.send(place, {**update, **custom(0, 30)}, shop.who).status_code == 200

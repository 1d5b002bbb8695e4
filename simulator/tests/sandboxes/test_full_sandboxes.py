"""A sandbox that stores all that one may: what is there can be read, and nothing more begins."""

import pytest

from simulator.adapters.store import log
from simulator.tests.kit.checkout_shop import Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_advance import card_of, schedule_of

LONG = {f"customParameters[key{number}]": "v" * 2000 for number in range(10)}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def fill(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the shop's sandbox be full with what it has."""
    monkeypatch.setattr(log, "STORED_BYTES_MAX", 1000)
    assert shop.gateway.post(who=shop.who).status_code == 503


def test_a_full_sandbox_is_read_and_reset(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    paid = shop.gateway.post(who=shop.who, **LONG).json["id"]
    fill(shop, monkeypatch)

    refused = shop.gateway.post(who=shop.who)
    assert refused.json["result"]["code"] == "999.999.888"
    assert "Retry-After" not in refused.headers
    assert shop.gateway.read(paid, shop.who).status_code == 200
    other = Shop(shop.gateway)
    monkeypatch.setattr(log, "STORED_BYTES_MAX", 100_000)
    assert other.gateway.post(who=other.who).status_code == 200

    shop.gateway.control("POST", f"/sandboxes/{shop.sandbox}/reset", {})
    assert shop.gateway.post(who=shop.who).status_code == 200


def test_the_executions_of_a_full_sandbox_fail(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    card = card_of(shop.who.entity_id)
    registered = shop.gateway.send("/v1/registrations", card, shop.who).json["id"]
    asked = {**schedule_of(registered, shop.who.entity_id), **LONG}
    made = shop.gateway.send("/scheduling/v1/schedules", asked, shop.who).json["id"]
    fill(shop, monkeypatch)

    shop.gateway.control("POST", f"/sandboxes/{shop.sandbox}/clock/advance", {"by": "P40D"})

    answer = shop.gateway.client.simulate_get(
        f"/scheduling/v1/schedules/{made}",
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    last = answer.json["plan"]["lastExecution"]
    assert last["result"]["code"] == "999.999.888"
    assert "id" not in last

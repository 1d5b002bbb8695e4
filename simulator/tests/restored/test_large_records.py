"""Records longer than the store can keep: what would make one is refused, and nothing is stored."""

import pytest

from simulator.adapters.store import snapshots, store
from simulator.adapters.store.bodies import RECORD_BYTES_MAX
from simulator.domain.core.errors import LargeRecordError
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_advance import schedule_of
from simulator.tests.sandboxes.test_hostile_snapshots import restore, taken_of

LARGE = {f"customParameters[key{number}]": "v" * 2000 for number in range(10)}
FEW = 8000


def test_a_unit_with_a_record_that_is_too_long_is_refused_whole() -> None:
    kept = store.DocumentStore("", kinds=KINDS, durability=store.Durability.MEMORY)
    longest = a_parcel("a", labels={"note": "x" * (RECORD_BYTES_MAX - 1000)})
    kept.commit(Unit((longest,)))
    assert kept.get(Parcel, "a") == longest
    longer = a_parcel("c", labels={"note": "x" * RECORD_BYTES_MAX})
    with pytest.raises(LargeRecordError):
        kept.commit(Unit((a_parcel("b"), longer)))
    assert kept.get(Parcel, "b") is None and kept.get(Parcel, "c") is None


def test_requests_that_would_make_one_are_refused(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(gateway)
    entity = {"entityId": shop.who.entity_id}
    prepared = shop.post("", SESSION).json["id"]
    registered = gateway.send("/v1/registrations", {**entity, **CARD}, shop.who).json["id"]
    scheduling = schedule_of(registered, shop.who.entity_id)
    plan = gateway.send("/scheduling/v1/schedules", scheduling, shop.who).json["id"]
    monkeypatch.setattr(store, "RECORD_BYTES_MAX", FEW)
    requests = (
        ("/v1/payments", {**SESSION, **CARD}),
        ("/v1/registrations", CARD),
        ("/v1/checkouts", SESSION),
        (f"/v1/checkouts/{prepared}", {}),
        (f"/v1/checkouts/{prepared}/payment", CARD),
        (f"/v1/registrations/{registered}", {}),
        ("/scheduling/v1/schedules", scheduling),
        (f"/scheduling/v1/schedules/{plan}/reschedule", {}),
    )
    for path, sent in requests:
        refused = gateway.send(path, {**entity, **sent, **LARGE}, shop.who)
        assert (refused.status_code, code_of(refused)) == (400, "200.100.103"), path
    assert gateway.post(who=shop.who).status_code == 200


def test_a_snapshot_with_one_is_refused(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop(gateway)
    assert gateway.post(who=shop.who, **LARGE).status_code == 200
    content = taken_of(gateway, shop.sandbox)
    monkeypatch.setattr(snapshots, "RECORD_BYTES_MAX", FEW)
    refused = restore(gateway, content)
    assert refused.status_code == 400
    assert refused.json["error"]["expected"] == f"at most {FEW} bytes"

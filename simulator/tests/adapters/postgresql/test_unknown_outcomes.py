"""A change of a sandbox whose outcome is unknown: what goes on is what is stored."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gevent
import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.records import PostgresRecords
from simulator.adapters.postgresql.store import PostgresStore
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import UnknownOutcomeError
from simulator.domain.core.ports import Unit, unit_of
from simulator.tests.adapters.fleet.fleets import start, stop
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.kit.gateway import Credentials, Gateway

Opened = Callable[[], Gateway]


@pytest.fixture(params=["alone", "in a fleet"])
def opened(request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path) -> Any:
    """Opens a gateway over a database; the one before ends."""
    store, ends = cluster.create(), list[Callable[[], object]]()

    def open_again() -> Gateway:
        while ends:
            ends.pop()()
        if request.param == "alone":
            gateway = Gateway(tmp_path, store=store, durability="disk")
            ends.append(gateway.close)
            return gateway
        member = start(tmp_path, store)
        ends.append(lambda: stop(member))
        return member.gateway

    yield open_again
    while ends:
        ends.pop()()


@pytest.fixture
def lose_answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Loses the answer to the next change of a sandbox, which is stored."""
    commit_with, losses = PostgresStore.commit_with, list[bool]()

    def committed(self: PostgresStore, unit: Unit, statements: Iterable[Any]) -> None:
        commit_with(self, unit, statements)
        if losses and any(isinstance(each, Sandbox) for each in unit.puts):
            losses.pop()
            raise UnknownOutcomeError("it was lost")

    monkeypatch.setattr(PostgresStore, "commit_with", committed)
    return lambda: losses.append(True)


def test_what_is_acknowledged_behind_a_reset_of_unknown_outcome_is_not_lost(
    opened: Opened, lose_answer: Callable[[], None]
) -> None:
    gateway = opened()
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    former = gateway.post(who=who).json["id"]
    lose_answer()
    assert gateway.control("POST", f"/sandboxes/{made['id']}/reset", {}).status_code == 500

    paid = gateway.post(who=who)
    assert paid.status_code == 200
    assert gateway.read(former, who).status_code == 404
    assert opened().read(paid.json["id"], who).status_code == 200


def test_a_token_is_taken_no_more_once_its_removal_may_be_stored(
    opened: Opened, lose_answer: Callable[[], None]
) -> None:
    gateway = opened()
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    assert gateway.post(who=who).status_code == 200
    path = f"/sandboxes/{made['id']}/merchants/{made['entities']['merchants'][0]['id']}/tokens"
    tokens = gateway.control("GET", path).json["tokens"]
    (test,) = (each["id"] for each in tokens if each["host"] == "test")
    lose_answer()
    assert gateway.control("POST", f"{path}/{test}/suspend").status_code == 500

    assert gateway.post(who=who).status_code == 403


def test_of_two_that_read_again_at_once_one_reads(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = PostgresEngine(cluster.create(), "ours")
    records, sandbox = engine.records, a_sandbox()
    assert isinstance(records, PostgresRecords)
    records.commit(unit_of(sandbox))
    read, reads = PostgresRecords._read, list[int]()
    monkeypatch.setattr(PostgresRecords, "_read", lambda self: reads.append(1) or read(self))
    records._is_stale = True

    both = [gevent.spawn(records.get, Sandbox, sandbox.id) for _ in range(2)]
    assert all(each.get(timeout=20) is not None for each in both) and len(reads) == 1
    engine.close()

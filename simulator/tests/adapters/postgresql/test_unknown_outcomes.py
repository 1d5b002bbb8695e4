"""A change of a sandbox whose outcome is unknown: what goes on is what is stored."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gevent
import pytest
from falcon.testing import Result

from simulator.adapters.postgresql.database import wait_for_outcomes
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.records import PostgresRecords
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.wire import connect
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import Engine
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import (
    LostOutcomeError,
    UnknownOutcomeError,
    UnreachableStoreError,
)
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.merchants import tokens
from simulator.engines import open_engine
from simulator.tests.adapters.fleet.fleets import start, stop
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.adapters.postgresql.relay import Relay
from simulator.tests.adapters.postgresql.test_epochs_of_members import restore_at, snapshot_at
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.kit.gateway import Credentials, Gateway

DECLINED = "800.100.153"
DECLINING = {"behaviour": {"steps": {"acquirer": {"decline": {"code": DECLINED}}}}}
Opened = Callable[[], Gateway]
Lose = Callable[..., None]


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
def lose_answer(monkeypatch: pytest.MonkeyPatch) -> Lose:
    """Loses the answer to the next change of a sandbox, which is stored, unless said otherwise."""
    commit_with, losses = PostgresStore.commit_with, list[bool]()

    def committed(self: PostgresStore, unit: Unit, statements: Iterable[Any]) -> None:
        if not losses or not any(isinstance(each, Sandbox) for each in (*unit.puts, *unit.removes)):
            commit_with(self, unit, statements)
            return
        if losses.pop():
            commit_with(self, unit, statements)
        raise LostOutcomeError("it was lost")

    monkeypatch.setattr(PostgresStore, "commit_with", committed)
    return lambda is_stored=True: losses.append(is_stored)


def sandbox_that_pays(gateway: Gateway) -> tuple[dict[str, Any], Credentials]:
    """A new sandbox, in which a payment was made, and who pays there."""
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    assert gateway.post(who=who).status_code == 200
    return made, who


class Steered:
    """A sandbox, in memory, with an inbox for its webhooks."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        made, self.who = sandbox_that_pays(gateway)
        self.identity = made["id"]
        self.endpoint = self.send("POST", "/webhooks", {"url": "inbox"}).json["id"]
        assert self.gateway.ports(self.identity).dispatcher.endpoints

    def send(self, method: str, path: str, document: object = None) -> Result:
        return self.gateway.control(method, f"/sandboxes/{self.identity}{path}", document)

    def control(self, method: str, path: str) -> dict[str, Any]:
        answer = self.send(method, path)
        assert answer.status_code == 200, answer.text
        return answer.json

    def pay(self) -> Result:
        return self.gateway.post(who=self.who)


def open_hasty(*given: object, **named: object) -> Engine:
    """An engine that asks but for a moment what became of a write."""
    engine = open_engine(*given, **named)
    engine._writer.unknown_s_max = 0.3
    return engine


def through(relay: Relay, store: str) -> str:
    """The address of a database behind a relay."""
    name = store.partition("///")[2].partition("?")[0]
    return f"postgresql://sandgate@127.0.0.1:{relay.port}/{name}?sslmode=disable"


def waits_for_lock(store: str) -> bool:
    with connect(store) as connection:
        found = connection.execute("select from pg_locks where not granted").fetchall()
    return bool(found)


def wait_for(is_done: Callable[[], bool]) -> None:
    with gevent.Timeout(20):
        while not is_done():
            gevent.sleep(0.05)


def homes_in(store: str) -> set[str]:
    """The sandboxes that have a home."""
    with connect(store) as connection:
        rows = connection.execute("select sandbox from sandgate.homes").fetchall()
    return {str(name) for (name,) in rows}


def test_nothing_is_paid_in_a_sandbox_that_was_deleted_with_unknown_outcome(
    opened: Opened, lose_answer: Lose
) -> None:
    gateway = opened()
    made, who = sandbox_that_pays(gateway)
    lose_answer()
    path = f"/sandboxes/{made['id']}"
    assert gateway.control("DELETE", path).status_code == 500

    assert gateway.post(who=who).status_code == 403
    assert gateway.control("DELETE", path).status_code == 404


def test_what_was_not_deleted_goes_on(opened: Opened, lose_answer: Lose) -> None:
    gateway = opened()
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    paid = gateway.post(who=who).json["id"]
    lose_answer(is_stored=False)
    assert gateway.control("DELETE", f"/sandboxes/{made['id']}").status_code == 500

    assert gateway.read(paid, who).status_code == 200
    assert gateway.control("DELETE", f"/sandboxes/{made['id']}").status_code == 200
    assert gateway.post(who=who).status_code == 403


@pytest.mark.parametrize("is_stored", [True, False])
def test_a_sandbox_that_was_restored_with_unknown_outcome_is_there_or_not(
    opened: Opened, lose_answer: Lose, *, is_stored: bool
) -> None:
    gateway = opened()
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    paid = gateway.post(who=who).json["id"]
    taken = snapshot_at(gateway, made["id"])
    gateway.control("DELETE", f"/sandboxes/{made['id']}")
    lose_answer(is_stored)
    assert restore_at(gateway, taken) == 500

    assert gateway.read(paid, who).status_code == (200 if is_stored else 403)
    assert restore_at(gateway, taken) == (200 if is_stored else 201)
    assert gateway.read(paid, who).status_code == 200


def test_a_token_that_was_made_with_unknown_outcome_opens_its_sandbox(
    opened: Opened, lose_answer: Lose, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, issued = opened(), list[str]()
    made = gateway.control("POST", "/sandboxes").json
    path = f"/sandboxes/{made['id']}/merchants/{made['entities']['merchants'][0]['id']}/tokens"
    hashed = tokens.token_hash
    monkeypatch.setattr(tokens, "token_hash", lambda one: issued.append(one) or hashed(one))
    lose_answer()
    assert gateway.control("POST", path, {"host": "test"}).status_code == 500

    assert gateway.post(who=Credentials(issued[0], made["entity_id"])).status_code == 200


def test_what_follows_a_change_is_done_once_the_database_answers_again(
    opened: Opened, lose_answer: Lose, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = opened()
    made = gateway.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    paid = gateway.post(who=who).json["id"]
    with monkeypatch.context() as patched:
        patched.setattr(PostgresEngine, "drop", _is_away)
        lose_answer()
        assert gateway.control("DELETE", f"/sandboxes/{made['id']}").status_code == 500
        assert gateway.post(who=who).status_code in {403, 503}
    assert gateway.post(who=who).status_code == 403
    assert gateway.read(paid, who).status_code == 403


def test_a_restore_that_fails_leaves_no_home(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = cluster.create()
    member = start(tmp_path, store)
    gateway = member.gateway
    made = gateway.control("POST", "/sandboxes").json
    taken = snapshot_at(gateway, made["id"])
    gateway.control("DELETE", f"/sandboxes/{made['id']}")
    assert made["id"] not in homes_in(store)
    with monkeypatch.context() as patched:
        patched.setattr(PostgresEngine, "fill", _is_away)
        assert restore_at(gateway, taken) == 503
    assert made["id"] not in homes_in(store)
    assert restore_at(gateway, taken) == 201
    assert made["id"] in homes_in(store)
    stop(member)


def _is_away(*_: object) -> None:
    raise UnreachableStoreError("it is away")


def test_what_is_acknowledged_behind_a_reset_of_unknown_outcome_is_not_lost(
    opened: Opened, lose_answer: Lose
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


@pytest.mark.parametrize(("is_stored", "status"), [(True, 503), (False, 500)])
def test_of_what_a_reset_of_unknown_outcome_ends_the_token_is_not_called_unknown(
    opened: Opened, lose_answer: Lose, *, is_stored: bool, status: int
) -> None:
    gateway = opened()
    made, who = sandbox_that_pays(gateway)
    path = f"/sandboxes/{made['id']}"
    assert gateway.control("POST", f"{path}/scripts", {"behaviour": "slow"}).status_code == 201
    waiting = gevent.spawn(gateway.post, who=who)
    gevent.sleep(0.5)
    assert not waiting.ready()
    lose_answer(is_stored)

    assert gateway.control("POST", f"{path}/reset", {}).status_code == 500
    assert waiting.get(timeout=20).status_code == status


def test_a_token_is_taken_no_more_once_its_removal_may_be_stored(
    opened: Opened, lose_answer: Lose
) -> None:
    gateway = opened()
    made, who = sandbox_that_pays(gateway)
    path = f"/sandboxes/{made['id']}/merchants/{made['entities']['merchants'][0]['id']}/tokens"
    tokens = gateway.control("GET", path).json["tokens"]
    (test,) = (each["id"] for each in tokens if each["host"] == "test")
    lose_answer()
    assert gateway.control("POST", f"{path}/{test}/suspend").status_code == 500

    assert gateway.post(who=who).status_code == 403


def test_who_waits_for_an_outcome_stores_nothing_itself() -> None:
    class LostDatabase:
        def store(self, work: Work) -> None:
            raise LostOutcomeError("it was lost")

    with pytest.raises(UnreachableStoreError) as refused:
        wait_for_outcomes(LostDatabase())

    assert not isinstance(refused.value, UnknownOutcomeError)


def test_what_was_never_sent_is_of_no_unknown_outcome(cluster: Cluster, tmp_path: Path) -> None:
    relay, store = Relay(cluster.socket), cluster.create()
    gateway = Gateway(tmp_path, store=through(relay, store), open_engine=open_hasty)
    worlds = [Steered(gateway) for _ in range(2)]
    with connect(store) as holder, holder.transaction():
        holder.execute("select from sandgate.server for update")
        sent = gevent.spawn(STEPS["scripts"][0], worlds[0])
        wait_for(lambda: waits_for_lock(store))
        waiting = gevent.spawn(STEPS["scripts"][0], worlds[1])
        gevent.sleep(0.2)
        with relay.unreachable():
            assert sent.get(timeout=20).status_code == 500
            assert waiting.get(timeout=20).status_code == 503
    gateway.close()
    relay.close()


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


def is_visible_clock(world: Steered) -> bool:
    return world.control("GET", "/clock")["now"].startswith("2100")


def is_visible_advance(world: Steered) -> bool:
    return world.control("GET", "/clock")["now"].startswith("2101")


def is_visible_table(world: Steered) -> bool:
    return world.control("GET", "/throttle")["throttle"]["name"] == "field"


def is_visible_removal(world: Steered) -> bool:
    return not world.gateway.ports(world.identity).dispatcher.endpoints


def is_visible_script(world: Steered) -> bool:
    return world.pay().json["result"]["code"] == DECLINED


def is_visible_notice(world: Steered) -> bool:
    return len(world.control("GET", "/inbox")["arrived"]) == 1


STEPS: dict[str, tuple[Callable[[Steered], Result], Callable[[Steered], bool]]] = {
    "clock": (
        lambda world: world.send("PUT", "/clock", {"mode": "frozen", "at": "2100-01-01T00:00:00Z"}),
        is_visible_clock,
    ),
    "advance": (
        lambda world: world.send("POST", "/clock/advance", {"to": "2101-01-01T00:00:00Z"}),
        is_visible_advance,
    ),
    "throttles": (
        lambda world: world.send("PUT", "/throttle", {"throttle": "field"}),
        is_visible_table,
    ),
    "endpoints": (
        lambda world: world.send("DELETE", f"/webhooks/{world.endpoint}"),
        is_visible_removal,
    ),
    "scripts": (
        lambda world: world.send("POST", "/scripts", DECLINING),
        is_visible_script,
    ),
    "payments": (lambda world: world.pay(), is_visible_notice),
}


@pytest.mark.parametrize("what", STEPS)
def test_what_is_in_memory_is_what_was_stored_with_unknown_outcome(
    cluster: Cluster, tmp_path: Path, what: str
) -> None:
    relay, store = Relay(cluster.socket), cluster.create()
    gateway = Gateway(tmp_path, store=through(relay, store), open_engine=open_hasty)
    world, (change, is_visible) = Steered(gateway), STEPS[what]
    with connect(store) as holder, holder.transaction():
        # It is stored after the gateway has given up.
        holder.execute("select from sandgate.server for update")
        asked = gevent.spawn(change, world)
        wait_for(lambda: waits_for_lock(store))
        with relay.unreachable():
            assert asked.get(timeout=20).status_code == 500
    wait_for(lambda: world.send("GET", "/clock").status_code == 200)
    assert is_visible(world) or what == "payments"
    wait_for(lambda: is_visible(world))
    gateway.close()
    relay.close()

"""Epochs of a sandbox that begin at several members of a fleet: one after the other, each whole."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gevent
import psycopg
import pytest
from gevent.event import Event

from simulator.adapters.postgresql.copies import _Filling, _sequence_of
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.sandboxes.changes import SandboxChanges
from simulator.adapters.settlement.epochs import EpochFiles
from simulator.domain.core.errors import DiskError, UnreachableStoreError
from simulator.tests.adapters.fleet.fleets import Fleet, start, stop
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway

KEY = {"Authorization": f"Bearer {CONTROL_KEY}", "Sandgate-Passphrase": "correct horse battery"}
MEMBERS, WAIT_S_MAX, OTHER_S_MAX, FILL_S = 3, 60, 5, 3


@pytest.fixture
def fleet(cluster: Cluster, tmp_path: Path) -> Iterator[Fleet]:
    store = cluster.create()
    members = [start(tmp_path, store) for _ in range(MEMBERS)]
    yield Fleet(members, store, tmp_path)
    for member in members:
        stop(member)


def snapshot_at(gateway: Gateway, identity: str) -> bytes:
    path = f"/_sandbox/v1/sandboxes/{identity}/snapshot"
    return gateway.client.simulate_get(path, headers=KEY).content


def restore_at(gateway: Gateway, content: bytes) -> int:
    path = "/_sandbox/v1/sandboxes/restore"
    return gateway.client.simulate_post(path, headers=KEY, body=content).status_code


def test_no_serial_comes_again_while_a_sandbox_is_restored(cluster: Cluster) -> None:
    store = cluster.create()
    engine = PostgresEngine(store, "ours")
    table = "payments"
    drawing = gevent.get_hub().threadpool.spawn(draw_serials, store, table)
    while not drawing.ready():
        filling = _Filling(engine, engine._codecs, 1)
        filling._last[table] = 1
        filling.end()

    drawn = drawing.get()
    assert drawn == sorted(set(drawn))
    engine.close()


def draw_serials(store: str, table: str) -> list[int]:
    """The serials that another one draws, a few at a time."""
    sql = f"select nextval({_sequence_of(table)}) from generate_series(1, 500)"
    with psycopg.connect(store, autocommit=True) as connection:
        return [number for _ in range(300) for (number,) in connection.execute(sql).fetchall()]


class Filling:
    """The records of two epochs that are stored at once: of the first all, then those of the other
    that `begin` begins; the first goes on, and the other once that is `over`.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, begin: Callable[[], object]):
        self.over, self._stored = Event(), Event()
        self._begin: list[Callable[[], object]] = [begin]
        self._fill = PostgresEngine.fill
        monkeypatch.setattr(PostgresEngine, "fill", lambda *given: self._filled(*given))

    def _filled(self, *given: Any) -> None:
        begin = self._begin.pop() if self._begin else None
        self._fill(*given)
        if begin is not None:
            begin()
            self._stored.wait(OTHER_S_MAX)
        else:
            self._stored.set()
            self.over.wait(OTHER_S_MAX)


@pytest.mark.parametrize("is_there", [True, False])
def test_of_two_members_that_restore_a_sandbox_none_has_records_of_the_other(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    home, second, third = fleet.gateways
    made = home.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    empty = snapshot_at(home, made["id"])
    paid = home.post(who=who).json["id"]
    taken = snapshot_at(home, made["id"])
    if not is_there:
        home.control("DELETE", f"/sandboxes/{made['id']}")
    others: list[gevent.Greenlet] = []
    filling = Filling(monkeypatch, lambda: others.append(gevent.spawn(restore_at, third, empty)))

    status = restore_at(second, taken)
    read = second.read(paid, who)
    filling.over.set()
    gevent.joinall(others, timeout=WAIT_S_MAX)

    assert status == (200 if is_there else 201) and read.status_code == 200
    assert others[0].value in {200, 503}
    # What came last stands whole.
    assert third.read(paid, who).status_code == (404 if others[0].value == 200 else 200)


def test_of_restores_that_come_at_once_each_waits_for_the_other(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, *_ = fleet.gateways
    made = home.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    taken, fill = snapshot_at(home, made["id"]), PostgresEngine.fill

    def filled(*given: Any) -> None:
        # As a busy database does, which keeps the home longer than another member asks for it.
        gevent.sleep(FILL_S)
        fill(*given)

    monkeypatch.setattr(PostgresEngine, "fill", filled)
    restores = [gevent.spawn(restore_at, each, taken) for each in fleet.gateways[:2]]
    gevent.joinall(restores, timeout=WAIT_S_MAX)

    assert [each.value for each in restores] == [200, 200]
    assert home.post(who=who).status_code == 200


def test_a_token_that_a_restore_keeps_is_never_called_unknown(fleet: Fleet) -> None:
    home, second, _ = fleet.gateways
    made = home.control("POST", "/sandboxes").json
    who, taken = Credentials(made["token"], made["entity_id"]), snapshot_at(home, made["id"])
    slow = f"/sandboxes/{made['id']}/scripts"
    assert home.control("POST", slow, {"behaviour": "slow"}).status_code == 201
    waiting = gevent.spawn(second.post, who=who)
    gevent.sleep(0.5)
    assert not waiting.ready()

    assert restore_at(home, taken) == 200

    answer = waiting.get(timeout=WAIT_S_MAX)
    assert (answer.status_code, answer.json["result"]["code"]) == (503, "999.999.888")
    assert answer.headers["Retry-After"] == "1"
    assert second.post(who=who).status_code == 200


def test_files_of_an_interrupted_epoch_are_in_place_before_a_merchant_sees_them(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, other, _ = fleet.gateways
    made = home.control("POST", "/sandboxes").json
    (merchant,) = made["entities"]["merchants"]
    path = f"/sandboxes/{made['id']}/merchants/{merchant['id']}/sftp"
    assert home.control("PUT", path, {}).status_code in {200, 201}
    home.post(who=Credentials(made["token"], made["entity_id"]))
    find = other.sftp.find
    before = find(merchant["id"]).folder / "reconciliation" / "day.csv"
    before.write_text("of the epoch before")
    with monkeypatch.context() as patched:
        # As where it is killed before it has moved them.
        patched.setattr(EpochFiles, "begin", lambda *_: None)
        assert home.control("POST", f"/sandboxes/{made['id']}/reset", {}).status_code == 200
    assert before.exists()

    assert find(merchant["id"]).folder == before.parent.parent
    assert not before.exists()


def content_of(address: str) -> set[str]:
    """The sandboxes that have a home, or a world."""
    with psycopg.connect(address) as connection:
        found = connection.execute(
            "select sandbox from sandgate.homes union select sandbox from sandgate.worlds"
        )
        return {name for (name,) in found.fetchall() if name is not None}


@pytest.mark.parametrize("is_restored", [False, True])
def test_nothing_stays_of_a_sandbox_whose_member_was_lost_in_a_delete_or_a_restore(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, *, is_restored: bool
) -> None:
    last = start(fleet.data, fleet.store)
    made = last.gateway.control("POST", "/sandboxes").json
    identity, folder = made["id"], fleet.data / made["id"]
    last.gateway.post(who=Credentials(made["token"], made["entity_id"]))
    taken = snapshot_at(last.gateway, identity)
    if is_restored:
        last.gateway.control("DELETE", f"/sandboxes/{identity}")
        assert identity not in content_of(fleet.store)
    folder.mkdir(exist_ok=True)
    with monkeypatch.context() as patched:
        # As where it is killed before it has done what follows.
        patched.setattr(SandboxChanges, "_finish_soon", lambda *_: None)
        if is_restored:
            fill = PostgresEngine.fill
            patched.setattr(PostgresEngine, "fill", lambda *given: lost_behind(fill, given))
            assert restore_at(last.gateway, taken) == 503
        else:
            assert last.gateway.control("DELETE", f"/sandboxes/{identity}").status_code == 200
    assert identity in content_of(fleet.store)
    stop(last)

    with gevent.Timeout(WAIT_S_MAX):
        while identity in content_of(fleet.store) or folder.exists():
            gevent.sleep(0.05)
    assert "console" in content_of(fleet.store)


def test_what_is_taken_up_again_is_cleared_though_it_failed_at_first(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = start(fleet.data, fleet.store)
    identity = last.gateway.control("POST", "/sandboxes").json["id"]
    with monkeypatch.context() as patched:
        patched.setattr(SandboxChanges, "_finish_soon", lambda *_: None)
        assert last.gateway.control("DELETE", f"/sandboxes/{identity}").status_code == 200
    remove, failed = EpochFiles.remove, list[str]()

    def removed(files: EpochFiles, gone: str) -> None:
        if gone == identity and not failed:
            failed.append(gone)
            raise DiskError("the folder", "no space")
        remove(files, gone)

    monkeypatch.setattr(EpochFiles, "remove", removed)
    stop(last)

    with gevent.Timeout(WAIT_S_MAX):
        while identity in content_of(fleet.store):
            gevent.sleep(0.05)
    assert failed == [identity]


def test_nothing_of_a_sandbox_is_removed_that_is_restored_at_its_next_home(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, *_ = fleet.gateways
    frozen = {"clock": {"mode": "frozen", "at": "2030-01-03T08:00:00Z"}}
    made = home.control("POST", "/sandboxes", frozen).json
    identity = made["id"]
    home.post(who=Credentials(made["token"], made["entity_id"]))
    to = {"to": "2030-01-04T08:00:00Z"}
    assert home.control("POST", f"/sandboxes/{identity}/clock/advance", to).status_code == 200
    assert home.control("POST", f"/sandboxes/{identity}/settlements", {}).status_code == 200
    settled, taken = files_of(fleet, identity), snapshot_at(home, identity)
    assert settled
    assert home.control("DELETE", f"/sandboxes/{identity}").status_code == 200
    clearing, is_prepared = Clearing(monkeypatch, identity), Event()
    prepare = EpochFiles.prepare

    def prepared(*given: Any) -> None:
        prepare(*given)
        is_prepared.set()
        clearing.over.wait(OTHER_S_MAX)

    monkeypatch.setattr(EpochFiles, "prepare", prepared)
    with psycopg.connect(fleet.store, autocommit=True) as connection:
        # As a member leaves it that is lost in a restore.
        connection.execute("insert into sandgate.homes values (%s, 0)", (identity,))
        assert clearing.begun.wait(WAIT_S_MAX)
        (at,) = connection.execute(
            "select (select count(*) from sandgate.members where id <= member) from sandgate.homes"
            " where sandbox = %s",
            (identity,),
        ).fetchone()
    restoring = gevent.spawn(restore_at, fleet.gateways[at % MEMBERS], taken)
    assert is_prepared.wait(WAIT_S_MAX)
    clearing.may_go_on.set()

    assert restoring.get(timeout=WAIT_S_MAX) == 201
    assert files_of(fleet, identity) == settled


class Clearing:
    """A member that is slow to clear what it has taken up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, identity: str):
        self.begun, self.may_go_on, self.over = Event(), Event(), Event()
        self.changes: SandboxChanges | None = None
        clear = SandboxChanges._clear

        def cleared(changes: SandboxChanges, gone: str) -> None:
            if gone == identity and self.changes is None:
                self.changes = changes
                self.begun.set()
                self.may_go_on.wait(WAIT_S_MAX)
            try:
                clear(changes, gone)
            finally:
                if changes is self.changes:
                    self.over.set()

        monkeypatch.setattr(SandboxChanges, "_clear", cleared)


def files_of(fleet: Fleet, identity: str) -> list[Path]:
    folders = ((fleet.data / identity / name) for name in ("clearing", "outgoing"))
    return sorted(each for folder in folders for each in folder.rglob("*") if each.is_file())


def lost_behind(fill: Callable[..., object], given: Any) -> None:
    fill(*given)
    raise UnreachableStoreError("it was lost")


def test_what_is_restored_behind_a_delete_at_another_member_stays(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, second, _ = fleet.gateways
    made = home.control("POST", "/sandboxes").json
    who = Credentials(made["token"], made["entity_id"])
    paid = home.post(who=who).json["id"]
    taken = snapshot_at(home, made["id"])
    drop, others = PostgresEngine.drop, list[gevent.Greenlet]()

    def dropped(*given: Any) -> None:
        if not others:
            others.append(gevent.spawn(restore_at, second, taken))
            others[0].join(timeout=OTHER_S_MAX)
        drop(*given)

    monkeypatch.setattr(PostgresEngine, "drop", dropped)
    assert home.control("DELETE", f"/sandboxes/{made['id']}").status_code == 200
    # It waits for the home of the sandbox.
    assert others[0].get(timeout=WAIT_S_MAX) == 201
    assert second.read(paid, who).status_code == 200

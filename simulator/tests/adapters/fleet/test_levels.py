"""Members of two releases on one database: at which level they write, and when that is raised."""

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import gevent
import msgspec
import psycopg
import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.levels import JOIN, MemberLevel
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.wire import Wire
from simulator.adapters.store.documents import hashed
from simulator.adapters.store.engine import FleetAddress, Rhythm, UnusableDatabaseError
from simulator.adapters.store.kinds import KINDS as RECORD_KINDS
from simulator.adapters.store.kinds import SERVER_RECORDS, Kind
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.core.ports import unit_of
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.adapters.store.engines import a_sandbox

WAIT_S_MAX = 20
QUICK = Rhythm(beat_s=0.05, raised_after_s=0.4)
# Members beat, and the level is raised by hand alone.
STEADY = QUICK._replace(raised_after_s=3600)
OF_SERVER = tuple(kind for kind in RECORD_KINDS if kind.record in SERVER_RECORDS)


class Plain(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A letter as the former release knows it."""

    id: str
    version: int = 0
    text: str = ""


class Noted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The same in the release after it: with a note."""

    id: str
    version: int = 0
    text: str = ""
    note: str | None = None


class Postcard(msgspec.Struct, frozen=True, kw_only=True):
    """A record of a kind that the former release does not know."""

    id: str
    version: int = 0


class Release(NamedTuple):
    """What one release knows: its record of a letter, and the highest level it writes at."""

    letter: type
    kinds: tuple[Kind, ...]
    level: int


FORMER = Release(Plain, (*OF_SERVER, Kind(Plain, "letters")), 1)
NEXT = Release(
    Noted,
    (
        *OF_SERVER,
        Kind(Noted, "letters", (hashed("note", "note"),), since=(("note", 2),)),
        Kind(Postcard, "postcards", level=2),
    ),
    2,
)

Start = Callable[..., PostgresEngine]


@pytest.fixture
def start(address: str) -> Iterator[Start]:
    started: list[PostgresEngine] = []

    def start(
        release: Release, *, is_alone: bool = False, rhythm: Rhythm = QUICK
    ) -> PostgresEngine:
        fleet = FleetAddress("http://127.0.0.1:1/", f"{release.level}.0", "ours", rhythm)
        engine = PostgresEngine(
            address,
            "fingerprint",
            kinds=release.kinds,
            fleet=None if is_alone else fleet,
            level_max=release.level,
        )
        started.append(engine)
        return engine

    yield start
    for engine in started:
        engine.close()


def run(address: str, statement: str) -> list[tuple]:
    with psycopg.connect(address, autocommit=True) as connection:
        found = connection.execute(statement)
        return found.fetchall() if found.description else []


def level_of(address: str) -> int:
    return run(address, "select level from sandgate.server")[0][0]


def levels_of_members(address: str) -> list[int]:
    return [level for (level,) in run(address, "select level from sandgate.members")]


def wait_until(is_so: Callable[[], object]) -> None:
    with gevent.Timeout(WAIT_S_MAX):
        while not is_so():
            gevent.sleep(0.02)


def stored(address: str, identity: str) -> tuple[dict, bytes | None]:
    """The body of a letter in the database, and the key of its note."""
    ((body, key),) = run(
        address, f"select body::text, k_note from sandgate.letters where id = '{identity}'"
    )
    return json.loads(body), key


def with_store(engine: PostgresEngine) -> tuple[Sandbox, PostgresStore]:
    sandbox = a_sandbox()
    engine.records.commit(unit_of(sandbox))
    return sandbox, engine.store_of(sandbox)


def put(store: PostgresStore, release: Release, identity: str, **fields: str) -> None:
    """Make a letter, or change it as this release reads it."""
    held = store.get(release.letter, identity) or release.letter(id=identity)
    store.commit(unit_of(msgspec.structs.replace(held, **fields)))


def test_a_release_writes_as_the_former_one_until_that_has_gone(start: Start, address: str) -> None:
    former = start(FORMER)
    sandbox, store = with_store(former)
    put(store, FORMER, "a", text="first")
    new = start(NEXT)
    newer = new.store_of(sandbox)

    put(newer, NEXT, "a", note="new")
    gevent.sleep(QUICK.raised_after_s * 2)
    assert stored(address, "a") == ({"id": "a", "version": 2, "text": "first"}, None)
    put(store, FORMER, "a", text="second")
    assert level_of(address) == 1

    former.close()
    wait_until(lambda: level_of(address) == 2)
    put(newer, NEXT, "a", note="new")
    expected = {"id": "a", "version": 4, "text": "second", "note": "new"}
    assert stored(address, "a") == (expected, b"new")


def test_a_kind_is_done_without_until_the_former_release_has_gone(start: Start) -> None:
    former = start(FORMER)
    sandbox, _ = with_store(former)
    store = start(NEXT).store_of(sandbox)
    assert store.keeps(Noted) and not store.keeps(Postcard)

    former.close()
    wait_until(lambda: store.keeps(Postcard))


def test_a_member_that_has_not_seen_it_raised_drops_nothing(start: Start, address: str) -> None:
    first, second = start(NEXT, rhythm=STEADY), start(NEXT, rhythm=STEADY)
    sandbox, store = with_store(first)
    run(address, "update sandgate.server set level = 1")
    run(address, "update sandgate.members set level = 1")
    for engine in (first, second):
        engine.fleet.member._level._level = 1
    other = second.store_of(sandbox)
    put(other, NEXT, "a", note="early")
    assert stored(address, "a")[0] == {"id": "a", "version": 1}
    second.fleet.member._beating.kill()

    run(address, "update sandgate.server set level = 2")
    wait_until(lambda: levels_of_members(address) == [2, 2])
    put(store, NEXT, "a", note="kept")
    put(other, NEXT, "a", text="changed")
    expected = {"id": "a", "version": 3, "text": "changed", "note": "kept"}
    assert stored(address, "a") == (expected, b"kept")


def test_a_former_release_is_refused_once_the_level_is_raised(start: Start, address: str) -> None:
    start(FORMER).close()
    member = start(NEXT)
    wait_until(lambda: level_of(address) == 2)
    before = run(address, "select id, version from sandgate.members")
    with pytest.raises(
        UnusableDatabaseError, match="written at level 2 .* expected 1 at most; sta"
    ):
        start(FORMER)
    assert run(address, "select id, version from sandgate.members") == before
    member.close()
    with pytest.raises(
        UnusableDatabaseError, match="written at level 2 .* expected 1 at most; sta"
    ):
        start(FORMER, is_alone=True)
    assert level_of(address) == 2
    start(NEXT).close()


def test_a_gateway_alone_writes_at_its_own_level_at_once(start: Start, address: str) -> None:
    start(FORMER, is_alone=True).close()
    assert level_of(address) == 1
    alone = start(NEXT, is_alone=True)
    assert level_of(address) == 2
    _, store = with_store(alone)
    put(store, NEXT, "a", note="new")
    assert stored(address, "a")[1] == b"new"


def test_a_member_too_old_for_a_raised_level_stops(start: Start, address: str) -> None:
    member, ended = start(FORMER), []
    _, store = with_store(member)
    member.fleet.begin("http://127.0.0.1:2/", look=lambda: None, end=lambda: ended.append(1))
    run(address, "update sandgate.server set level = 2")
    wait_until(lambda: ended)
    assert re.search("written at level 2 .* expected 1 at most", member.problem() or "")
    with pytest.raises(UnreachableStoreError):
        put(store, FORMER, "a", text="late")
    assert not run(address, "select * from sandgate.letters")


def test_a_member_that_joins_while_the_level_is_raised_sees_it(start: Start, address: str) -> None:
    start(FORMER).close()
    wire = Wire(address)
    with psycopg.connect(address) as raising:
        raising.execute("update sandgate.server set level = 2")
        late = gevent.spawn(MemberLevel, wire, "", "1.0", level_max=1, rhythm=QUICK)
        gevent.sleep(0.3)
        assert not late.ready(), "it waits for the level"
        raising.commit()
    with pytest.raises(UnusableDatabaseError, match="written at level 2"):
        late.get(timeout=WAIT_S_MAX)
    wire.close()
    assert not run(address, "select * from sandgate.members")


def test_the_level_is_not_raised_over_a_member_that_is_joining(start: Start, address: str) -> None:
    former = start(FORMER)
    start(NEXT)
    sent = JOIN.replace("$1", "'http://127.0.0.1:3/'").replace("$2", "'1.0'").replace("$3", "1")
    with psycopg.connect(address) as joining:
        joining.execute("set search_path = sandgate")
        joining.execute(sent)
        former.close()
        gevent.sleep(QUICK.raised_after_s * 3)
        joining.commit()
    gevent.sleep(QUICK.raised_after_s * 2)
    assert level_of(address) == 1


class Snapshot:
    """A snapshot whose log is at hand."""

    def __init__(self, log: bytes):
        self._log = log

    def log_lines(self) -> Iterator[bytes]:
        yield from self._log.splitlines(keepends=True)


def test_what_is_restored_below_its_level_is_left_out_too(
    start: Start, cluster: Cluster, address: str
) -> None:
    elsewhere = PostgresEngine(
        cluster.create(), "fingerprint", kinds=NEXT.kinds, level_max=NEXT.level
    )
    _, source = with_store(elsewhere)
    put(source, NEXT, "a", text="kept", note="new")
    put(source, NEXT, "b", text="later")
    log = b"".join(source.copied())
    elsewhere.close()

    start(FORMER)
    member = start(NEXT)
    sandbox, store = with_store(member)
    member.fill(sandbox, store, Snapshot(log))
    assert stored(address, "a") == ({"id": "a", "version": 1, "text": "kept"}, None)
    put(store, NEXT, "c")
    order = run(address, "select id from sandgate.letters order by serial")
    assert [identity for (identity,) in order] == ["a", "b", "c"]


def test_the_level_waits_for_one_that_is_stopped_for_its_upgrade(
    start: Start, address: str
) -> None:
    former = start(FORMER)
    start(NEXT)
    former.close()
    gevent.sleep(QUICK.raised_after_s / 2)
    again = start(FORMER)
    gevent.sleep(QUICK.raised_after_s * 2)
    assert level_of(address) == 1
    again.close()
    wait_until(lambda: level_of(address) == 2)

"""Members of a fleet on one database: leases, homes, and what a removed member can still do."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from types import SimpleNamespace

import gevent
import psycopg
import pytest

from simulator.adapters.fleet.places import CONSOLE
from simulator.adapters.postgresql import members
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.fleet import Fleet, members_in
from simulator.adapters.postgresql.homes import GIVE, Homes
from simulator.adapters.postgresql.ownership import EndedRightError
from simulator.adapters.store.engine import (
    FleetAddress,
    Rhythm,
    ServedElsewhereError,
    UnusableDatabaseError,
)
from simulator.adapters.store.kinds import KINDS as RECORD_KINDS
from simulator.adapters.store.kinds import SERVER_RECORDS
from simulator.commands.database_check import database_findings
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import UnknownOutcomeError, UnreachableStoreError
from simulator.domain.core.ports import Unit, unit_of
from simulator.settings import Settings
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.adapters.webhooks.parcels import KINDS, a_parcel

OURS = tuple(kind for kind in RECORD_KINDS if kind.record in SERVER_RECORDS) + KINDS
WAIT_S_MAX = 20
USUAL = Rhythm()
UNKNOWN = object()

Join = Callable[..., PostgresEngine]


@pytest.fixture
def join(address: str) -> Iterator[Join]:
    joined: list[PostgresEngine] = []

    def join(
        url: str = "http://127.0.0.1:1/", key: str = "ours", rhythm: Rhythm = USUAL
    ) -> PostgresEngine:
        fleet = FleetAddress(url, "1.0", key, rhythm)
        joined.append(PostgresEngine(address, "fingerprint", kinds=OURS, fleet=fleet))
        return joined[-1]

    yield join
    for engine in joined:
        engine.close()


def change(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


def with_sandbox(engine: PostgresEngine) -> Sandbox:
    sandbox = a_sandbox()
    engine.records.commit(unit_of(sandbox))
    return sandbox


def _home_of(homes: Homes, identity: str) -> object:
    try:
        return homes.home_of(identity)
    except UnreachableStoreError:
        return UNKNOWN


def test_a_sandbox_made_at_one_member_is_known_at_the_others(join: Join) -> None:
    first, second = join(), join()
    sandbox = with_sandbox(first)

    found = second.records.get(Sandbox, sandbox.id)
    assert found is not None and (found.id, found.version) == (sandbox.id, 1)
    assert list(second.changed()) == [sandbox.id]
    assert list(second.changed()) == []


def test_a_sandbox_has_one_home_and_the_others_know_it(join: Join) -> None:
    first, second = join(), join()
    sandbox = with_sandbox(first)

    assert first.fleet.homes.home_of(sandbox.id) is None
    home = second.fleet.homes.home_of(sandbox.id)
    assert home is not None and home.number == first.fleet.member.number
    with pytest.raises(ServedElsewhereError, match=f"member {home.number} .* {sandbox.id}"):
        second.take_home(sandbox.id)


def test_of_two_members_that_take_a_sandbox_one_has_it(join: Join, address: str) -> None:
    maker, first, second = join(), join(), join()
    sandbox = with_sandbox(maker)
    change(address, "update sandgate.homes set member = 0")

    homes = [gevent.spawn(each.fleet.homes.home_of, sandbox.id) for each in (first, second)]
    gevent.joinall(homes, timeout=WAIT_S_MAX)
    assert [each.value is None for each in homes].count(True) == 1


@pytest.mark.parametrize("identity", ["8a" + "0" * 30, "", "\0", "a\0", "\xff", "9" * 9000])
def test_what_no_member_has_is_not_taken(join: Join, address: str, identity: str) -> None:
    engine = join()
    assert engine.fleet.homes.home_of(identity) is None
    with psycopg.connect(address) as connection:
        assert connection.execute("select sandbox from sandgate.homes").fetchall() == [("console",)]


def test_a_member_that_stops_frees_its_sandboxes_at_once(join: Join) -> None:
    first, second = join(), join()
    sandbox = with_sandbox(first)
    first.close()

    assert second.fleet.homes.home_of(sandbox.id) is None
    assert [each.number for each in second.fleet.members()] == [second.fleet.member.number]


def test_a_removed_member_stores_nothing_more(join: Join, address: str) -> None:
    first, second = join(), join()
    store = first.store_of(with_sandbox(first))
    store.commit(unit_of(a_parcel("before", 0)))
    change(address, f"delete from sandgate.members where id = {first.fleet.member.number}")

    with pytest.raises(EndedRightError, match="another gateway has served it since"):
        store.commit(unit_of(a_parcel("after", 0)))
    with pytest.raises(UnreachableStoreError):
        first.records.commit(unit_of(a_sandbox()))
    with psycopg.connect(address) as connection:
        stored = connection.execute("select id from sandgate.parcels").fetchall()
    assert stored == [("before",)]
    assert second.problem() is None


def test_a_lease_is_lost_where_the_member_is_removed(join: Join, address: str) -> None:
    engine, ended = join(), []
    engine.fleet.begin("http://127.0.0.1:2/", look=lambda: None, end=lambda: ended.append(1))
    change(address, "delete from sandgate.members")
    with gevent.Timeout(WAIT_S_MAX):
        while not ended:
            gevent.sleep(0.05)
    assert not engine.fleet.member.is_valid
    assert "its lease has ended" in (engine.problem() or "")


def test_a_silent_member_is_removed_and_its_sandboxes_are_taken(join: Join) -> None:
    quick = Rhythm(beat_s=0.1, lease_s=0.6, removed_after_s=0.8)
    silent, other = join(rhythm=quick), join(rhythm=quick)
    sandbox = with_sandbox(silent)
    silent.fleet.member._beating.kill()

    found: list[str] = []
    other.fleet.begin(
        "http://127.0.0.1:2/",
        look=lambda: found.extend(other.fleet.homes.take_free()),
        end=lambda: None,
    )
    with gevent.Timeout(WAIT_S_MAX):
        while sandbox.id not in found:
            gevent.sleep(0.05)
    assert other.fleet.homes.is_own(sandbox.id)
    with pytest.raises(UnreachableStoreError):
        silent.records.commit(unit_of(a_sandbox()))


def _slow_look() -> None:
    # As a look at what a lost member had takes it, where each trip to the database takes long.
    gevent.sleep(1.0)


def _failing_look() -> None:
    raise UnreachableStoreError("no answer")


@pytest.mark.parametrize("look", [_slow_look, _failing_look])
def test_a_look_that_takes_long_or_fails_costs_no_lease_and_keeps_no_silent_member(
    join: Join, look: Callable[[], None]
) -> None:
    quick = Rhythm(beat_s=0.1, lease_s=0.6, removed_after_s=0.8, gap_s=0.4)
    silent, other = join(rhythm=quick), join(rhythm=quick)
    silent.fleet.member._beating.kill()
    seen: list[bool] = []

    other.fleet.begin("http://127.0.0.1:2/", look=look, end=lambda: None)
    with gevent.Timeout(WAIT_S_MAX):
        while len(other.fleet.members()) > 1 or len(seen) < 40:
            seen.append(other.fleet.member.is_valid)
            gevent.sleep(0.05)

    assert all(seen)


def test_no_member_is_removed_by_an_answer_from_before_all_stood_still(
    join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, other = join(), join()
    other.fleet.member._beating.kill()
    member, removed = engine.fleet.member, list[object]()
    member._beating.kill()
    monkeypatch.setattr(members, "_remove_silent", lambda *given: removed.append(given))

    def asked(*statements: object) -> list[list[list[bytes]]]:
        # All beat late, and then comes the answer to what was asked before.
        member._last_beat = monotonic() - 2 * USUAL.gap_s
        member._beat(engine)
        return [[[b"1"]]]

    member._steady_since = monotonic() - 2 * USUAL.removed_after_s
    member._beat(engine)
    member._look_for_silent(SimpleNamespace(ask=asked), lambda: None)

    assert not removed


def test_a_sandbox_is_given_to_another_member(join: Join) -> None:
    first, second = join(), join()
    sandbox = with_sandbox(first)

    def give(home: object, identity: str) -> None:
        with first.fleet.homes.leaving(identity):
            first.fleet.homes.give(identity, second.fleet.member.number)

    second.fleet.homes.fetch_by(give)
    second.take_home(sandbox.id)
    assert second.fleet.homes.is_own(sandbox.id)
    home = first.fleet.homes.home_of(sandbox.id)
    assert home is not None and home.number == second.fleet.member.number


def test_a_sandbox_is_not_given_to_a_member_that_has_gone(join: Join) -> None:
    first, gone, third = join(), join(), join()
    sandbox = with_sandbox(first)
    gone.close()

    with first.fleet.homes.leaving(sandbox.id):
        first.fleet.homes.give(sandbox.id, gone.fleet.member.number)
    assert first.fleet.homes.home_of(sandbox.id) is None
    home = third.fleet.homes.home_of(sandbox.id)
    assert home is not None and home.number == first.fleet.member.number


@pytest.mark.parametrize("way", ["given", "freed", "left"])
def test_a_sandbox_that_a_member_may_have_left_is_not_taken_for_its_own(
    join: Join, address: str, way: str
) -> None:
    long = Rhythm(lease_s=60.0, removed_after_s=60.0)
    first, second = join(rhythm=long), join(rhythm=long)
    sandbox, homes = with_sandbox(first), first.fleet.homes
    if way == "left":
        first.records.commit(Unit(removes=(first.records.get(Sandbox, sandbox.id),)))
    number = second.fleet.member.number
    leave = {"given": lambda each: homes.give(each, number), "freed": homes.free}
    with psycopg.connect(address) as connection:
        held = "select from sandgate.homes where sandbox = %s for update"
        connection.execute(held, (sandbox.id,))
        with pytest.raises(UnknownOutcomeError), homes.leaving(sandbox.id):
            leave.get(way, homes.leave)(sandbox.id)
        with pytest.raises(UnreachableStoreError):
            homes.home_of(sandbox.id)
    with gevent.Timeout(WAIT_S_MAX):
        while not second.fleet.homes.is_own(sandbox.id):
            with suppress(ServedElsewhereError):
                second.make_home(sandbox.id)
        while (home := _home_of(homes, sandbox.id)) is UNKNOWN:
            gevent.sleep(0.1)
    assert home is not None and home.number == second.fleet.member.number


@pytest.mark.parametrize("leaves", [True, False], ids=["stops", "falls silent"])
def test_what_is_given_to_a_member_while_it_goes_has_a_home_afterwards(
    join: Join, address: str, leaves: bool
) -> None:
    quick = Rhythm(beat_s=0.1, lease_s=3.0, removed_after_s=1.5)
    giver, taker, other = join(rhythm=quick), join(rhythm=quick), join(rhythm=quick)
    sandbox = with_sandbox(giver)
    numbers = {each.fleet.member.number for each in (giver, other)}
    with psycopg.connect(address) as connection:
        connection.execute("set search_path = sandgate")
        sent = GIVE.replace("$1", f"'{sandbox.id}'").replace("$2", f"'{giver.fleet.member.number}'")
        connection.execute(sent.replace("$3", f"'{taker.fleet.member.number}'"))
        # It goes while that is not stored yet.
        go = taker.close if leaves else taker.fleet.member._beating.kill
        gevent.spawn(go)
        gevent.sleep(2)
        connection.commit()
    with gevent.Timeout(WAIT_S_MAX):
        while taker.fleet.member.number in {each.number for each in other.fleet.members()}:
            gevent.sleep(0.05)
    home = other.fleet.homes.home_of(sandbox.id)
    assert home is None or home.number in numbers


def test_members_that_start_at_once_make_one_schema(cluster: Cluster) -> None:
    address = cluster.create()

    def start() -> PostgresEngine:
        fleet = FleetAddress("", "1.0", "ours")
        return PostgresEngine(address, "fingerprint", kinds=OURS, fleet=fleet)

    starts = [gevent.spawn(start) for _ in range(3)]
    engines = [each.get(timeout=WAIT_S_MAX) for each in starts]
    assert len({each.fleet.member.number for each in engines}) == 3
    for engine in engines:
        engine.close()


def test_two_fleets_on_one_database_are_refused(join: Join, address: str) -> None:
    join(key="ours")
    with pytest.raises(UnusableDatabaseError, match="another peer key.*SANDGATE_PEER_KEY"):
        join(key="theirs")
    with psycopg.connect(address) as connection:
        assert len(list(members_in(connection))) == 1


def test_a_gateway_alone_and_a_fleet_refuse_each_other(join: Join, address: str) -> None:
    member = join()
    with pytest.raises(UnusableDatabaseError, match="expected one at a time"):
        PostgresEngine(address, "fingerprint", kinds=OURS)
    member.close()
    alone = PostgresEngine(address, "fingerprint", kinds=OURS)
    with pytest.raises(UnusableDatabaseError, match="expected one at a time"):
        join()
    alone.close()


def test_an_operator_sees_the_members(join: Join, address: str) -> None:
    engine = join(url="http://127.0.0.1:7/")
    with_sandbox(engine)
    # What people share has a home as a sandbox has, and is none.
    assert engine.fleet.homes.home_of(CONSOLE) is None and engine.fleet.homes.is_own(CONSOLE)
    with psycopg.connect(address) as connection:
        (state,) = members_in(connection)
    assert (state.number, state.url, state.version) == (
        engine.fleet.member.number, "http://127.0.0.1:7/", "1.0",
    )  # fmt: skip
    assert state.sandboxes == 1 and 0 <= state.silent_s < WAIT_S_MAX
    findings = list(database_findings(Settings(store=address)))
    assert [what for what, _, advice in findings if not advice] == ["database", "fleet"]
    assert "release 1.0, 1 sandbox, http://127.0.0.1:7/" in findings[1][1]


def test_an_operator_sees_a_member_that_has_no_sandbox(join: Join, address: str) -> None:
    join()

    (_, (_, found, _)) = database_findings(Settings(store=address))

    assert "release 1.0, 0 sandboxes, http" in found


def test_a_database_that_is_not_reached_is_a_finding(cluster: Cluster) -> None:
    ((what, found, advice),) = database_findings(Settings(store=cluster.address("none")))
    assert (what, bool(advice)) == ("database", True) and '"none" does not exist' in found


def test_a_member_without_a_lease_takes_nothing_up_that_it_had(join: Join) -> None:
    engine = join(rhythm=Rhythm(beat_s=0.1, lease_s=0.4, removed_after_s=60))
    sandbox = with_sandbox(engine)
    engine.take_home(sandbox.id)
    engine.fleet.member._beating.kill()
    with gevent.Timeout(WAIT_S_MAX):
        while engine.fleet.member.is_valid:
            gevent.sleep(0.05)

    with pytest.raises(UnreachableStoreError, match="its lease has ended"):
        engine.take_home(sandbox.id)


def test_a_sandbox_that_is_deleted_is_made_again_at_one_member(join: Join) -> None:
    first, second = join(), join()
    sandbox = with_sandbox(first)
    first.records.commit(Unit(removes=(first.records.get(Sandbox, sandbox.id),)))
    with pytest.raises(ServedElsewhereError):
        second.make_home(sandbox.id)
    first.leave_home(sandbox.id)
    second.make_home(sandbox.id)

    with pytest.raises(ServedElsewhereError):
        first.make_home(sandbox.id)


@pytest.mark.parametrize(("others", "is_ended"), [((0, 0), True), ((0, 1), False), ((1,), False)])
def test_a_member_ends_what_a_crash_has_left_while_it_is_alone(
    join: Join, address: str, monkeypatch: pytest.MonkeyPatch, *, others: tuple, is_ended: bool
) -> None:
    join().close()
    change(address, "insert into sandgate.worlds (sandbox, epoch) values ('gone', 1)")
    counted = iter(others)
    monkeypatch.setattr(Fleet, "is_alone", property(lambda _: not next(counted)))
    join()

    with psycopg.connect(address) as connection:
        left = connection.execute("select from sandgate.worlds where sandbox = 'gone'").fetchall()
    assert (not left) is is_ended and not [*counted]

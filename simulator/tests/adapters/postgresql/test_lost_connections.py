"""Connections that are lost while records are stored: nothing is lost, and nothing stored twice."""

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

import gevent
import psycopg
import pytest
from msgspec.structs import replace

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.store import PostgresStore
from simulator.domain.core.errors import ConflictError, UnreachableStoreError
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.transact import transact
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster
from simulator.tests.adapters.postgresql.relay import Relay
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, Receipt, a_parcel

WAIT_S_MAX = 20
AT_ONCE, CUTS = 8, 6


class Line(NamedTuple):
    """A store behind a relay, and the database behind both."""

    engine: PostgresEngine
    store: PostgresStore
    relay: Relay
    address: str

    def stored(self) -> list[tuple[str, int]]:
        """The parcels in the database with their versions, as another program sees them."""
        with psycopg.connect(self.address) as connection:
            return connection.execute("select id, version from sandgate.parcels").fetchall()


@pytest.fixture
def line(cluster: Cluster) -> Iterator[Line]:
    address = cluster.create()
    relay = Relay(cluster.socket)
    name = address.partition("///")[2].partition("?")[0]
    through = f"postgresql://sandgate@127.0.0.1:{relay.port}/{name}?sslmode=disable"
    engine = PostgresEngine(through, "ours", kinds=KINDS)
    store = engine.store_of(a_sandbox())
    store.commit(unit_of(a_parcel("first", 0)))
    yield Line(engine, store, relay, address)
    relay.close()
    engine.close()


def wait_until(is_so: object) -> None:
    until = monotonic() + WAIT_S_MAX
    while not is_so():
        assert monotonic() < until, "it did not come to that"
        gevent.sleep(0.01)


def test_a_commit_whose_answer_was_lost_is_answered_once_it_is_known(line: Line) -> None:
    line.relay.loses_answers = True
    commit = gevent.spawn(line.store.commit, unit_of(a_parcel("a", 0)))
    wait_until(lambda: ("a", 1) in line.stored())
    assert not commit.ready()
    line.relay.loses_answers = False
    line.relay.cut()

    commit.get(timeout=WAIT_S_MAX)
    assert sorted(line.stored()) == [("a", 1), ("first", 1)]
    with pytest.raises(ConflictError):
        line.store.commit(unit_of(a_parcel("a", 0)))


def test_a_removal_whose_answer_was_lost_is_no_conflict(line: Line) -> None:
    line.relay.loses_answers = True
    commit = gevent.spawn(line.store.commit, Unit(removes=(a_parcel("first"),)))
    wait_until(lambda: not line.stored())
    line.relay.loses_answers = False
    line.relay.cut()
    commit.get(timeout=WAIT_S_MAX)


def test_a_commit_that_never_came_is_sent_again(line: Line) -> None:
    line.relay.loses_requests = True
    commits = [
        gevent.spawn(line.store.commit, unit_of(a_parcel(name, 0), Receipt(id=name, parcel=name)))
        for name in "abc"
    ]
    wait_until(lambda: line.relay.lost_requests)
    line.relay.loses_requests = False
    line.relay.cut()
    for commit in commits:
        commit.get(timeout=WAIT_S_MAX)
    assert sorted(line.stored()) == [("a", 1), ("b", 1), ("c", 1), ("first", 1)]


def test_conflicts_of_a_lost_batch_are_known_from_what_was_stored(line: Line) -> None:
    line.relay.loses_answers = True
    units = [unit_of(a_parcel("first", 0)), unit_of(a_parcel("b", 0)), unit_of(a_parcel("c", 0))]
    commits = [gevent.spawn(line.store.commit, unit) for unit in units]
    # The batch conflicts; each unit goes alone as soon as that is known.
    wait_until(lambda: line.relay.lost_answers)
    line.relay.loses_answers = False
    line.relay.cut()
    gevent.joinall(commits, timeout=WAIT_S_MAX)
    assert [type(each.exception) for each in commits] == [ConflictError, type(None), type(None)]
    assert sorted(line.stored()) == [("b", 1), ("c", 1), ("first", 1)]


def test_what_is_counted_while_connections_are_cut_is_counted_once(line: Line) -> None:
    counted, is_over = [0] * AT_ONCE, []

    def count_up(number: int) -> None:
        while not is_over:

            def change(number: int = number) -> None:
                line.store.commit(unit_of(line.store.get(Parcel, f"{number % 4}")))

            with suppress(UnreachableStoreError):  # It is not stored then.
                transact(line.store, change)
                counted[number] += 1

    for number in range(AT_ONCE):
        line.store.commit(unit_of(a_parcel(f"{number}", 0)))
    greenlets = [gevent.spawn(count_up, number) for number in range(AT_ONCE)]
    for number in range(CUTS):
        gevent.sleep(0.05)
        line.relay.loses_answers = number % 3 == 1
        gevent.sleep(0.02)
        line.relay.loses_answers = False
        line.relay.cut()
    wait_until(lambda: sum(counted) >= AT_ONCE)
    is_over.append(True)
    gevent.joinall(greenlets, timeout=WAIT_S_MAX, raise_error=True)

    versions = dict(line.stored())
    assert sum(versions[f"{number}"] for number in range(AT_ONCE)) == AT_ONCE + sum(counted)


def test_reading_goes_on_after_a_connection_was_lost(line: Line) -> None:
    assert line.store.get(Parcel, "first") is not None
    line.relay.cut()
    assert line.store.get(Parcel, "first") is not None


def test_a_gateway_that_another_one_followed_stores_nothing_more(line: Line) -> None:
    line.relay.cut()
    wait_until(lambda: opened_and_closed(line.address))
    with pytest.raises(UnreachableStoreError, match="another gateway has served it since"):
        line.store.commit(unit_of(a_parcel("a", 0)))
    assert line.stored() == [("first", 1)]


def opened_and_closed(address: str) -> bool:
    PostgresEngine(address, "ours", kinds=KINDS).close()
    return True


@pytest.mark.proof
def test_a_server_that_is_started_anew_has_everything_and_is_used_again() -> None:
    with running_cluster(is_durable=True) as cluster:
        start_anew(cluster)


def start_anew(cluster: Cluster) -> None:
    engine = PostgresEngine(cluster.create(), "ours", kinds=KINDS)
    store = engine.store_of(a_sandbox())
    store.commit(unit_of(a_parcel("a", 0)))
    cluster.stop()
    assert "the database" in (engine.problem() or "")
    for call in (
        lambda: store.get(Parcel, "a"),
        lambda: store.commit(unit_of(replace(a_parcel("a"), sender="Jane"))),
    ):
        with pytest.raises(UnreachableStoreError):
            call()
    cluster.start()

    wait_until(lambda: engine.problem() is None)
    wait_until(lambda: is_stored(store))
    assert store.get(Parcel, "a").sender == "Jane"
    assert engine.failure is None
    engine.close()


def is_stored(store: PostgresStore) -> bool:
    """Whether a change is taken again; it is asked for once a second."""
    try:
        store.commit(unit_of(replace(a_parcel("a"), sender="Jane")))
    except UnreachableStoreError:
        return False
    except ConflictError:
        return True
    return True

"""Long records are read some at a time, beside short ones of everybody else."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import gevent
import pytest
from gevent.event import Event
from gevent.hub import Waiter

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.reader import (
    LONG_READS_MAX,
    TRIP_BYTES,
    AskedStatements,
    MultiplexedReader,
    WaitingQuestions,
)
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.tables import LONG_BYTES
from simulator.adapters.postgresql.wire import Rows, SqlStatement, Wire
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.turns import work_for
from simulator.domain.core.ports import unit_of
from simulator.tests.adapters.fleet.test_levels import Snapshot
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel

RANGE = (Parcel, "due", ("", "~"))
LONG, ORDINARY, ORDINARY_LENGTH, SOME = 24, 500, 1500, 40
# PostgreSQL compresses the one to a sixtieth, and cannot compress the other.
TEXTS = {"compressed": "x" * 300_000, "as it is": "".join(map(chr, range(0x4E00, 0x9E00))) * 5}
# As long as an answer may be whose bodies are shorter than they may be when they are compressed.
ANSWER_BYTES_MAX = 6 * LONG_BYTES

ASKED = SqlStatement("select 2")


class Bench(NamedTuple):
    """A store, and how many bytes each trip of its process brought."""

    engine: PostgresEngine
    store: PostgresStore
    trips: list[int]

    def fill(self, count: int, text: str, sender: str | None = None) -> list[str]:
        """The ids of parcels that were stored with this text, in their order; each is its own
        sender where none is named.
        """
        names = [f"{number:04d}" for number in range(count)]
        for first in range(0, count, SOME):
            some = (
                a_parcel(name, 0, due=name, sender=sender or name, labels={"text": text})
                for name in names[first : first + SOME]
            )
            self.store.commit(unit_of(*some))
        self.trips.clear()
        return names


@pytest.fixture
def bench(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    trips: list[int] = []
    real = Wire.run

    def run(wire: Wire, groups: list[list[SqlStatement]]) -> object:
        answers = real(wire, groups)
        values = (value for each in answers for rows in each for row in rows for value in row)
        trips.append(sum(len(value or b"") for value in values))
        return answers

    engine = PostgresEngine(address, "ours", kinds=KINDS)
    monkeypatch.setattr(Wire, "run", run)
    yield Bench(engine, engine.store_of(a_sandbox()), trips)
    engine.close()


def paged(store: PostgresStore, names: list[str]) -> Iterator[Parcel]:
    found, count = store.page(*RANGE, start=1, most=len(names))
    assert count == len(names)
    return found


def between(store: PostgresStore, names: list[str]) -> Iterator[Parcel]:
    return islice(store.between(Parcel, "due", "", "~"), 1, None)


def many(store: PostgresStore, names: list[str]) -> Iterator[Parcel]:
    return iter(store.get_many(Parcel, names[1:]).values())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("read", [paged, between, many])
def test_long_records_are_read_some_at_a_time(
    bench: Bench, text: str, read: Callable[[PostgresStore, list[str]], Iterator[Parcel]]
) -> None:
    names = bench.fill(LONG, text)
    found = read(bench.store, names)

    assert [each.id for each in found] == names[1:]
    assert max(bench.trips) <= ANSWER_BYTES_MAX


def test_what_cannot_be_compressed_keeps_the_bound(bench: Bench) -> None:
    names = bench.fill(LONG, TEXTS["as it is"])
    list(paged(bench.store, names))

    assert max(bench.trips) <= LONG_BYTES * 11 // 10


def test_a_page_that_is_not_read_on_holds_a_part_of_it(bench: Bench) -> None:
    names = bench.fill(LONG, TEXTS["as it is"])
    next(paged(bench.store, names))

    assert sum(bench.trips) <= LONG_BYTES * 11 // 10


def test_a_page_has_no_more_than_its_records(bench: Bench) -> None:
    names = bench.fill(LONG, TEXTS["as it is"])
    found, _ = bench.store.page(*RANGE, start=2, most=9)

    assert [each.id for each in found] == names[2:11]


@pytest.mark.parametrize("most", [1, SOME, ORDINARY])
def test_an_ordinary_page_takes_one_trip(bench: Bench, most: int) -> None:
    names = bench.fill(ORDINARY, "y" * ORDINARY_LENGTH)
    bench.store.count(Parcel)
    bench.trips.clear()
    found, _ = bench.store.page(*RANGE, start=0, most=most)

    assert [each.id for each in found] == names[:most]
    assert len(bench.trips) == 1


def test_ordinary_records_of_many_ids_take_one_trip(bench: Bench) -> None:
    names = bench.fill(SOME, "y" * ORDINARY_LENGTH)
    bench.store.count(Parcel)
    bench.trips.clear()

    assert len(bench.store.get_many(Parcel, names)) == SOME
    assert len(bench.trips) == 1


def test_a_short_read_does_not_wait_for_long_ones(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = bench.fill(LONG, TEXTS["as it is"])
    bench.store.commit(unit_of(a_parcel("short", 0)))
    goes_on, real = Event(), bench.engine.ask_long

    def held(*statements: SqlStatement) -> object:
        goes_on.wait()
        return real(*statements)

    monkeypatch.setattr(bench.engine, "ask_long", held)
    page = gevent.spawn(lambda: [*paged(bench.store, names)])
    with gevent.Timeout(20):
        assert bench.store.get(Parcel, "short") is not None
    assert not page.ready()
    goes_on.set()
    assert len(page.get()) == LONG - 1


def test_of_each_owner_one_long_read_is_under_way(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, most, real = [0], [0], MultiplexedReader.ask

    def ask(reader: MultiplexedReader, *statements: SqlStatement) -> object:
        if ASKED not in statements:
            return real(reader, *statements)
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        try:
            return real(reader, *statements)
        finally:
            under_way[0] -= 1

    def read(owner: str) -> None:
        work_for(owner)
        bench.engine.ask_long(ASKED)

    monkeypatch.setattr(MultiplexedReader, "ask", ask)
    gevent.joinall([gevent.spawn(read, "one") for _ in range(20)], raise_error=True)
    assert most == [1]
    gevent.joinall([gevent.spawn(read, f"{number}") for number in range(20)], raise_error=True)
    assert most == [LONG_READS_MAX]


def test_a_snapshot_reads_and_stores_long_records_some_at_a_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, other, stored = bench.fill(LONG, TEXTS["as it is"]), a_sandbox(), list[int]()
    snapshot, real = Snapshot(b"".join(bench.store.copied())), bench.engine.store
    assert max(bench.trips) <= LONG_BYTES * 11 // 10

    def store(work: Work) -> None:
        stored.append(sum(len(each.forms[0].body) for each in work.changes if each.forms))
        real(work)

    monkeypatch.setattr(bench.engine, "store", store)
    bench.engine.fill(other, bench.engine.store_of(other), snapshot)
    assert max(stored) <= 2 * LONG_BYTES
    assert [*paged(bench.engine.store_of(other), names)] == [*paged(bench.store, names)]


def got(store: PostgresStore, names: list[str]) -> list[Parcel | None]:
    reads = [gevent.spawn(store.get, Parcel, name) for name in names]
    return [read.get() for read in reads]


def found(store: PostgresStore, names: list[str]) -> list[Parcel | None]:
    reads = [gevent.spawn(store.find, Parcel, "sender", name) for name in names]
    return [each for read in reads for each in read.get()]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("read", [got, found])
def test_long_records_that_are_asked_for_at_once_share_no_trip(
    bench: Bench, text: str, read: Callable[[PostgresStore, list[str]], list[Parcel | None]]
) -> None:
    names = bench.fill(LONG, text)

    assert [each.id for each in read(bench.store, names) if each] == names
    assert max(bench.trips) <= ANSWER_BYTES_MAX


def test_all_that_is_found_by_one_key_is_read_some_at_a_time(bench: Bench) -> None:
    names = bench.fill(LONG, TEXTS["as it is"], sender="one")

    assert [each.id for each in bench.store.find(Parcel, "sender", "one")] == names
    assert max(bench.trips) <= LONG_BYTES * 11 // 10


def test_many_ordinary_records_are_all_found(bench: Bench) -> None:
    names = bench.fill(2 * ORDINARY, "y", sender="one")

    assert [each.id for each in bench.store.find(Parcel, "sender", "one")] == names


@pytest.mark.parametrize("text", ["y", TEXTS["as it is"]], ids=["short", "long"])
def test_the_first_of_each_kind_is_read_however_long(bench: Bench, text: str) -> None:
    names = bench.fill(2, text)

    assert [each.id for each in bench.store.firsts([Parcel, Parcel], "due")] == [names[0]] * 2


@pytest.mark.parametrize(("read", "most"), [(got, 1), (found, 2)])
def test_ordinary_records_that_are_asked_for_at_once_share_trips(
    bench: Bench, read: Callable[[PostgresStore, list[str]], list[Parcel | None]], most: int
) -> None:
    names = bench.fill(SOME, "y" * ORDINARY_LENGTH)
    bench.store.count(Parcel)
    bench.trips.clear()

    assert len(read(bench.store, names)) == SOME
    assert len(bench.trips) <= most


def test_a_trip_has_of_each_owner_in_turn_and_no_more_than_it_may_bring() -> None:
    waiting = WaitingQuestions()

    def ask(owner: str, count: int) -> None:
        work_for(owner)
        for _ in range(count):
            long = SqlStatement(owner, (), TRIP_BYTES // 4)
            waiting.add(AskedStatements([long], Waiter()))

    gevent.joinall([gevent.spawn(ask, "many", 6), gevent.spawn(ask, "one", 1)])
    trips = [[each.statements[0].sql for each in waiting.take()] for _ in range(2)]

    assert trips == [["many", "one", "many", "many"], ["many"] * 3]
    assert not waiting


class FailingWire:
    """A connection at which the first question fails inside the gateway."""

    def __init__(self, error: Exception | None):
        self._error = error

    def run(self, groups: Sequence[Sequence[SqlStatement]]) -> list[list[Rows]]:
        if self._error is not None:
            raise self._error
        return [[[[b"2"]]] for _ in groups]

    def close(self) -> None:
        """It has nothing to give back."""


def test_an_internal_error_while_reading_ends_the_questions_and_the_connection() -> None:
    opened: Any = iter([FailingWire(RuntimeError("an answer too many")), FailingWire(None)])
    reader = MultiplexedReader(lambda: next(opened))
    failed = [gevent.spawn(reader.ask, ASKED) for _ in range(3)]
    gevent.joinall(failed, timeout=5)
    asked = gevent.spawn(reader.ask, ASKED)
    asked.join(5)

    assert [type(each.exception) for each in failed] == [RuntimeError] * 3
    assert asked.value == [[[b"2"]]]

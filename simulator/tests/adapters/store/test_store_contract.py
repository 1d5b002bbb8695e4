"""What every store engine must do. An engine is a row of ENGINES; each claim is put to each."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import gevent
import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.domain.core.errors import ConflictError, EpochEndedError
from simulator.domain.core.ports import Store, Unit, key_of, unit_of
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.adapters.store.engines import ENGINES, Surroundings
from simulator.tests.adapters.webhooks.parcels import (
    KINDS,
    Parcel,
    Receipt,
    a_parcel,
    seconds,
)


@pytest.fixture(params=ENGINES)
def store(
    request: pytest.FixtureRequest, tmp_path: Path, engine: Callable[[], PostgresEngine]
) -> Iterator[Store]:
    store = ENGINES[request.param](Surroundings(tmp_path, engine))
    yield store
    store.close()


@pytest.fixture(scope="module")
def engine() -> Iterator[Callable[[], PostgresEngine]]:
    """The engine on PostgreSQL, begun when it is asked for."""
    with ExitStack() as stack:

        @cache
        def begin() -> PostgresEngine:
            cluster = stack.enter_context(running_cluster())
            engine = PostgresEngine(cluster.create(), "fingerprint", kinds=KINDS)
            stack.callback(engine.close)
            return engine

        yield begin


def ids(records: object) -> list[str]:
    return [record.id for record in records]


def put(store: Store, *records: object) -> None:
    store.commit(Unit(puts=records))


def test_a_record_is_read_as_it_was_saved(store):
    parcel = a_parcel("a", sender="Jane", labels={"reference": "1"}, made_at=seconds(0.5))

    put(store, parcel)

    assert store.get(Parcel, "a") == parcel
    assert type(store.get(Parcel, "a")) is Parcel


def test_an_unknown_record_is_none(store):
    put(store, a_parcel("a"))

    assert store.get(Parcel, "b") is None
    assert store.get(Receipt, "a") is None
    assert store.find(Parcel, "sender", "unknown") == []
    assert [*store.ids_found(Parcel, "sender", "unknown")] == []


@pytest.mark.parametrize(
    "sign", ["\0", "\n", "'", "\x7f", "\xff", "\ufffd", "\U0001f4b3", "a" * 9000]
)
def test_what_cannot_be_an_id_is_unknown(store, sign):
    put(store, a_parcel("a"))

    assert store.get(Parcel, sign) is None
    assert store.get(Parcel, f"a{sign}") is None
    assert store.find(Parcel, "sender", f"a{sign}") == []
    assert [*store.get_many(Parcel, [sign, "a", f"a{sign}"])] == ["a"]


def test_many_records_are_read_at_once_and_unknown_ones_left_out(store):
    put(store, a_parcel("a", sender="Jane"), a_parcel("b"), Receipt(id="c", version=1, parcel="a"))
    store.commit(Unit(puts=(a_parcel("b", 2, sender="John"),)))

    found = store.get_many(Parcel, iter(["b", "c", "a", "unknown", "b"]))

    assert found == {each: store.get(Parcel, each) for each in ("a", "b")}
    assert found["b"].sender == "John"
    assert store.get_many(Parcel, []) == store.get_many(Receipt, ["a"]) == {}


def test_what_was_read_may_be_changed_without_changing_the_store(store):
    put(store, a_parcel("a", labels={"reference": "1"}))

    store.get(Parcel, "a").labels["reference"] = "2"
    store.find(Parcel, "reference", "1")[0].labels["reference"] = "3"
    next(store.between(Parcel, "made", "", "9")).labels["reference"] = "4"

    assert store.get(Parcel, "a").labels == {"reference": "1"}


def test_what_was_saved_may_be_changed_without_changing_the_store(store):
    labels = {"reference": "1"}
    put(store, a_parcel("a", labels=labels))

    labels["reference"] = "2"

    assert store.get(Parcel, "a").labels == {"reference": "1"}


@pytest.mark.parametrize(
    ("held", "version"),
    [
        #    held  saved
        pytest.param(0, 0, id="no version"),
        pytest.param(0, 2, id="the second before the first"),
        pytest.param(1, 1, id="the first twice"),
        pytest.param(1, 3, id="one left out"),
        pytest.param(2, 2, id="one that another caller stored"),
    ],
)
def test_only_the_next_version_is_taken(store, held, version):
    for earlier in range(1, held + 1):
        put(store, a_parcel("a", earlier))
    before = store.get(Parcel, "a")

    with pytest.raises(ConflictError):
        put(store, a_parcel("a", version, sender="Jane"))

    assert store.get(Parcel, "a") == before
    assert store.find(Parcel, "sender", "Jane") == []


def test_a_unit_with_one_conflict_changes_nothing(store):
    put(store, a_parcel("a", sender="Jane"))

    with pytest.raises(ConflictError):
        store.commit(Unit(puts=(a_parcel("b"), a_parcel("a", 2, sender="John"), a_parcel("a", 2))))

    assert store.get(Parcel, "b") is None
    assert store.get(Parcel, "a") == a_parcel("a", sender="Jane")
    assert ids(store.find(Parcel, "sender", "Jane")) == ["a"]
    assert [*store.ids_found(Parcel, "sender", "Jane")] == ["a"]


def test_a_record_may_change_twice_in_one_unit(store):
    put(store, a_parcel("a", 1, sender="Jane"), a_parcel("a", 2, sender="John"))

    assert store.get(Parcel, "a").version == 2
    assert store.find(Parcel, "sender", "Jane") == []
    assert ids(store.find(Parcel, "sender", "John")) == ["a"]


def test_unit_of_counts_the_versions(store):
    store.commit(unit_of(a_parcel("a", 0)))
    store.commit(unit_of(store.get(Parcel, "a")))

    assert store.get(Parcel, "a").version == 2


def test_a_removed_record_is_gone_from_every_index(store):
    parcel = a_parcel("a", sender="Jane", due="2", hold={"why": "rain"})
    put(store, parcel, Receipt(id="r", version=1, parcel="a"))

    store.commit(Unit(removes=(parcel,)))

    assert store.get(Parcel, "a") is None
    assert store.find(Parcel, "sender", "Jane") == []
    assert store.find(Parcel, "held", "yes") == []
    assert ids(store.between(Parcel, "due", "", "9")) == []
    assert ids(store.find(Receipt, "parcel", "a")) == ["r"]


def test_only_the_version_held_is_removed(store):
    put(store, a_parcel("a"))
    put(store, a_parcel("a", 2))

    with pytest.raises(ConflictError):
        store.commit(Unit(removes=(a_parcel("a"),)))
    with pytest.raises(ConflictError):
        store.commit(Unit(removes=(a_parcel("b", 0),)))

    assert store.get(Parcel, "a").version == 2


def test_a_removed_id_begins_again_at_the_first_version(store):
    put(store, a_parcel("a", sender="Jane"))
    store.commit(Unit(removes=(a_parcel("a"),)))

    put(store, a_parcel("a", sender="John"))

    assert store.get(Parcel, "a").sender == "John"
    assert store.find(Parcel, "sender", "Jane") == []


def test_an_index_follows_a_change(store):
    put(store, a_parcel("a", sender="Jane", due="2", hold={"why": "rain"}))

    put(store, a_parcel("a", 2, sender="John", due="5"))

    assert store.find(Parcel, "sender", "Jane") == []
    assert ids(store.find(Parcel, "sender", "John")) == ["a"]
    assert store.find(Parcel, "held", "yes") == []
    assert ids(store.between(Parcel, "due", "0", "5")) == []
    assert ids(store.between(Parcel, "due", "5", "6")) == ["a"]


def test_records_under_one_key_come_oldest_first_whenever_they_got_the_key(store):
    for identity in "dbca":
        put(store, a_parcel(identity, sender="John" if identity == "b" else "Jane"))
    put(store, a_parcel("b", 2, sender="Jane"))
    put(store, a_parcel("c", 2, sender=None))

    assert ids(store.find(Parcel, "sender", "Jane")) == ["d", "b", "a"]


def test_a_key_inside_a_map_is_found(store):
    put(store, a_parcel("a", labels={"reference": "x"}), a_parcel("b", labels={"other": "x"}))

    assert ids(store.find(Parcel, "reference", "x")) == ["a"]


def test_a_record_without_the_field_is_in_no_index_of_it(store):
    put(store, a_parcel("a"))

    assert store.find(Parcel, "sender", "None") == []
    assert store.find(Parcel, "held", "yes") == []
    assert ids(store.between(Parcel, "due", "", "~")) == []


def test_the_presence_index_holds_the_records_that_have_anything_there(store):
    put(store, a_parcel("a", hold={}), a_parcel("b"), a_parcel("c", hold={"why": "rain"}))

    assert ids(store.find(Parcel, "held", "yes")) == ["a", "c"]


def test_a_range_has_its_low_end_and_not_its_high_end(store):
    for due in ("4", "2", "3", "1"):
        put(store, a_parcel(due, due=due))

    assert ids(store.between(Parcel, "due", "2", "4")) == ["2", "3"]
    assert ids(store.between(Parcel, "due", "4", "2")) == []
    assert ids(store.between(Parcel, "due", "", "~")) == ["1", "2", "3", "4"]


def test_equal_keys_come_oldest_first(store):
    for identity in "cab":
        put(store, a_parcel(identity, due="same"))
    put(store, a_parcel("d", due="sam"))

    assert ids(store.between(Parcel, "due", "sa", "same!")) == ["d", "c", "a", "b"]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        #            from                           until                   found
        ("2026-11-20T12:00:00Z",        "2026-11-20T12:00:01Z",      ["0", "0.5"]),
        ("2026-11-20T12:00:00+00:00",   "2026-11-20T12:00:01+00:00", ["0", "0.5"]),
        ("2026-11-20T12:00:00.500000Z", "2026-11-20T12:00:02",       ["0.5", "1"]),
        ("2026-11-20",                  "2026-11-21",                ["-1", "0", "0.5", "1"]),
    ],
)  # fmt: skip
def test_instants_are_in_the_order_of_time(store, low, high, expected):
    for offset in ("1", "0.5", "-1", "0"):
        put(store, a_parcel(offset, made_at=seconds(float(offset))))

    assert ids(store.between(Parcel, "made", low, high)) == expected


def test_a_range_is_read_without_what_left_it_meanwhile(store):
    for due in ("1", "2", "3", "4"):
        put(store, a_parcel(due, due=due))
    found = store.between(Parcel, "due", "1", "9")

    first = next(found)
    put(store, a_parcel("2", 2, due="8"))
    store.commit(Unit(removes=(a_parcel("3", due="3"),)))
    put(store, a_parcel("5", due="5"))

    # What entered it meanwhile may be seen or not.
    assert [each for each in (first.id, *ids(found)) if each not in ("2", "5")] == ["1", "4"]


def test_a_range_may_be_longer_than_what_is_read_at_once(store):
    names = [f"{number:04d}" for number in range(300)]
    for name in reversed(names):
        put(store, a_parcel(name, due=name))

    assert ids(store.between(Parcel, "due", "", "~")) == names
    assert ids(store.between(Parcel, "due", "0063", "0130")) == names[63:130]


def test_a_page_is_a_part_of_a_range_and_knows_the_whole(store):
    for due in ("1", "2", "3", "4", "5"):
        put(store, a_parcel(due, due=due))

    for start, expected in ((0, ["2", "3"]), (2, ["4"]), (3, []), (9, [])):
        found, count = store.page(Parcel, "due", ("2", "5"), start=start, most=2)
        assert (ids(found), count) == (expected, 3)
    assert store.page(Parcel, "due", ("5", "2"), start=0, most=2)[1] == 0


def test_keys_within_another_are_kept_apart(store):
    put(store, a_parcel("a", sender="Jane"), a_parcel("b", sender="John"), a_parcel("c"))
    put(store, a_parcel("d", sender="Jane", made_at=seconds(5)))

    day = ("2026-11-20", "2026-11-21")
    for sender, expected in (("Jane", ["a", "d"]), ("John", ["b"]), ("", [])):
        bounds = (key_of(sender, each) for each in day)
        assert ids(store.between(Parcel, "of sender", *bounds)) == expected


def test_an_index_that_does_not_exist_is_an_error(store):
    for index in ("nothing", "due"):
        with pytest.raises(LookupError):
            store.find(Parcel, index, "1")
    for index in ("nothing", "sender"):
        with pytest.raises(LookupError):
            store.between(Parcel, index, "1", "2")


def test_of_many_savers_of_one_version_one_wins(store):
    put(store, a_parcel("a"))

    def save(sender: int) -> bool:
        try:
            put(store, a_parcel("a", 2, sender=str(sender)))
        except ConflictError:
            return False
        return True

    savers = [gevent.spawn(save, number) for number in range(32)]
    gevent.joinall(savers)

    won = [number for number, saver in enumerate(savers) if saver.value]
    assert len(won) == 1
    assert store.get(Parcel, "a").sender == str(won[0])


def test_settling_with_nothing_pending_returns(store):
    store.wait_durable()
    put(store, a_parcel("a"))
    store.wait_durable()


def test_the_first_of_each_kind_is_that_with_the_lowest_key(store):
    put(store, a_parcel("a", due="2"), a_parcel("b", due="1"), a_parcel("c"))

    assert [each and each.id for each in store.firsts([Parcel, Parcel], "due")] == ["b", "b"]
    with pytest.raises(LookupError):
        store.firsts([Parcel, Receipt], "due")


def test_reading_goes_on_behind_a_place_wherever_its_record_is_by_then(store):
    put(store, *(a_parcel(each, due=due) for each, due in zip("abcd", "1223", strict=True)))
    found = list(store.after(Parcel, "due", None))
    for number, (place, _) in enumerate(found):
        assert list(store.after(Parcel, "due", place)) == found[number + 1 :]
    store.commit(Unit(removes=(found[1][1],)))
    put(store, a_parcel("e", due="2"), a_parcel("f", due="1"))
    assert ids(each for _, each in store.after(Parcel, "due", found[1][0])) == ["c", "e", "d"]


def test_who_watches_is_shown_what_is_stored_and_nothing_that_is_refused(store):
    seen: list[str] = []
    store.watch(lambda puts: seen.extend(each.id for each in puts))
    put(store, a_parcel("a"), a_parcel("b"))
    with pytest.raises(ConflictError):
        put(store, a_parcel("a"))
    assert seen == ["a", "b"]


def test_a_closed_store_is_gone(tmp_path, engine):
    for name in ("dicts", "log, disk", "postgresql"):
        store = ENGINES[name](Surroundings(tmp_path, engine))
        put(store, a_parcel("a", due="1"), a_parcel("b", due="2"))
        under_way = store.between(Parcel, "due", "0", "9")
        next(under_way)

        store.close()

        for call in (
            lambda store=store: store.get(Parcel, "a"),
            lambda store=store: store.find(Parcel, "sender", "x"),
            lambda store=store: store.get_many(Parcel, ["a"]),
            lambda store=store: store.between(Parcel, "due", "0", "9"),
            lambda store=store: store.commit(Unit()),
            lambda store=store: store.wait_durable(),
            lambda store=store: store.pause(0),
            lambda under_way=under_way: next(under_way),
        ):
            with pytest.raises(EpochEndedError):
                call()

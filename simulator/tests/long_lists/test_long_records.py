"""Records that are long: of all that read them, one goes on in each turn of the event loop."""

from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.progress import PART_BYTES
from simulator.adapters.store.store import LONG_RECORD_BYTES
from simulator.domain.core.ports import Store, Unit
from simulator.tests.adapters.store.engines import Surroundings, on
from simulator.tests.adapters.webhooks.parcels import Parcel, a_parcel
from simulator.tests.kit.event_loop import looks_during

READERS = 20


def list_of(store: Store) -> list[Parcel]:
    """All parcels that are there, in the order of when they came."""
    return list(store.between(Parcel, "made", "", "~"))


@pytest.mark.parametrize(("length", "is_long"), [(100, False), (LONG_RECORD_BYTES, True)])
def test_readers_of_a_long_record_take_turns(tmp_path: Path, length: int, is_long: bool) -> None:
    store: Store = on(Durability.MEMORY)(Surroundings(tmp_path, None))
    store.commit(Unit(puts=(a_parcel("a", sender="x" * length),)))

    def all_read() -> None:
        readers = [gevent.spawn(store.get, Parcel, "a") for _ in range(READERS)]
        gevent.joinall(readers, raise_error=True)
        assert {len(each.get().sender) for each in readers} == {length}

    assert (looks_during(all_read) >= READERS) is is_long
    store.close()


@pytest.mark.parametrize(("length", "is_long"), [(100, False), (LONG_RECORD_BYTES, True)])
def test_readers_of_a_list_of_long_records_take_turns(
    tmp_path: Path, length: int, is_long: bool
) -> None:
    store: Store = on(Durability.MEMORY)(Surroundings(tmp_path, None))
    store.commit(Unit(puts=(a_parcel("a", sender="x" * length),)))

    def all_read() -> None:
        readers = [gevent.spawn(list_of, store) for _ in range(READERS)]
        gevent.joinall(readers, raise_error=True)
        assert {len(found.sender) for each in readers for found in each.get()} == {length}

    assert (looks_during(all_read) >= READERS) is is_long
    store.close()


@pytest.mark.parametrize(("length", "is_long"), [(100, False), (PART_BYTES, True)])
def test_a_log_of_long_records_is_read_in_turns(tmp_path: Path, length: int, is_long: bool) -> None:
    surroundings = Surroundings(tmp_path, None)
    store: Store = on(Durability.OS)(surroundings)
    for number in range(READERS):
        store.commit(Unit(puts=(a_parcel(f"{number}", sender="x" * length),)))
    store.close()

    again: Store = on(Durability.OS)(surroundings)
    # Each record has a turn when its line is read, and one when it is brought into the indexes.
    looks = looks_during(lambda: again.get(Parcel, "0"))

    assert (looks >= 2 * READERS) is is_long
    again.close()


def test_a_record_that_changes_while_its_turn_comes_is_read_as_it_is_then(tmp_path: Path) -> None:
    store: Store = on(Durability.MEMORY)(Surroundings(tmp_path, None))
    parcel = a_parcel("a", sender="x" * LONG_RECORD_BYTES)
    store.commit(Unit(puts=(parcel,)))
    reading = gevent.spawn(store.get, Parcel, "a")
    gevent.sleep(0)

    store.commit(Unit(removes=(parcel,)))

    assert reading.get() is None
    store.close()


def test_a_record_that_goes_while_its_turn_in_a_list_comes_is_passed_over(tmp_path: Path) -> None:
    store: Store = on(Durability.MEMORY)(Surroundings(tmp_path, None))
    parcel = a_parcel("a", sender="x" * LONG_RECORD_BYTES)
    store.commit(Unit(puts=(parcel,)))
    reading = gevent.spawn(list_of, store)
    gevent.sleep(0)

    store.commit(Unit(removes=(parcel,)))

    assert reading.get() == []
    store.close()

"""Long work on a disk that refuses a write: it stores nothing that rests on what is lost."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DiskError
from simulator.domain.core.long_work import LongWorkStore
from simulator.domain.core.ports import Store, Unit
from simulator.domain.core.slices import SLICE_RECORDS, change_in_slices
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, SlowlyUsedStore

WRAPPED = (LongWorkStore, partial(LongWorkStore, is_batched=True))


@pytest.fixture
def store(disk: FaultyDisk, tmp_path: Path) -> DocumentStore:
    made = DocumentStore(tmp_path / "a.log", kinds=KINDS, disk=disk)
    made.commit(unit_of_parcel("before"))
    return made


def unit_of_parcel(identity: str) -> Unit:
    return Unit(puts=(a_parcel(identity),))


def lose(store: DocumentStore, disk: FaultyDisk, identity: str, into: Store) -> None:
    """Store a parcel whose write fails, and let the disk have room again."""
    disk.is_full = True
    into.commit_unflushed(unit_of_parcel(identity))
    with pytest.raises(DiskError):
        store.wait_durable()
    disk.is_full = False
    store.reopen()


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_work_that_lost_a_unit_stores_nothing_more_and_another_one_does(
    store: DocumentStore, disk: FaultyDisk, wrapped: Callable[[Store], Store]
) -> None:
    work = wrapped(store)
    lose(store, disk, "lost", work)

    for call in (work.commit, work.commit_unflushed):
        with pytest.raises(DiskError):
            call(unit_of_parcel("rests on it"))
    with pytest.raises(DiskError):
        work.wait_durable()

    again = wrapped(store)
    again.commit(unit_of_parcel("lost"))
    again.wait_durable()
    fresh = DocumentStore(store.path, kinds=KINDS)
    assert [each.id for each in fresh.between(Parcel, "made", "", "9")] == ["before", "lost"]


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_work_that_may_have_read_what_is_lost_stores_nothing_more(
    store: DocumentStore, disk: FaultyDisk, wrapped: Callable[[Store], Store]
) -> None:
    work = wrapped(store)
    lose(store, disk, "lost", store)

    with pytest.raises(DiskError):
        work.commit(unit_of_parcel("rests on it"))
    assert store.get(Parcel, "rests on it") is None


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_what_failed_before_the_work_began_is_nothing_to_it(
    store: DocumentStore, disk: FaultyDisk, wrapped: Callable[[Store], Store]
) -> None:
    lose(store, disk, "lost", store)
    work = wrapped(store)

    work.commit(unit_of_parcel("b"))
    work.commit_unflushed(unit_of_parcel("c"))
    work.wait_durable()

    assert work.count(Parcel) == 3


class Held:
    """Ports that are a store alone."""

    def __init__(self, store: object):
        self.store = store


def test_records_that_are_changed_in_slices_are_changed_durably_or_refused(
    store: DocumentStore, disk: FaultyDisk
) -> None:
    names = [f"{number:03d}" for number in range(3 * SLICE_RECORDS)]
    store.commit(Unit(puts=tuple(map(a_parcel, names))))
    ports, disk.refuses = Held(SlowlyUsedStore(store)), b'"gone"'

    def change(parcel: Parcel) -> Parcel | None:
        return None if parcel.sender else replace(parcel, sender="gone")

    with pytest.raises(DiskError):
        change_in_slices(ports, Parcel, names, change)
    change_in_slices(ports, Parcel, names, change)

    fresh = DocumentStore(store.path, kinds=KINDS)
    assert len(fresh.find(Parcel, "sender", "gone")) == len(names)

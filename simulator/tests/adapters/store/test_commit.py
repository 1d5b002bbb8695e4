"""Group commit: who shares a write, and what happens when the disk refuses one."""

from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DiskError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel
from simulator.tests.lost_writes.faulty_disk import FaultyDisk


@pytest.fixture
def disk() -> FaultyDisk:
    return FaultyDisk()


@pytest.fixture
def store(disk: FaultyDisk, tmp_path: Path) -> DocumentStore:
    store = DocumentStore(tmp_path / "a.log", kinds=KINDS, disk=disk)
    assert store.get(Parcel, "read the log first") is None
    return store


def save(store: DocumentStore, identity: str, version: int = 1, **fields: object) -> None:
    store.commit(Unit(puts=(a_parcel(identity, version, **fields),)))


def reread(store: DocumentStore) -> list[str]:
    fresh = DocumentStore(store.path, kinds=KINDS)
    return [parcel.id for parcel in fresh.between(Parcel, "made", "", "9")]


def saving_fails(store: DocumentStore, identity: str) -> bool:
    try:
        save(store, identity)
    except DiskError:
        return True
    return False


def test_savers_at_the_same_time_share_one_sync(store, disk):
    save(store, "first")
    before = disk.syncs

    gevent.joinall([gevent.spawn(save, store, str(number)) for number in range(32)])

    assert disk.syncs == before + 1
    assert len(reread(store)) == 33


def test_who_comes_during_a_write_shares_the_next_one(store, disk):
    save(store, "first")
    before = disk.syncs
    savers = [gevent.spawn(save, store, str(number)) for number in range(10)]
    while disk.syncs == before:
        gevent.sleep(0)

    savers += [gevent.spawn(save, store, str(number)) for number in range(10, 20)]
    gevent.joinall(savers, raise_error=True)

    assert disk.syncs == before + 2


def test_a_save_returns_after_the_sync_and_reads_see_it_before(store, disk):
    saver = gevent.spawn(save, store, "a")
    gevent.sleep(0)

    assert store.get(Parcel, "a") is not None
    assert not saver.ready()

    saver.get()
    assert reread(store) == ["a"]


def test_settling_waits_for_what_others_saved(store, disk):
    saver = gevent.spawn(save, store, "a")
    gevent.sleep(0)

    store.wait_durable()

    assert reread(store) == ["a"]
    saver.get()


def test_other_greenlets_go_on_during_a_sync(store, disk):
    turns = []

    def count() -> None:
        while True:
            turns.append(1)
            gevent.sleep(0)

    counter = gevent.spawn(count)
    save(store, "a")
    counter.kill()

    assert len(turns) > 2


@pytest.mark.parametrize(
    ("fault", "durability"),
    [("is_full", Durability.DISK), ("cannot_sync", Durability.DISK), ("is_full", Durability.OS)],
)
def test_a_failed_write_is_taken_back_and_writes_are_refused(tmp_path, disk, fault, durability):
    store = DocumentStore(tmp_path / "a.log", kinds=KINDS, disk=disk, durability=durability)
    save(store, "a", sender="Jane")
    setattr(disk, fault, True)

    savers = [gevent.spawn(saving_fails, store, str(number)) for number in range(5)]
    savers.append(gevent.spawn(saving_fails, store, "a2"))
    gevent.joinall(savers)

    assert all(saver.value for saver in savers)
    assert [parcel.id for parcel in store.between(Parcel, "made", "", "9")] == ["a"]
    assert reread(store) == ["a"], "nor does a later start find it"
    assert store.sleep() is False
    with pytest.raises(DiskError):
        save(store, "b")
    assert store.get(Parcel, "b") is None
    store.wait_durable()


def test_units_that_build_on_a_failed_one_fail_with_it(store, disk):
    save(store, "a", sender="1")
    disk.is_full = True

    def change(version: int) -> bool:
        try:
            save(store, "a", version, sender=str(version))
        except DiskError:
            return True
        return False

    changers = [gevent.spawn(change, version) for version in (2, 3)]
    gevent.sleep(0)
    changers += [gevent.spawn(change, 4)]
    gevent.joinall(changers)

    assert [changer.value for changer in changers] == [True, True, True]
    assert store.get(Parcel, "a").sender == "1"
    assert [parcel.id for parcel in store.find(Parcel, "sender", "1")] == ["a"]


@pytest.mark.parametrize("fault", ["is_full", "cannot_sync"])
def test_a_reopened_store_goes_on_where_the_disk_was_good(store, disk, fault):
    save(store, "a")
    setattr(disk, fault, True)
    assert saving_fails(store, "b")
    setattr(disk, fault, False)

    store.reopen()
    save(store, "b")

    assert reread(store) == ["a", "b"]


def test_a_disk_that_has_room_again_is_noticed_within_a_second(store, disk):
    save(store, "a")
    disk.is_full = True
    assert saving_fails(store, "b")
    disk.is_full = False

    with gevent.Timeout(1.5):
        while saving_fails(store, "b"):
            gevent.sleep(0.02)

    assert reread(store) == ["a", "b"]


def test_a_disk_that_stays_full_is_not_asked_at_every_save(store, disk):
    save(store, "a")
    disk.is_full = True
    before = disk.appends

    for _ in range(50):
        assert saving_fails(store, "b")

    assert disk.appends - before <= 2
    assert store.get(Parcel, "a") is not None


def test_a_store_whose_first_write_failed_can_be_reopened(store, disk):
    disk.is_full = True
    assert saving_fails(store, "a")
    disk.is_full = False

    store.reopen()
    save(store, "b")

    assert reread(store) == ["b"]


def test_reopening_a_sound_store_changes_nothing(store):
    save(store, "a")

    store.reopen()

    assert reread(store) == ["a"]


def test_a_killed_saver_leaves_the_others_alone(store):
    savers = [gevent.spawn(save, store, str(number)) for number in range(3)]
    gevent.sleep(0)

    savers[0].kill()
    gevent.joinall(savers[1:], raise_error=True)

    store.wait_durable()
    assert len(reread(store)) == 3


def test_closing_writes_what_is_pending(store):
    saver = gevent.spawn(save, store, "a")
    gevent.sleep(0)

    store.close()

    saver.get()
    assert reread(store) == ["a"]


def loses(store: DocumentStore, disk: FaultyDisk, identity: str) -> Flush:
    """Store a parcel whose write fails; the store takes units again when this returns."""
    disk.is_full = True
    flush = store.commit_unflushed(Unit(puts=(a_parcel(identity),)))
    with pytest.raises(DiskError):
        store.wait_durable()
    disk.is_full = False
    store.reopen()
    return flush


def test_who_stored_a_unit_learns_however_late_that_it_was_taken_back(store, disk):
    save(store, "a")
    flush = loses(store, disk, "b")
    save(store, "c")

    for _ in range(2):
        with pytest.raises(DiskError):
            flush.wait()
    assert reread(store) == ["a", "c"]


def test_a_unit_that_was_written_is_durable_whatever_fails_after_it(store, disk):
    flush = store.commit_unflushed(Unit(puts=(a_parcel("a"),)))
    store.wait_durable()
    loses(store, disk, "b")

    flush.wait()
    assert reread(store) == ["a"]


def test_waiting_for_a_unit_returns_after_its_sync(store, disk):
    flush = store.commit_unflushed(Unit(puts=(a_parcel("a"),)))
    assert disk.syncs == 0

    flush.wait()

    assert reread(store) == ["a"]


def test_failed_writes_are_counted_for_as_long_as_the_epoch_lasts(store, disk):
    save(store, "a")
    assert store.failed_writes == 0
    loses(store, disk, "b")
    assert store.failed_writes == 1

    save(store, "c")
    assert store.sleep() is True
    assert store.failed_writes == 1
    assert store.get(Parcel, "c") is not None
    assert store.failed_writes == 1
    loses(store, disk, "d")
    assert store.failed_writes == 2

"""Compaction: the log gets shorter, nothing else changes, and no writer is held up."""

from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.documents import TableShape
from simulator.adapters.store.kinds import codecs
from simulator.adapters.store.log import LogStorage
from simulator.domain.core.errors import DamagedLogError, DiskError
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.adapters.store.test_commit import FaultyDisk
from simulator.tests.adapters.webhooks.parcels import KINDS
from simulator.tests.lost_writes.faulty_disk import UnnamedDisk

LOG = Path("a.log")
SHAPES = tuple(codec.shape for codec in codecs(KINDS).values())


def bodies_in(storage: LogStorage) -> dict[str, dict[str, bytes]]:
    return {shape.table: dict(storage.documents(shape.table).bodies.items()) for shape in SHAPES}


def put(storage: LogStorage, table: str, identity: str, document: dict) -> None:
    held = storage.documents(table)
    serial = held.serial(identity) if identity in held.bodies else storage.next_serial()
    storage.commit([held.change(identity, storage.body(document, serial=serial))])


def a_storage(disk: object, **options: object) -> LogStorage:
    return LogStorage(LOG, shapes=SHAPES, disk=disk, **options)


def filled(disk: object, *, count: int = 50, rounds: int = 3) -> LogStorage:
    storage = a_storage(disk)
    for round_ in range(rounds):
        for number in range(count):
            put(storage, "parcels", str(number), {"sender": str(number % 3), "round": round_})
    storage.settle()
    return storage


def test_a_compacted_log_holds_the_same_in_less():
    disk = PowerCutDisk()
    storage = filled(disk)
    before, held = disk.size(LOG), bodies_in(storage)

    assert storage.compact() is True

    assert storage.size == disk.size(LOG) < before / 2
    assert bodies_in(storage) == held
    assert bodies_in(a_storage(disk)) == held
    assert not disk.size(LOG.with_name("a.log.new"))


def test_a_compacted_log_goes_on():
    disk = PowerCutDisk()
    storage = filled(disk)
    storage.compact()

    put(storage, "parcels", "new", {"sender": "x"})
    storage.settle()

    assert bodies_in(a_storage(disk.after_cut())) == bodies_in(storage)
    assert len(disk.open_handles) == 1


def test_units_stored_during_a_compaction_are_in_the_new_log(tmp_path):
    # Big enough for the copy to take many turns, and a change of each record meanwhile.
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES)
    filler = "x" * 2000
    for number in range(1000):
        put(storage, "parcels", str(number), {"sender": "a", "filler": filler})
    storage.settle()
    compaction = gevent.spawn(storage.compact)

    def change(first: int) -> int:
        changed = 0
        for number in range(first, 1000, 8):
            put(storage, "parcels", str(number), {"sender": "b"})
            put(storage, "receipts", str(number), {"parcel": str(number)})
            storage.settle()
            changed += not compaction.ready()
        return changed

    changers = [gevent.spawn(change, first) for first in range(8)]
    gevent.joinall([compaction, *changers], raise_error=True)

    assert compaction.value is True
    assert sum(changer.value for changer in changers) > 0, "some of it was meanwhile"
    storage.close()
    found = LogStorage(tmp_path / "a.log", shapes=SHAPES)
    assert bodies_in(found) == bodies_in(storage)
    assert len(found.documents("parcels").hash_index("sender").ids("b")) == 1000


def test_a_log_is_compacted_by_itself_when_most_of_it_is_dead(tmp_path):
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES, compaction_floor=10_000)
    for round_ in range(200):
        put(storage, "parcels", "a", {"sender": "x" * 500, "round": round_})
        storage.settle()

    assert storage.size < 20_000
    storage.close()
    assert bodies_in(LogStorage(tmp_path / "a.log", shapes=SHAPES)) == bodies_in(storage)


def test_a_log_of_live_records_is_left_alone(tmp_path):
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES, compaction_floor=10_000)
    for number in range(100):
        put(storage, "parcels", str(number), {"sender": "x" * 500})
        storage.settle()

    assert storage.idle
    assert storage.size > 50_000


def test_a_disk_without_room_for_the_copy_keeps_the_old_log(tmp_path):
    disk = FaultyDisk()
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES, disk=disk)
    put(storage, "parcels", "a", {"sender": "x"})
    storage.settle()
    disk.is_full = True

    assert storage.compact() is False

    disk.is_full = False
    put(storage, "parcels", "b", {"sender": "x"})
    storage.settle()
    assert bodies_in(LogStorage(tmp_path / "a.log", shapes=SHAPES)) == bodies_in(storage)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.log", "a.used"]


def test_a_write_that_fails_during_a_compaction_is_not_in_the_new_log():
    disk = PowerCutDisk()
    storage = filled(disk, rounds=1)
    held = bodies_in(storage)
    compaction = gevent.spawn(storage.compact)
    gevent.sleep(0)
    put(storage, "parcels", "lost", {"sender": "x"})
    disk.steps_left = 0

    gevent.joinall([compaction])

    assert compaction.value is False
    assert bodies_in(storage) == held
    for _ in range(20):
        assert bodies_in(a_storage(disk.after_cut(keep_unsynced=False))) == held


@pytest.mark.parametrize("keep_unsynced", [True, False])
def test_a_power_cut_at_any_step_of_a_compaction_loses_nothing(keep_unsynced):
    steps = 0
    done = False
    while not done:
        disk = PowerCutDisk(seed=steps)
        storage = filled(disk, count=5, rounds=2)
        held = bodies_in(storage)
        disk.steps_left = steps

        done = storage.compact()

        found = disk.after_cut(keep_unsynced=keep_unsynced)
        assert bodies_in(a_storage(found)) == held
        assert not found.size(LOG.with_name("a.log.new")), "a start clears away the copy"
        steps += 1
    assert steps > 8


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_what_is_stored_behind_a_compaction_without_a_durable_name_is_there(tmp_path, failures):
    disk = UnnamedDisk()
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES, disk=disk)
    for round_ in range(30):
        put(storage, "parcels", "a", {"sender": "x", "round": round_})
    storage.settle()
    disk.refusals = failures

    storage.compact()
    assert [stored(storage, f"{number}") for number in range(4)].count(True) >= 4 - failures

    storage.close()
    assert bodies_in(LogStorage(tmp_path / "a.log", shapes=SHAPES)) == bodies_in(storage)


@pytest.mark.parametrize("starts_anew", [True, False])
@pytest.mark.parametrize("failures", [0, 1, 2])
def test_no_power_cut_takes_what_was_stored_behind_a_compaction(failures, starts_anew):
    disk = PowerCutDisk()
    unnamed = UnnamedDisk(disk)
    storage = filled(unnamed, count=5, rounds=2)
    unnamed.refusals = failures
    storage.compact()
    if starts_anew:
        storage = started(unnamed)

    for number in range(4):
        stored(storage, f"later {number}")

    for _ in range(20):
        assert bodies_in(a_storage(disk.after_cut(keep_unsynced=False))) == bodies_in(storage)
        assert bodies_in(a_storage(disk.after_cut())) == bodies_in(storage)


def stored(storage: LogStorage, identity: str) -> bool:
    """Whether a document is stored; the storage takes others in either case."""
    try:
        put(storage, "parcels", identity, {"sender": "x"})
        storage.settle()
    except DiskError:
        storage.reopen()
        return False
    return True


def started(disk: UnnamedDisk) -> LogStorage:
    """The storage of the next start at which the disk lets it be read."""
    while True:
        try:
            return a_storage(disk)
        except DiskError:
            continue


def test_damage_anywhere_in_a_compacted_log_is_noticed():
    disk = PowerCutDisk()
    storage = filled(disk, count=3)
    storage.compact()
    content = disk.content(LOG)
    end_of_live = content.rindex(b"\n", 0, -1)

    stopped = [place for place in range(end_of_live) if stops(content, place)]

    assert stopped == list(range(end_of_live))


def stops(content: bytes, place: int) -> bool:
    damaged = bytearray(content)
    damaged[place] ^= 1
    disk = PowerCutDisk()
    disk.plant(LOG, bytes(damaged))
    try:
        a_storage(disk)
    except DamagedLogError:
        return True
    return False


def test_a_storage_may_be_closed_while_it_is_compacted(tmp_path):
    storage = LogStorage(tmp_path / "a.log", shapes=SHAPES, compaction_floor=1)
    while storage.idle:
        put(storage, "parcels", "a", {"sender": "x", "size": storage.size})
        storage.settle()

    storage.close()

    assert storage.idle
    assert bodies_in(LogStorage(tmp_path / "a.log", shapes=SHAPES)) == bodies_in(storage)


def test_a_shape_without_indexes_is_enough():
    storage = LogStorage(LOG, shapes=(TableShape("plain"),), disk=PowerCutDisk())
    put(storage, "plain", "a", {"sender": 1})
    storage.settle()

    assert storage.compact() is True

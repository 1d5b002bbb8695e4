"""The log: what a start makes of it, whatever happened to the file."""

from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.log import LogStorage
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DamagedLogError, DiskError
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, Receipt, a_parcel

LOG = Path("a.log")


def a_store(disk: PowerCutDisk, **options: object) -> DocumentStore:
    return DocumentStore(LOG, kinds=KINDS, disk=disk, **options)


def a_log_of(*units: Unit) -> bytes:
    disk = PowerCutDisk()
    store = a_store(disk)
    for unit in units:
        store.commit(unit)
    store.close()
    return disk.content(LOG)


def a_disk_with(content: bytes) -> PowerCutDisk:
    disk = PowerCutDisk()
    disk.plant(LOG, content)
    return disk


def parcels_in(content: bytes) -> list[str]:
    store = a_store(a_disk_with(content))
    return [parcel.id for parcel in store.between(Parcel, "made", "", "9")]


def three_units() -> tuple[Unit, ...]:
    return tuple(
        Unit(puts=(a_parcel(identity), Receipt(id=identity, version=1, parcel=identity)))
        for identity in "abc"
    )


def test_a_log_reads_as_words():
    log = a_log_of(Unit(puts=(a_parcel("a"),)), Unit(removes=(a_parcel("a"),)))
    lines = log.decode().split("\n")

    assert lines[0].endswith(' 0 {"log":"sandgate","format":1}')
    assert lines[1].endswith(
        ' [["parcels","a",[1,{"id":"a","version":1,"made_at":"2026-11-20T12:00:00Z"}]]]'
    )
    assert lines[2].endswith(' [["parcels","a",null]]')


def test_a_torn_end_is_cut_off_at_whatever_byte_it_tore():
    content = a_log_of(*three_units())
    ends = [place + 1 for place, byte in enumerate(content) if byte == 10]

    for length in range(len(content) + 1):
        whole = sum(end <= length for end in ends[1:])
        disk = a_disk_with(content[:length])
        store = a_store(disk)

        found = [parcel.id for parcel in store.between(Parcel, "made", "", "9")]
        receipts = [store.get(Receipt, identity) is not None for identity in "abc"]

        assert found == ["a", "b", "c"][:whole]
        assert sum(receipts) == whole
        assert disk.size(LOG) == max([end for end in ends if end <= length], default=0)


@pytest.mark.parametrize("length", [0, 1, 20, 200])
def test_a_log_goes_on_after_a_torn_end(length):
    disk = a_disk_with(a_log_of(*three_units())[:length])
    store = a_store(disk)

    store.commit(Unit(puts=(a_parcel("d"),)))
    store.close()

    assert parcels_in(disk.content(LOG))[-1] == "d"


def test_a_damaged_line_that_later_lines_build_on_stops_the_start():
    content = a_log_of(*three_units())
    lines = content.splitlines(keepends=True)
    # Without its end the last line but one would be part of the last, and that may be torn.
    for place in range(len(lines[0]), len(content) - len(lines[-1]) - 1):
        damaged = bytearray(content)
        damaged[place] ^= 1
        number = content[:place].count(b"\n") + 1

        with pytest.raises(DamagedLogError) as caught:
            parcels_in(bytes(damaged))

        assert str(caught.value).startswith(f"a.log, line {number}: expected a line with a right")
        assert caught.value.number == number


def test_a_broken_log_is_left_as_it_is():
    damaged = a_log_of(*three_units()).replace(b'"parcel":"a"', b'"parcel":"x"')
    disk = a_disk_with(damaged)

    for _ in range(2):
        with pytest.raises(DamagedLogError):
            a_store(disk).get(Parcel, "a")

    assert disk.content(LOG) == damaged


def test_a_missing_line_of_a_batch_under_way_is_a_torn_end():
    # Both lines of the batch say that only the header was durable: the second proves nothing.
    disk = PowerCutDisk()
    store = a_store(disk)
    store.get(Parcel, "a")
    gevent.joinall([gevent.spawn(store.commit, unit) for unit in three_units()])
    lines = disk.content(LOG).splitlines(keepends=True)

    assert parcels_in(lines[0] + lines[1] + bytes(len(lines[2])) + lines[3]) == ["a"]


@pytest.mark.parametrize("content", [b"hello\n", b"\n", b"x" * 500, b'{"_default": {}}'])
def test_a_file_that_is_no_log_is_not_touched(content):
    disk = a_disk_with(content * 40)

    with pytest.raises(DamagedLogError, match="line 1: expected .*is it a log of Sandgate"):
        a_store(disk).get(Parcel, "a")

    assert disk.content(LOG) == content * 40


def test_an_older_log_keeps_the_order_of_its_records():
    store = a_store(PowerCutDisk())
    for identity in "cab":
        store.commit(Unit(puts=(a_parcel(identity, sender="Jane"),)))
    store.sleep()
    store.commit(Unit(puts=(a_parcel("0", sender="Jane"),)))

    assert [parcel.id for parcel in store.find(Parcel, "sender", "Jane")] == ["c", "a", "b", "0"]


def test_the_system_keeps_what_a_process_did_not_sync():
    disk = PowerCutDisk()
    store = a_store(disk, durability=Durability.OS)

    store.commit(three_units()[0])

    assert parcels_in(disk.content(LOG)) == ["a"]
    assert disk.after_cut(keep_unsynced=False).content(LOG).count(b"\n") == 1


def test_the_disk_keeps_what_was_saved():
    disk = PowerCutDisk()
    store = a_store(disk)

    store.commit(three_units()[0])

    assert parcels_in(disk.after_cut(keep_unsynced=False).content(LOG)) == ["a"]


def test_a_store_in_memory_writes_nothing_and_does_not_sleep():
    disk = PowerCutDisk(steps=0)
    store = a_store(disk, durability=Durability.MEMORY)

    store.commit(three_units()[0])

    assert store.sleep() is False
    assert store.get(Parcel, "a") == a_parcel("a")


def test_nothing_is_read_or_made_before_the_first_call(tmp_path):
    path = tmp_path / "deep" / "a.log"
    store = DocumentStore(path, kinds=KINDS)
    store.wait_durable()
    assert store.sleep() is True
    assert not path.parent.exists()

    store.commit(three_units()[0])

    assert path.exists()
    assert path.stat().st_mode & 0o077 == 0


def test_a_sleeping_store_has_no_open_file():
    disk = PowerCutDisk()
    store = a_store(disk)
    store.commit(three_units()[0])
    assert len(disk.open_handles) == 1

    assert store.sleep() is True

    assert not disk.open_handles
    assert store.get(Parcel, "a") == a_parcel("a")
    assert not disk.open_handles, "reading opens it no longer than it takes"


def test_a_tail_that_was_read_is_durable_before_anything_builds_on_it():
    # The process was killed before its sync: the bytes are there, but only with the system.
    disk = PowerCutDisk()
    disk.plant(LOG, a_log_of())
    content = a_log_of(*three_units())
    handle = disk.open(LOG)
    disk.append(handle, content[disk.size(LOG) :])

    a_store(disk).get(Parcel, "a")

    assert disk.after_cut(keep_unsynced=False).content(LOG) == content


def test_a_storage_says_how_much_it_cut_off():
    content = a_log_of(*three_units())

    assert LogStorage(LOG, disk=a_disk_with(content)).cut_bytes == 0
    assert LogStorage(LOG, disk=a_disk_with(content + b"torn")).cut_bytes == 4


def test_a_log_whose_torn_end_the_disk_will_not_cut_off_is_not_opened():
    # Any other error than DiskError was a fault: 500, and a traceback in the log of a start.
    disk = PowerCutDisk(steps=0)
    disk.plant(LOG, a_log_of(*three_units()) + b"torn")

    with pytest.raises(DiskError, match="a.log: not stored, .*the power is off"):
        LogStorage(LOG, disk=disk)


def test_a_failed_save_says_so_and_is_not_there():
    store = a_store(PowerCutDisk(steps=0))

    with pytest.raises(DiskError, match="a.log: not stored, .*the power is off"):
        store.commit(three_units()[0])

    assert store.get(Parcel, "a") is None

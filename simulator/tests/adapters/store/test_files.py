"""The disk of this machine and its twin do the same as long as the power is on."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.adapters.store import files
from simulator.adapters.store.files import Disk, LocalDisk
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk


@pytest.fixture(params=[LocalDisk, PowerCutDisk])
def disk(request: pytest.FixtureRequest) -> Disk:
    return request.param()


def content(disk: Disk, path: Path) -> bytes:
    return b"".join(disk.lines(path))


def test_what_is_appended_is_read_as_lines(disk, tmp_path):
    handle = disk.open(tmp_path / "a")
    disk.append(handle, b"one\ntw")
    disk.append(handle, b"o\n\rthree")
    disk.sync(handle)
    disk.close(handle)

    assert list(disk.lines(tmp_path / "a")) == [b"one\n", b"two\n", b"\rthree"]
    assert disk.size(tmp_path / "a") == 14


def test_a_file_that_is_not_there_is_empty(disk, tmp_path):
    assert list(disk.lines(tmp_path / "a")) == []
    assert disk.size(tmp_path / "a") == 0
    disk.remove(tmp_path / "a")


def test_a_file_is_opened_at_its_end(disk, tmp_path):
    for part in (b"one\n", b"two\n"):
        handle = disk.open(tmp_path / "a")
        disk.append(handle, part)
        disk.close(handle)

    assert content(disk, tmp_path / "a") == b"one\ntwo\n"


def test_a_file_is_cut_to_a_length(disk, tmp_path):
    handle = disk.open(tmp_path / "a")
    disk.append(handle, b"one\ntwo\n")

    disk.truncate(tmp_path / "a", 4)
    disk.append(handle, b"three\n")

    assert content(disk, tmp_path / "a") == b"one\nthree\n"


def test_a_new_file_takes_the_place_of_another(disk, tmp_path):
    disk.close(files.create(disk, tmp_path / "a", b"old"))
    handle = files.create(disk, tmp_path / "b", b"new")

    files.replace(disk, tmp_path / "b", tmp_path / "a")
    disk.append(handle, b" and more")

    assert content(disk, tmp_path / "a") == b"new and more"
    assert disk.size(tmp_path / "b") == 0


def test_folders_are_made_for_a_new_file(disk, tmp_path):
    path = tmp_path / "one" / "two" / "a"

    disk.close(files.create(disk, path, b"x"))

    assert content(disk, path) == b"x"


def test_a_folder_that_may_not_last_is_made_again(tmp_path):
    disk, path = LocalDisk(), tmp_path / "one" / "two"
    with no_file_left(), pytest.raises(OSError, match="Too many open files"):
        disk.make_folder(path)
    assert not path.parent.exists()

    disk.make_folder(path)

    assert path.exists()


@contextmanager
def no_file_left() -> Iterator[None]:
    """No file or folder can be opened, as it must be for its sync."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.close(free := os.open(os.devnull, os.O_RDONLY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_file_belongs_to_its_owner_alone(tmp_path):
    LocalDisk().close(files.create(LocalDisk(), tmp_path / "b" / "a", b"x"))

    assert (tmp_path / "b" / "a").stat().st_mode & 0o077 == 0
    assert (tmp_path / "b").stat().st_mode & 0o077 == 0


def test_a_cut_loses_what_was_not_synced():
    disk, path = PowerCutDisk(), Path("d/a")
    handle = files.create(disk, path, b"kept")
    disk.append(handle, b" lost")

    assert disk.after_cut(keep_unsynced=False).content(path) == b"kept"
    assert len({disk.after_cut().content(path) for _ in range(50)}) > 3, "or part of it"


@pytest.mark.parametrize("synced", [True, False])
def test_a_cut_may_undo_a_rename_whose_folder_was_not_synced(synced):
    disk, old, new = PowerCutDisk(), Path("d/a"), Path("d/b")
    files.create(disk, old, b"old")
    files.create(disk, new, b"new")
    disk.rename(new, old)
    if synced:
        disk.sync_folder(old.parent)

    found = {disk.after_cut().content(old) for _ in range(50)}

    assert found == ({b"new"} if synced else {b"old", b"new"})


def test_a_disk_without_power_takes_nothing():
    disk = PowerCutDisk(steps=1)
    handle = disk.open(Path("a"))

    for call in (lambda: disk.append(handle, b"x"), lambda: disk.sync(handle)):
        with pytest.raises(OSError, match="the power is off"):
            call()

"""A file of a terminal that the disk refuses is named with its folder, and with what the system
said.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.storage import SealedFile, lock_file, storage_key
from pos_emulator.terminal.memory.identity import Identity, read_identity, write_identity
from pos_emulator.terminal.memory.journal_file import JournalFile

IDENTITY = Identity(id="10000001", device="1000000001", model="V400", channel="a" * 32)
FULL = "No space left on device"


def refuse(_: int) -> None:
    """A disk that is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def said_of(use: Callable[[], object]) -> str:
    """What is said where it cannot be done."""
    with pytest.raises(StorageError) as refused:
        use()
    return str(refused.value)


def test_a_journal_on_a_full_disk_is_named_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "journal.log"
    JournalFile(path).close()
    file = JournalFile(path, refuse)
    for use in (lambda: file.write({"a": {"n": 1}}), file.compact):
        assert said_of(use) == f"{path} cannot be written: {FULL}"
    file.close()


@pytest.mark.parametrize(
    ("name", "use", "done"),
    [
        ("journal.log", lambda folder: JournalFile(folder / "journal.log"), "read"),
        ("journal.lock", lambda folder: lock_file(folder / "journal.lock"), "written"),
        ("identity.json", read_identity, "read"),
        ("identity.new", lambda folder: write_identity(folder, IDENTITY), "written"),
        ("pin.keys", lambda folder: SealedFile(folder / "pin.keys", bytes(32)).read(), "read"),
        ("pin.new", lambda folder: SealedFile(folder / "pin.keys", bytes(32)).write(b"1"),
         "written"),
    ],
)  # fmt: skip
def test_a_folder_in_place_of_a_file_is_named_with_the_reason(
    tmp_path: Path, name: str, use: Callable[[Path], object], done: str
) -> None:
    (tmp_path / name).mkdir()
    meant = {"identity.new": "identity.json", "pin.new": "pin.keys"}.get(name, name)
    assert said_of(lambda: use(tmp_path)) == f"{tmp_path / meant} cannot be {done}: Is a directory"


def test_a_folder_that_takes_no_key_is_named_with_the_reason(tmp_path: Path) -> None:
    folder = tmp_path / "file" / "001"
    folder.parent.write_text("a file in its place")

    with pytest.raises(StorageError) as refused:
        storage_key(folder)

    assert (
        str(refused.value) == f"{folder / 'storage.key'} cannot be read or written: Not a directory"
    )

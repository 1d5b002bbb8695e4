"""A sealed file holds the last state, shows nothing of it, and belongs to one process."""

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.storage import SealedFile, storage_key

KEY = bytes(range(32))
STATE = b"the future keys of a terminal"


def test_the_last_state_is_read_again(tmp_path: Path):
    path = tmp_path / "pin.keys"
    file = SealedFile(path, KEY)
    assert file.read() is None
    file.write(b"former")
    file.write(STATE)
    file.close()

    assert SealedFile(path, KEY).read() == STATE


def test_the_file_shows_nothing_of_the_state_and_only_to_its_owner(tmp_path: Path):
    path = tmp_path / "pin.keys"
    file = SealedFile(path, KEY)
    file.write(STATE)
    first = path.read_bytes()
    file.write(STATE)

    assert STATE not in first
    assert path.read_bytes() != first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_process_does_not_get_the_file(tmp_path: Path):
    path = tmp_path / "pin.keys"
    first = SealedFile(path, KEY)

    with pytest.raises(StorageError, match="another process"):
        SealedFile(path, KEY)
    first.close()
    SealedFile(path, KEY).close()


@pytest.mark.parametrize("place", [0, 11, 12, 30, -1])
def test_a_file_that_was_changed_is_refused(tmp_path: Path, place: int):
    path = tmp_path / "pin.keys"
    file = SealedFile(path, KEY)
    file.write(STATE)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)

    with pytest.raises(StorageError, match="changed"):
        file.read()


def test_the_file_of_another_slot_or_terminal_is_refused(tmp_path: Path):
    SealedFile(tmp_path / "pin.keys", KEY).write(STATE)
    (tmp_path / "data.keys").write_bytes((tmp_path / "pin.keys").read_bytes())

    with pytest.raises(StorageError):
        SealedFile(tmp_path / "data.keys", KEY).read()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/pin.keys").write_bytes((tmp_path / "pin.keys").read_bytes())
    with pytest.raises(StorageError):
        SealedFile(tmp_path / "other/pin.keys", bytes(32)).read()


@given(content=st.binary(max_size=60))
@settings(deadline=None, max_examples=30)
def test_nothing_but_a_refusal_comes_of_another_file(tmp_path_factory, content: bytes):
    path = tmp_path_factory.mktemp("keys") / "pin.keys"
    path.write_bytes(content)

    with pytest.raises(StorageError):
        SealedFile(path, KEY).read()


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError):
        SealedFile(tmp_path / "file/pin.keys", KEY)
    with pytest.raises(StorageError):
        storage_key(tmp_path / "file")


def test_a_disk_that_refuses_leaves_the_former_state(tmp_path: Path):
    path = tmp_path / "pin.keys"
    file = SealedFile(path, KEY)
    file.write(STATE)
    path.with_suffix(".new").mkdir()

    with pytest.raises(StorageError, match="cannot be written"):
        file.write(b"next")
    assert file.read() == STATE


def test_the_storage_key_is_made_once(tmp_path: Path):
    folder = tmp_path / "terminal"
    first = storage_key(folder)

    assert storage_key(folder) == first
    assert len(first) == 32
    assert stat.S_IMODE((folder / "storage.key").stat().st_mode) == 0o600
    assert storage_key(tmp_path / "other") != first


def test_a_storage_key_that_was_cut_is_refused(tmp_path: Path):
    (tmp_path / "storage.key").write_bytes(bytes(31))

    with pytest.raises(StorageError, match="32"):
        storage_key(tmp_path)

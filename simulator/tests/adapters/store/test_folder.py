"""The data folder has one owner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.adapters.store.folder import DataFolder, FolderInUseError

OWNER = """
import sys
from simulator.adapters.store.folder import DataFolder
with DataFolder(sys.argv[1]):
    print("mine", flush=True)
    sys.stdin.read()
"""


def an_owner(path: Path) -> subprocess.Popen:
    """Another process that has the folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    assert process.stdout.readline() == b"mine\n"
    return process


def test_the_folder_is_made_for_its_owner_alone(tmp_path):
    with DataFolder(tmp_path / "deep" / "data") as folder:
        assert folder.path.stat().st_mode & 0o077 == 0


def test_a_second_process_is_refused_with_the_id_of_the_owner(tmp_path):
    with an_owner(tmp_path) as owner:
        with pytest.raises(FolderInUseError, match=f"{tmp_path}: .* process {owner.pid} has it"):
            DataFolder(tmp_path)
        owner.stdin.close()

    DataFolder(tmp_path).release()


def test_a_killed_owner_leaves_the_folder_free(tmp_path):
    with an_owner(tmp_path) as owner:
        owner.kill()

    DataFolder(tmp_path).release()


def test_the_same_process_is_refused_too(tmp_path):
    with (
        DataFolder(tmp_path),
        pytest.raises(FolderInUseError, match=f"process {os.getpid()} has it"),
    ):
        DataFolder(tmp_path)


def test_a_released_folder_may_be_owned_again(tmp_path):
    folder = DataFolder(tmp_path)
    folder.release()
    folder.release()

    with DataFolder(tmp_path):
        assert (tmp_path / "owner.lock").read_text() == f"{os.getpid()}\n"

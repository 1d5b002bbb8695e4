"""A start that cannot write says in one line which file it was and what to do, at every file."""

import errno
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simulator.adapters.console.people_file import PeopleFile
from simulator.adapters.http.tls import certificate_for
from simulator.adapters.key_files import create_key_file
from simulator.adapters.store.files import LocalDisk
from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings
from simulator.domain.console.people import Person
from simulator.settings import Settings
from simulator.tests.adapters.postgresql.small_disk import NEEDS_ROOT, mounted_disk
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.running import clean_environment, command_of

NOW = datetime(2030, 1, 3, 12, tzinfo=UTC)
# The process id in owner.lock fits; nothing else that a start writes does.
SHORT = 10
PAGE = 4096
# A file of bytecode would be cut as well.
WITHOUT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that a start has nothing to write into, but owner.lock."""
    data = tmp_path / "data"
    gateway = Gateway(data, durability="disk")
    assert gateway.post().status_code == 200
    gateway.close()
    create_key_file(data / "control.key", "0" * 48)
    certificate_for([], folder=data / "tls", now=datetime.now(UTC))
    person = Person(name="jane", role="administrator", password="", created_at=NOW)
    PeopleFile(data, LocalDisk()).save_person(person)
    return data


def started(data: Path, *options: str, longest: int = -1) -> subprocess.CompletedProcess[str]:
    """A start that may write files of so many bytes at most, and ends by itself."""

    def limit_files() -> None:
        if longest >= 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (longest, longest))

    return subprocess.run(
        [*command_of(data), "--stop-at-eof", *options], stdin=subprocess.DEVNULL,
        env=clean_environment() | WITHOUT_BYTECODE, capture_output=True, text=True, timeout=60,
        preexec_fn=limit_files, check=False,
    )  # fmt: skip


def assert_one_line(done: subprocess.CompletedProcess[str], path: Path, *words: str) -> None:
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert line.startswith(f"sandgate: {path}: expected ")
    assert all(word in line for word in (*words, "--data"))


def clear(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def remove_people(data: Path) -> None:
    (data / "people.json").unlink()


MISSING = {
    "vault.key": clear,
    "control.key": lambda data: (data / "control.key").unlink(),
    "sftp.key": lambda data: (data / "sftp.key").unlink(),
    "people.json": remove_people,
    "tls/ca-key.pem": lambda data: shutil.rmtree(data / "tls"),
    "tls/server-key.pem": lambda data: (data / "tls" / "server.pem").unlink(),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_file_that_cannot_be_written_ends_the_start_with_its_name(data: Path, name: str) -> None:
    MISSING[name](data)

    done = started(data, longest=SHORT)

    assert_one_line(done, data / name, os.strerror(errno.EFBIG), "ulimit -f")
    left = [path for path in data.rglob("*") if path.suffix.isdigit() or path.suffix == ".new"]
    assert not left


def test_a_sandbox_that_cannot_be_written_ends_the_start_with_its_file(data: Path) -> None:
    (sandbox,) = data.glob("*/sandbox.json")
    server = data / "server.json"

    assert_one_line(started(data, "--profile", "field", longest=SHORT), server)
    # The longest of what comes before it.
    longest = server.stat().st_size
    assert_one_line(started(data, "--profile", "field", longest=longest), sandbox)


def test_a_lock_that_cannot_be_written_ends_the_start_with_its_name(data: Path) -> None:
    assert_one_line(started(data, longest=0), data / "owner.lock")


def test_a_start_that_has_nothing_to_write_serves(data: Path) -> None:
    done = started(data, longest=SHORT)

    assert (done.returncode, json.loads(done.stdout)["profile"]) == (0, "specification")


def fill(folder: Path, *, pages: int) -> None:
    """Leave so many pages of the disk free."""
    with (folder / "fill").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(PAGE))
        except OSError:
            file.truncate(max(0, file.tell() - pages * PAGE))


def refused(folder: Path) -> Iterator[tuple[str, str]]:
    """The file that each first start on a full disk names, with more and more room, and what it
    prints.
    """
    # Each file takes a page.
    for pages in range(0, 12, 3):
        fill(folder, pages=pages)
        done = started(folder / "data")
        shutil.rmtree(folder / "data", ignore_errors=True)
        line = done.stderr
        name = line.removeprefix(f"sandgate: {folder}/data/").partition(":")[0]
        yield name.split("/")[-1], line


@NEEDS_ROOT
def test_a_first_start_on_a_full_disk_names_the_file_that_has_no_room() -> None:
    with mounted_disk(2) as disk:
        found = dict(refused(disk.folder))

    assert "owner.lock" in found
    assert len(found) == 4
    for line in found.values():
        assert len(line.splitlines()) == 1, line
        assert "No space left on device; make room on that disk, or name another" in line


@NEEDS_ROOT
@pytest.mark.parametrize("change", [lambda data: None, clear])
def test_a_data_folder_on_a_disk_without_rights_to_write_is_named(
    change: Callable[[Path], None],
) -> None:
    with mounted_disk(4) as disk:
        data = disk.folder / "data"
        assert started(data).returncode == 0
        change(data)
        remount = ["mount", "-o", "remount,ro", str(disk.folder)]
        subprocess.run(remount, check=True)
        done = started(data)
        case = CheckedSettings(Settings(data=data, port=0), (), {})
        wrong = [finding for finding in findings_of(case) if not finding.is_good]

    assert_one_line(done, data, os.strerror(errno.EROFS), "mount it for writing")
    assert all(os.strerror(errno.EROFS) in each.found for each in wrong)
    assert [each.what for each in wrong] == ["data folder"]

"""Each epoch of a sandbox has its own files of settlement, also where a process was killed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.settlement.archive import line_of
from simulator.adapters.settlement.epochs import EpochFiles
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import await_removals

SECRETS = dict.fromkeys(("key_sealed", "control_key_hash", "control_key_sealed"), "")
BEFORE = Sandbox(id="a" * 32, epoch_id="b" * 16, created_at=datetime(2030, 1, 1, tzinfo=UTC),
                 psp="", division="", merchants=(), **SECRETS)  # fmt: skip
AFTER = replace(BEFORE, epoch=2, epoch_id="c" * 16)
NAME = "clearing/sandgate-clearing/drop/day.csv"
LINE = line_of(NAME, 1, b"restored")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of settlement of the epoch before."""
    made = tmp_path / BEFORE.id / NAME
    made.parent.mkdir(parents=True)
    made.write_bytes(b"before")
    return made


@pytest.fixture
def files(tmp_path: Path) -> Iterator[EpochFiles]:
    made = EpochFiles(tmp_path)
    yield made
    made.stop()


def content_of(file: Path) -> bytes:
    """What it holds; nothing where it is not there."""
    return file.read_bytes() if file.exists() else b""


@pytest.mark.parametrize(("lines", "content"), [(None, b""), ((LINE,), b"restored")])
def test_a_start_goes_on_with_an_epoch_that_was_stored(
    tmp_path: Path, files: EpochFiles, file: Path, lines: tuple[bytes, ...] | None, content: bytes
) -> None:
    files.prepare(AFTER, lines)

    files.go_on({AFTER.id: AFTER}.get, is_alone=True)

    assert content_of(file) == content
    assert not [*(tmp_path / "epochs").iterdir()]


@pytest.mark.parametrize("stored", [BEFORE, None])
def test_a_start_removes_what_waits_for_an_epoch_that_never_began(
    tmp_path: Path, files: EpochFiles, file: Path, stored: Sandbox | None
) -> None:
    files.prepare(AFTER, [LINE])

    files.go_on(lambda _: stored, is_alone=True)

    assert content_of(file) == b"before"
    assert not [*(tmp_path / "epochs").iterdir()]


def test_what_waits_for_an_epoch_of_another_gateway_stays(files: EpochFiles, file: Path) -> None:
    files.prepare(AFTER, [LINE])

    files.go_on({BEFORE.id: BEFORE}.get, is_alone=False)
    files.begin(AFTER)

    assert content_of(file) == b"restored"


def test_an_epoch_that_has_begun_keeps_what_it_writes(files: EpochFiles, file: Path) -> None:
    files.prepare(AFTER)
    files.begin(AFTER)
    file.parent.mkdir(parents=True)
    file.write_bytes(b"after")

    files.begin(AFTER)

    assert content_of(file) == b"after"


def test_nothing_waits_where_the_disk_refuses_a_file(
    tmp_path: Path, files: EpochFiles, file: Path
) -> None:
    with pytest.raises(DiskError):
        files.prepare(AFTER, [LINE, line_of(f"{NAME}/below", 1, b"x")])

    assert not (tmp_path / "epochs" / AFTER.id).exists()
    assert content_of(file) == b"before"


def test_a_start_removes_what_an_interrupted_restore_of_a_release_before_left(
    tmp_path: Path,
) -> None:
    left = tmp_path / BEFORE.id / "restored" / NAME
    left.parent.mkdir(parents=True)
    left.touch()

    gateway = Gateway(tmp_path, durability="os")
    with gevent.Timeout(20):
        while left.parent.exists():
            gevent.sleep(0.01)
    await_removals(tmp_path)
    gateway.close()

    assert not left.exists()


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.proof)])
def test_a_sandbox_that_is_reset_or_restored_has_its_files_after_each_kill(step: int) -> None:
    command = (sys.executable, "-m", "simulator.tests.lost_writes.epoch_kills", str(step))
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)

    found = json.loads(done.stdout.splitlines()[-1])

    assert [each["torn"] for each in found.values()] == [[]] * 3
    assert all(each["before"] and each["after"] for each in found.values())

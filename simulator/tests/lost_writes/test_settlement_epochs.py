"""Each epoch of a sandbox has its own files of settlement, also where a process was killed."""

import fcntl
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from errno import EIO, EMFILE, ENOLCK
from pathlib import Path

import gevent
import pytest
from gevent.event import Event
from msgspec.structs import replace

from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.settlement import epochs
from simulator.adapters.settlement.archive import line_of
from simulator.adapters.settlement.epochs import LOCK, EpochFiles
from simulator.adapters.settlement.removals import Removals
from simulator.adapters.store.commit import Durability
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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set once the lock of an epoch was asked for."""
    is_locked, once = epochs._is_locked, Event()

    def ask(handle: int) -> bool:
        found = is_locked(handle)
        once.set()
        return found

    monkeypatch.setattr(epochs, "_is_locked", ask)
    return once


def content_of(file: Path) -> bytes:
    """What it holds; nothing where it is not there."""
    return file.read_bytes() if file.exists() else b""


def stored_in(data: Path, identity: str) -> Sandbox:
    """The record of a sandbox in a data folder that no gateway has."""
    engine = FileEngine(data, Durability.OS)
    found = engine.records.get(Sandbox, identity)
    engine.close()
    assert found is not None
    return found


@pytest.mark.parametrize(("lines", "content"), [(None, b""), ((LINE,), b"restored")])
def test_a_start_goes_on_with_an_epoch_that_was_stored(
    tmp_path: Path, files: EpochFiles, file: Path, lines: tuple[bytes, ...] | None, content: bytes
) -> None:
    files.prepare(AFTER, lines)

    files.go_on({AFTER.id: AFTER}.get)

    assert content_of(file) == content
    assert not [*(tmp_path / "epochs").iterdir()]


@pytest.mark.parametrize("stored", [BEFORE, None])
def test_a_start_removes_what_waits_for_an_epoch_that_never_began(
    tmp_path: Path, files: EpochFiles, file: Path, stored: Sandbox | None
) -> None:
    files.prepare(AFTER, [LINE])

    files.go_on(lambda _: stored)

    assert content_of(file) == b"before"
    assert not [*(tmp_path / "epochs").iterdir()]


def test_members_that_start_together_leave_the_files_of_an_epoch_to_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = Gateway(tmp_path, durability="os")
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    gateway.close()
    sandbox = stored_in(tmp_path, made)
    home, remove = EpochFiles(tmp_path), Removals.remove
    home.prepare(sandbox, [LINE])
    (file := tmp_path / made / NAME).parent.mkdir(parents=True)
    file.write_bytes(b"before")

    def remove_late(removals: Removals, folder: Path) -> None:
        starting.setattr(Removals, "remove", remove)
        home.begin(sandbox)
        remove(removals, folder)

    with monkeypatch.context() as starting:
        starting.setattr(Removals, "remove", remove_late)
        starting.setattr(FileEngine, "is_shared", True)
        member = Gateway(tmp_path, durability="os")
    at_start = content_of(file)
    member.control("GET", f"/sandboxes/{made}/journal")
    member.close()
    home.stop()

    assert (at_start, content_of(file)) == (b"before", b"restored")


def test_what_another_member_removes_first_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, removals = tmp_path / "clearing", Removals(tmp_path)
    folder.mkdir()
    renamed = Path.rename

    def rename_late(path: Path, to: Path) -> Path:
        """The other member has moved it aside, and puts that of the next epoch into its place."""
        renamed(path, tmp_path / "of-before")
        try:
            return renamed(path, to)
        finally:
            folder.mkdir()

    with monkeypatch.context() as at_once:
        at_once.setattr(Path, "rename", rename_late)
        removals.remove(folder)
    await_removals(tmp_path)
    removals.stop()

    assert folder.exists()


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


@contextmanager
def begun_while_another_has_the_lock(
    files: EpochFiles, epochs: Path, asked: Event
) -> Iterator[gevent.Greenlet]:
    """One that begins the prepared epoch, and waits for the lock that another process has here."""
    files.prepare(AFTER, [LINE])
    with (epochs / AFTER.id / LOCK).open("r+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        begun = gevent.spawn(files.begin, AFTER)
        assert asked.wait(20)
        yield begun


def test_one_process_at_a_time_puts_the_files_of_an_epoch_in_place(
    tmp_path: Path, files: EpochFiles, file: Path, asked: Event
) -> None:
    with begun_while_another_has_the_lock(files, tmp_path / "epochs", asked) as begun:
        assert not begun.ready() and content_of(file) == b"before"

    begun.get(timeout=20)
    assert content_of(file) == b"restored"
    assert not [*(tmp_path / "epochs").iterdir()]


def test_what_another_process_has_put_in_place_stays(
    tmp_path: Path, files: EpochFiles, file: Path, asked: Event
) -> None:
    with begun_while_another_has_the_lock(files, tmp_path / "epochs", asked) as begun:
        files._put_in_place(tmp_path / "epochs" / AFTER.id / AFTER.epoch_id, tmp_path / AFTER.id)
        file.write_bytes(b"of a run since")

    begun.get(timeout=20)
    assert content_of(file) == b"of a run since"


def test_a_lock_that_another_process_keeps_is_an_error(
    tmp_path: Path, files: EpochFiles, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.prepare(AFTER, [LINE])
    monkeypatch.setattr(epochs, "HELD_S_MAX", 0.05)
    with (tmp_path / "epochs" / AFTER.id / LOCK).open("r+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(DiskError, match="another process has held its lock for 0.05 s"):
            files.begin(AFTER)
    assert content_of(file) == b"before"


@pytest.mark.parametrize(
    ("where", "name", "error"),
    [
        ("os", "open", OSError(EMFILE, "Too many open files")),
        ("fcntl", "flock", OSError(ENOLCK, "No locks available")),
        ("os", "close", OSError(EIO, "Input/output error")),
    ],
)
def test_a_lock_that_cannot_be_had_is_an_error_of_the_disk(
    files: EpochFiles, monkeypatch: pytest.MonkeyPatch, where: str, name: str, error: OSError
) -> None:
    def refuse(*_: object) -> None:
        raise error

    files.prepare(AFTER, [LINE])
    with monkeypatch.context() as patched:
        patched.setattr(getattr(epochs, where), name, refuse)
        with pytest.raises(DiskError, match=error.strerror):
            files.begin(AFTER)

"""A sandbox is its folder: its record is a small document, whole after a kill and any power cut."""

import errno
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.sandboxes.sandbox_files import SandboxFiles
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.integrity import logs_in, orphans_in
from simulator.adapters.store.small_documents import read_documents, store_document
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import (
    ConflictError,
    DamagedLogError,
    DiskError,
    UnknownOutcomeError,
)
from simulator.domain.core.ports import Unit, unit_of
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import a_context
from simulator.tests.lost_writes.faulty_disk import UnnamedDisk
from simulator.tests.sandboxes.test_default_sandbox import as_in_the_former_version

FILE = Path("data/sandbox.json")
KILLS = 3
READING = ("close", "lines", "size")
NO_RECORD = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"sandboxes": {}}',
    b'{"sandboxes": {"1": {}}, "defaults": {"1": {}}}',
    b'{"sandboxes": {"1": 3}, "defaults": {"1": 3}}',
    b'{"sandboxes": {"\xff": {}}}',
    b'{"sandboxes": {"1": {"epoch": ' + b"[" * 100_000,
]
# Says each version that is durable; ends by a kill alone.
WRITER = """
import sys
from pathlib import Path
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.small_documents import store_document
for version in range(int(sys.argv[2]), 10**9):
    document = {"version": version, "filling": "x" * 20_000}
    store_document(Path(sys.argv[1]), "sandboxes", "one", document, disk=LocalDisk())
    print(version, flush=True)
"""


class FailingDisk:
    """A disk that refuses every change after so many."""

    def __init__(self, steps: int):
        self._disk = LocalDisk()
        self._steps_left = steps

    def __getattr__(self, name: str) -> Callable[..., object]:
        method = getattr(self._disk, name)
        return method if name in READING else partial(self._change, method)

    def _change(self, method: Callable[..., object], *arguments: object) -> object:
        if self._steps_left == 0:
            raise OSError(errno.EIO, "the disk failed")
        self._steps_left -= 1
        return method(*arguments)


def a_sandbox() -> Sandbox:
    return replace(a_context().ports.sandbox, version=0)


def opened(data: Path) -> SandboxFiles:
    return SandboxFiles(data, durability=Durability.DISK)


def test_a_record_is_a_file_that_people_can_read(tmp_path: Path) -> None:
    sandbox, files = a_sandbox(), opened(tmp_path)
    files.commit(unit_of(sandbox))
    text = (tmp_path / sandbox.id / "sandbox.json").read_text()
    assert json.loads(text)["sandboxes"][sandbox.id]["psp"] == sandbox.psp
    assert text.count("\n") > 20
    assert opened(tmp_path).get(Sandbox, sandbox.id) == replace(sandbox, version=1)


def test_a_change_of_another_version_is_a_conflict_and_writes_nothing(tmp_path: Path) -> None:
    sandbox, files = a_sandbox(), opened(tmp_path)
    files.commit(unit_of(sandbox))
    with pytest.raises(ConflictError):
        files.commit(unit_of(sandbox))
    with pytest.raises(ConflictError):
        files.commit(Unit(removes=(sandbox,)))
    assert opened(tmp_path).get(Sandbox, sandbox.id).version == 1


def test_what_a_record_no_longer_says_is_gone_from_its_file(tmp_path: Path) -> None:
    sandbox, files = replace(a_sandbox(), overrides={"D-17": "field"}), opened(tmp_path)
    files.commit(unit_of(sandbox))
    files.commit(unit_of(replace(sandbox, version=1, overrides={})))
    assert "overrides" not in (tmp_path / sandbox.id / "sandbox.json").read_text()
    assert opened(tmp_path).get(Sandbox, sandbox.id).overrides == {}


def test_a_removed_record_stays_removed(tmp_path: Path) -> None:
    sandbox, files = a_sandbox(), opened(tmp_path)
    files.commit(unit_of(sandbox, DefaultSandbox(sandbox=sandbox.id)))
    files.commit(Unit(removes=(files.get(Sandbox, sandbox.id),)))
    again = opened(tmp_path)
    assert (again.count(), again.get(DefaultSandbox, "default").sandbox) == (0, sandbox.id)


def test_a_disk_that_refuses_is_reported_and_nothing_is_stored(tmp_path: Path) -> None:
    files = SandboxFiles(tmp_path, durability=Durability.DISK, disk=PowerCutDisk(0))
    sandbox = a_sandbox()
    with pytest.raises(DiskError):
        files.commit(unit_of(sandbox))
    assert (bool(files.failure), files.get(Sandbox, sandbox.id)) == (True, None)


def test_a_folder_of_a_former_release_is_taken_over_once(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path, durability="disk")
    paid = gateway.post().json["id"]
    more = gateway.sandbox()
    gateway.close()
    as_in_the_former_version(tmp_path)

    for _ in range(2):
        gateway = Gateway(tmp_path, durability="disk")
        assert gateway.read(paid).json["result"]["code"] == "000.100.110"
        assert gateway.post(who=more).status_code == 200
        gateway.close()
        assert (tmp_path / "registry.log.old").exists()
        assert not (tmp_path / "registry.log").exists()


@pytest.mark.parametrize("content", NO_RECORD)
@pytest.mark.parametrize("pattern", ["*/sandbox.json", "server.json"])
def test_a_file_that_holds_no_record_stops_the_start_and_is_named(
    tmp_path: Path, pattern: str, content: bytes
) -> None:
    Gateway(tmp_path, durability="disk").close()
    (file,) = tmp_path.glob(pattern)
    file.write_bytes(content)
    with pytest.raises(DamagedLogError, match=str(file)):
        Gateway(tmp_path, durability="disk")
    assert file.read_bytes() == content


def test_a_folder_put_aside_is_no_sandbox_and_stays_as_it_is(tmp_path: Path) -> None:
    files, sandbox = opened(tmp_path), a_sandbox()
    files.commit(unit_of(sandbox))
    aside = (tmp_path / sandbox.id).rename(tmp_path / f"{sandbox.id}.aside")
    assert opened(tmp_path).count() == 0
    assert (aside / "sandbox.json").exists()
    assert logs_in(tmp_path) == []


def test_a_record_that_may_not_last_stands_and_is_read_once_it_does(tmp_path: Path) -> None:
    disk, sandbox = UnnamedDisk(), a_sandbox()
    files = SandboxFiles(tmp_path, durability=Durability.DISK, disk=disk)
    disk.refusals = 2
    with pytest.raises(UnknownOutcomeError):
        files.commit(unit_of(sandbox, DefaultSandbox(sandbox=sandbox.id)))
    assert files.failure == "Too many open files"
    disk.refusals = 1
    with pytest.raises(DiskError):
        files.get(Sandbox, sandbox.id)
    stands = files.get(Sandbox, sandbox.id)
    assert stands == opened(tmp_path).get(Sandbox, sandbox.id) == replace(sandbox, version=1)
    files.get(DefaultSandbox, "default")
    assert files.failure is None
    files.commit(Unit(removes=(stands,)))
    assert opened(tmp_path).count() == 0


@pytest.mark.parametrize("step", range(25))
def test_a_disk_that_fails_at_any_step_leaves_a_sandbox_or_none(tmp_path: Path, step: int) -> None:
    sandbox = a_sandbox()
    disk = FailingDisk(step)
    files = SandboxFiles(tmp_path, durability=Durability.DISK, disk=disk)
    try:
        files.commit(unit_of(sandbox, DefaultSandbox(sandbox=sandbox.id)))
        is_stored = True
    except DiskError:
        is_stored = False
    after = opened(tmp_path)
    stored, default = after.get(Sandbox, sandbox.id), after.get(DefaultSandbox, "default")
    assert stored is not None or not is_stored
    # A default that is no sandbox is made anew; a sandbox beside it would stay for ever.
    assert default is not None or stored is None
    assert orphans_in(tmp_path) == []


@pytest.mark.parametrize("step", range(0, 30, 3))
def test_a_takeover_that_was_interrupted_is_done_again(tmp_path: Path, step: int) -> None:
    gateway = Gateway(tmp_path, durability="disk", is_described=False)
    gateway.sandbox()
    gateway.close()
    before = {each.id: each for each in opened(tmp_path).sandboxes()}
    as_in_the_former_version(tmp_path)
    with suppress(OSError, DiskError):
        SandboxFiles(tmp_path, durability=Durability.DISK, disk=FailingDisk(step))
    assert {each.id: each for each in opened(tmp_path).sandboxes()} == before


@pytest.mark.parametrize("cut", range(16))
def test_a_power_cut_leaves_the_former_document_or_the_new_one(cut: int) -> None:
    disk = PowerCutDisk(seed=cut)
    store_document(FILE, "sandboxes", "one", {"version": 1}, disk=disk)
    disk.steps_left = cut
    acknowledged = 1
    try:
        store_document(FILE, "sandboxes", "one", {"version": 2}, disk=disk)
        acknowledged = 2
    except OSError:
        pass
    found = read_documents(FILE, "sandboxes", disk.after_cut())["one"]["version"]
    assert found in (acknowledged, 2)


def test_a_kill_leaves_the_acknowledged_document_or_the_next(tmp_path: Path) -> None:
    path, newest = tmp_path / "one" / "sandbox.json", 0
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(newest + 1)], stdout=subprocess.PIPE
        )
        acknowledged = [int(writer.stdout.readline()) for _ in range(5)]
        writer.send_signal(signal.SIGKILL)
        rest = writer.communicate()[0].split()
        newest = int(rest[-1]) if rest else acknowledged[-1]
        found = json.loads(path.read_text())["sandboxes"]["one"]["version"]
        assert found in (newest, newest + 1)
        newest = found

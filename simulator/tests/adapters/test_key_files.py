"""Key files and links in the data folder: written whole, refused where they cannot be trusted."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.adapters.key_files import UnsafeKeyFileError, create_key_file, read_key_file
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.folder import DataFolder, NoFolderError, links_in, owner_of
from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings
from simulator.settings import Settings
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.running import clean_environment, command_of, serving

WRITE = """
import sys
from pathlib import Path
from simulator.adapters.key_files import create_key_file
create_key_file(Path(sys.argv[1]), "0123456789abcdef" * 3)
"""


def limit_files() -> None:
    """Let every write fail after ten bytes, as one that is interrupted does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))


def started(data: Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*command_of(data), *options],
        env=clean_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_a_key_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "control.key"

    interrupted = subprocess.run(
        [sys.executable, "-c", WRITE, str(path)],
        preexec_fn=limit_files, capture_output=True, timeout=60, check=False,
    )  # fmt: skip

    assert interrupted.returncode != 0
    assert not path.exists()
    create_key_file(path, "key")
    assert read_key_file(path) == ("key", 0o600)


def test_a_key_that_is_there_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "control.key"
    create_key_file(path, "first")
    create_key_file(path, "second")

    assert read_key_file(path)[0] == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["control.key"]


@pytest.mark.parametrize("content", [b"", b"\n", b"  \n"])
def test_an_empty_control_key_stops_the_start_and_says_what_to_do(
    tmp_path: Path, content: bytes
) -> None:
    data = tmp_path / "data"
    Gateway(data).close()
    (data / "control.key").write_bytes(content)

    ended = started(data)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert f"{data / 'control.key'}: expected the control key, got an empty file" in ended.stderr
    assert "Traceback" not in ended.stderr

    (data / "control.key").unlink()
    with serving(data) as running:
        assert len(running.facts["control_key"]) == 48


LINKED = ("owner.lock", "tls", "tls/ca-key.pem", "vault.key", "control.key", "registry.log", "8aa")


@pytest.mark.parametrize("name", LINKED)
def test_a_link_in_the_data_folder_stops_the_start_and_is_not_followed(
    tmp_path: Path, name: str
) -> None:
    data, outside = tmp_path / "data", tmp_path / "outside"
    outside.write_text("kept")
    link = data / name
    link.parent.mkdir(mode=0o700, parents=True)
    link.symlink_to(outside)

    with pytest.raises(NoFolderError, match=f"{link}: expected a file or folder, got a link"):
        DataFolder(data)

    assert outside.read_text() == "kept"
    assert links_in(data) == [link]
    case = CheckedSettings(Settings(data=data, port=0), (), {})
    found = [finding.found for finding in findings_of(case) if finding.what == "data folder"]
    assert f"{link} is a link" in found


def test_a_data_folder_that_is_itself_a_link_is_taken(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "data").symlink_to(tmp_path / "real")

    with DataFolder(tmp_path / "data"):
        assert (tmp_path / "real" / "owner.lock").exists()


@pytest.mark.parametrize("target", ["missing", "present"])
def test_no_file_is_opened_through_a_link_made_since_the_start(tmp_path: Path, target: str) -> None:
    (tmp_path / "present").write_bytes(b"kept\n")
    link, disk = tmp_path / "1.log", LocalDisk()
    link.symlink_to(tmp_path / target)

    for attempt in (
        disk.open,
        lambda path: disk.truncate(path, 0),
        lambda path: [*disk.lines(path)],
    ):
        with pytest.raises(OSError, match="symbolic link"):
            attempt(link)
    with pytest.raises(UnsafeKeyFileError, match="got a link"):
        read_key_file(link)

    assert (tmp_path / "present").read_bytes() == b"kept\n"
    assert not (tmp_path / "missing").exists()


def test_a_lock_that_is_a_link_has_no_owner(tmp_path: Path) -> None:
    (tmp_path / "owner.lock").symlink_to(tmp_path / "elsewhere")

    assert owner_of(tmp_path) is None


def test_a_folder_that_others_may_write_in_is_reported_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o777)

    Gateway(data).close()

    assert f"others may write in {data}: chmod 700 {data}" in caplog.text
    caplog.clear()
    data.chmod(0o700)
    Gateway(data).close()
    assert "others may write" not in caplog.text

"""A data folder with files that cannot be used: `serve` and `doctor` name the file and what to do.

The superuser may read every file, so that these tests run as another user where they can.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simulator.adapters.http.tls import certificate_for
from simulator.adapters.key_files import UnsafeKeyFileError, create_key_file
from simulator.adapters.simulators import load_simulators
from simulator.adapters.store.folder import NoFolderError
from simulator.adapters.store.integrity import advice_on
from simulator.app import build
from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings, Finding
from simulator.domain.core.errors import DamagedLogError
from simulator.serving import CannotStartError, _certificate
from simulator.settings import Settings
from simulator.tests.kit.gateway import Gateway

ORDINARY_USER = 65534
SERVER_FILES = (
    "owner.lock", "control.key", "vault.key", "sftp.key", "people.json", "server.json",
)  # fmt: skip
TLS_FILES = ("tls/ca.pem", "tls/ca-key.pem", "tls/server.pem", "tls/server-key.pem")
FILES = (*SERVER_FILES, *TLS_FILES, "ID/sandbox.json", "ID/1.log")
FOLDERS = ("tls", "ID")


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder after some payments; it is that of a user with ordinary rights, who runs the
    test.
    """
    base = Path(tempfile.mkdtemp(prefix="sandgate-rights-"))
    gateway = Gateway(base / "data", durability="disk")
    assert gateway.post().status_code == 200
    gateway.close()
    create_key_file(base / "data" / "control.key", "0" * 48)
    certificate_for([], folder=base / "data" / "tls", now=datetime.now(UTC))
    is_root = os.geteuid() == 0
    if is_root:
        for path in (base, *base.rglob("*")):
            os.chown(path, ORDINARY_USER, ORDINARY_USER)
        os.seteuid(ORDINARY_USER)
    try:
        yield base / "data"
    finally:
        if is_root:
            os.seteuid(0)
        _open_all(base)
        shutil.rmtree(base)


def _open_all(base: Path) -> None:
    for _ in range(4):
        for path in (base, *base.rglob("*")):
            if path.is_dir():
                path.chmod(0o700)


def named(data: Path, name: str) -> Path:
    """The file of that name; ID is the folder of the sandbox with a log."""
    if not name.startswith("ID"):
        return data / name
    (log,) = data.glob("*/1.log")
    return log.parent / name.removeprefix("ID").lstrip("/")


def wrong_in(folder: Path, **settings: object) -> list[Finding]:
    case = CheckedSettings(Settings(**{"data": folder, "port": 0, **settings}), (), {})
    return [finding for finding in findings_of(case) if not finding.is_good]


def refusal_of(data: Path, **more: object) -> str:
    """With which line a start ends."""
    settings = Settings(**{"data": data, "port": 0, "durability": "disk", **more})
    try:
        gateway = build(settings, load_simulators())
    except DamagedLogError as error:
        return f"{error}. What to do: {advice_on(error)}"
    except (NoFolderError, UnsafeKeyFileError) as error:
        return str(error)
    try:
        _certificate(settings)
    except CannotStartError as error:
        return str(error)
    finally:
        gateway.close()
    return ""


def put_a_folder_in_place(path: Path) -> None:
    path.unlink()
    path.mkdir()


def take_all_rights(path: Path) -> None:
    path.chmod(0)


def assert_named(data: Path, path: Path) -> None:
    """Both say what was expected, what was found, and what to do."""
    (finding,) = wrong_in(data)
    assert f"{path}" in finding.found
    assert "expected" in finding.found
    assert str(path) in finding.advice
    refusal = refusal_of(data)
    assert refusal.startswith(f"{path}: expected ")
    assert finding.advice in refusal


@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_a_file_without_rights_is_named_with_what_to_do(data: Path, name: str) -> None:
    path = named(data, name)
    take_all_rights(path)

    assert_named(data, path)
    assert f"chmod u+{'rwx' if path.is_dir() else 'rw'} {path}" in wrong_in(data)[0].advice


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_place_of_a_file_is_named_with_what_to_do(data: Path, name: str) -> None:
    path = named(data, name)
    put_a_folder_in_place(path)

    assert_named(data, path)


def test_a_file_in_place_of_the_folder_tls_is_named(data: Path) -> None:
    shutil.rmtree(data / "tls")
    (data / "tls").touch()

    assert_named(data, data / "tls")


@pytest.mark.parametrize("mode", [0o000, 0o100, 0o400, 0o500])
@pytest.mark.parametrize("below", ["", "deep", "deep/deeper"])
def test_a_data_folder_that_cannot_be_used_is_one_finding(
    data: Path, mode: int, below: str
) -> None:
    data.chmod(mode)

    (finding,) = wrong_in(data / below)

    assert finding.what == "data folder"
    assert f"{data} is not writable: expected a folder that user" in finding.found
    assert f"mode {mode:03o}" in finding.found
    assert "--data" in finding.advice
    assert "expected a folder to write in, got: Permission denied" in refusal_of(data / below)


def test_the_data_folder_of_another_user_is_one_finding() -> None:
    pytest.importorskip("pwd")
    if os.geteuid() != 0:
        pytest.skip("the superuser alone can make a folder for another user")
    base = Path(tempfile.mkdtemp(prefix="sandgate-rights-"))
    Gateway(base / "data").close()
    base.chmod(0o755)
    os.seteuid(ORDINARY_USER)
    try:
        (finding,) = wrong_in(base / "data")
    finally:
        os.seteuid(0)
        shutil.rmtree(base)
    assert "of user root" in finding.found


@pytest.mark.parametrize("name", ["people.json", "server.json", "ID/sandbox.json"])
@pytest.mark.parametrize("content", ["{", "[]", '{"people": 1, "defaults": 1, "sandboxes": 1}'])
def test_a_damaged_file_of_documents_is_named_with_what_to_do(
    data: Path, name: str, content: str
) -> None:
    path = named(data, name)
    path.write_text(content)

    findings = wrong_in(data)
    refusal = refusal_of(data)

    assert findings
    assert all(f"{path}, line 1: expected" in each.found for each in findings)
    assert refusal.startswith(f"{path}, line 1: expected")
    assert findings[0].advice in refusal


@pytest.mark.parametrize(
    ("name", "table"), [("classes.json", "classes"), ("people.json", "people")]
)
def test_a_record_that_is_none_is_named(data: Path, name: str, table: str) -> None:
    (data / name).write_text(json.dumps({table: {"a": {"name": 1}}}))

    (finding,) = wrong_in(data)

    assert f"{data / name}, line 1: expected a record of this version" in finding.found
    assert f"put {name} back from a backup; or move it away" in finding.advice
    assert finding.advice in refusal_of(data)


@pytest.mark.parametrize(
    ("name", "table"), [("lesson.json", "lessons"), ("recording.json", "recordings")]
)
def test_a_damaged_file_of_a_sandbox_is_found_by_doctor(data: Path, name: str, table: str) -> None:
    path = named(data, f"ID/{name}")
    path.write_text(json.dumps({table: {"a": 1}}))

    (finding,) = wrong_in(data)

    assert f"{path}, line 1" in finding.found


def test_an_incomplete_line_of_the_audit_log_hides_no_other(data: Path) -> None:
    from simulator.adapters.console.people_file import PeopleFile
    from simulator.adapters.store.files import LocalDisk

    (data / "audit.jsonl").write_text('{"at": "2026\n')

    assert list(PeopleFile(data, LocalDisk()).audit_log(10)) == []


@pytest.mark.parametrize("content", ["", "x\n"])
@pytest.mark.parametrize("name", ["server.pem", "server-key.pem", "ca.pem", "ca-key.pem"])
def test_a_damaged_certificate_or_key_is_made_anew_or_named(
    data: Path, name: str, content: str
) -> None:
    path = data / "tls" / name
    path.write_text(content)
    if name == "ca-key.pem":
        (data / "tls" / "server.pem").write_text("")

    findings = wrong_in(data)
    assert any(str(path) in each.found and each.advice for each in findings)
    if name == "ca-key.pem":
        assert refusal_of(data).startswith(f"{path}: expected the private key of")
        assert "remove the folder tls" in refusal_of(data)
        shutil.rmtree(data / "tls")
    assert refusal_of(data) == ""
    assert wrong_in(data) == []


def test_a_key_of_another_authority_is_found(data: Path) -> None:
    certificate_for([], folder=data / "other", now=datetime.now(UTC))
    for name in ("ca.pem", "ca-key.pem"):
        (data / "other" / name).replace(data / "tls" / name)
    shutil.rmtree(data / "other")

    (finding,) = wrong_in(data)

    assert "was not issued by" in finding.found
    assert refusal_of(data) == ""
    assert wrong_in(data) == []


@pytest.mark.parametrize("damage", [take_all_rights, put_a_folder_in_place, Path.unlink])
def test_a_key_file_of_the_vault_that_cannot_be_read_is_named(
    data: Path, damage: Callable[[Path], None]
) -> None:
    key = data.parent / "mounted.key"
    (data / "vault.key").rename(key)
    damage(key)

    (finding,) = wrong_in(data, vault_key_file=key)

    assert str(key) in finding.found
    assert refusal_of(data, vault_key_file=key).startswith(f"{key}: expected ")

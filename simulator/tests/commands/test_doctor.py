"""`sandgate doctor`: passed where a gateway could start, and advice for everything else."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest

from simulator.adapters.http.tls import certificate_for
from simulator.adapters.store.folder import DataFolder
from simulator.adapters.vault import open_vault
from simulator.commands.checks import findings_of
from simulator.commands.data_checks import blocked_in, check_folder, logs_written_at
from simulator.commands.findings import CheckedSettings, Finding
from simulator.settings import ROWS, SettingRow, Settings
from simulator.tests.kit.running import clean_environment

FREE = {"port": 0}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder as a first start leaves it."""
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    open_vault(folder / "vault.key")
    (folder / "registry.log").touch(0o600)
    certificate_for([], folder=folder / "tls", now=datetime.now(UTC))
    return folder


@pytest.mark.parametrize("key", ["", "two words of a key", "with,comma"])
def test_a_kept_control_key_that_opens_nothing_is_found(data: Path, key: str) -> None:
    (data / "control.key").write_text(f"{key}\n")
    (data / "control.key").chmod(0o600)

    (found,) = wrong_in(data)

    assert found.what == "keys" and "control.key" in found.found
    assert not key or key not in found.found
    assert "remove it" in found.advice


def wrong_in(folder: Path, *, environ: dict | None = None, **settings: object) -> list[Finding]:
    """What is wrong."""
    case = CheckedSettings(Settings(**{"data": folder, **FREE, **settings}), (), environ or {})
    return [finding for finding in findings_of(case) if not finding.is_good]


def doctor(*arguments: str, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "simulator", "doctor", *arguments],
        env={**clean_environment(), **more}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_a_good_folder_has_nothing_wrong(data: Path) -> None:
    assert wrong_in(data) == []


def test_a_folder_that_is_not_there_yet_has_nothing_wrong_and_is_not_made(tmp_path: Path) -> None:
    assert wrong_in(tmp_path / "a" / "b") == []
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_a_line_a_subject_and_ends_with_status_0(data: Path) -> None:
    done = doctor("--data", str(data), "--port", "0")

    assert done.returncode == 0, done.stdout
    subjects = [line[8:].split("  ")[0] for line in done.stdout.splitlines()[:-2]]
    assert subjects == [
        "Python", "versions", "settings", "variables", "data folder", "lock", "keys", "files",
        "logs", "certificate", "clock", "ports",
    ]  # fmt: skip
    assert done.stdout.endswith("All checks passed\n")


def test_the_command_ends_with_status_1_and_an_advice_where_something_is_wrong(data: Path) -> None:
    (data / "vault.key").chmod(0o644)

    done = doctor("--data", str(data), "--port", "0", SANDGATE_PROT="1")

    assert done.returncode == 1
    assert f"-> chmod 600 {data / 'vault.key'}" in done.stdout
    assert "-> write SANDGATE_PORT" in done.stdout
    assert done.stdout.endswith("2 of 12 checks failed\n")


def test_an_invalid_setting_is_reported_like_the_rest() -> None:
    done = doctor("--port", "http")

    assert done.returncode == 1
    assert "FAILED  settings" in done.stdout
    assert "a port from 0 to 65535" in done.stdout
    shown = doctor("--port", "4111111111111111").stdout
    assert "411111******1111" in shown and "4111111111111111" not in shown


@pytest.mark.parametrize("name", ["vault.key", "tls/ca-key.pem", "tls/server-key.pem"])
def test_a_key_that_others_may_read_is_wrong(data: Path, name: str) -> None:
    (data / name).chmod(0o640)

    assert wrong_in(data) == [
        Finding("keys", f"others may read {data / name}", f"chmod 600 {data / name}")
    ]


def test_a_damaged_key_is_wrong(data: Path) -> None:
    (data / "vault.key").write_text("nothing")

    (finding,) = wrong_in(data)
    assert (finding.what, finding.advice) == ("keys", "put it back from a backup")


def test_a_key_that_is_gone_is_wrong_where_something_was_sealed_with_it(data: Path) -> None:
    (data / "vault.key").unlink()

    assert [finding.what for finding in wrong_in(data)] == ["keys"]


def test_a_folder_that_others_may_write_in_is_wrong(data: Path) -> None:
    data.chmod(0o777)

    assert [finding.advice for finding in wrong_in(data)] == [f"chmod 700 {data}"]


def test_a_file_in_place_of_the_folder_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "data").touch()

    assert wrong_in(tmp_path / "data" / "deep")[0].found == f"{tmp_path / 'data'} is a file"


@pytest.mark.parametrize("days", (-800, 800))
def test_a_certificate_that_is_over_or_not_yet_valid_is_wrong(tmp_path: Path, days: int) -> None:
    then = datetime.now(UTC) + timedelta(days=days)
    certificate_for([], folder=tmp_path / "tls", now=then)

    (finding,) = wrong_in(tmp_path)
    assert finding.what == "certificate"
    assert "issues another" in finding.advice


def test_a_certificate_that_cannot_be_read_is_wrong(data: Path) -> None:
    (data / "tls" / "server.pem").write_text("no certificate")

    assert [finding.what for finding in wrong_in(data)] == ["certificate"]


def test_a_clock_behind_what_was_written_is_wrong(data: Path) -> None:
    later = datetime.now(UTC).timestamp() + 3600
    os.utime(data / "registry.log", (later, later))

    assert [finding.what for finding in wrong_in(data)] == ["clock"]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that a program listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


PORTS = [row for row in ROWS if row.kind == "PORT"]


def free_ports() -> dict[str, int]:
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in PORTS]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return {row.name: probe.getsockname()[1] for row, probe in zip(PORTS, probes, strict=True)}


@pytest.mark.parametrize("row", PORTS, ids=[row.name for row in PORTS])
def test_each_port_that_serve_opens_is_wrong_where_it_is_taken(
    data: Path, taken: int, row: SettingRow
) -> None:
    assert wrong_in(data, **free_ports() | {row.name: taken}) == [
        Finding(f"{row.key} {taken}", "in use by another program",
                f"choose another with {row.option}, or --port 0")
    ]  # fmt: skip


def test_two_ports_that_are_the_same_are_wrong(data: Path) -> None:
    ports = free_ports()

    (found,) = wrong_in(data, **ports | {"acs_port": ports["port"]})

    assert found.what == f"acs-port {ports['port']}"
    assert found.found == "the same as a port above"


def test_where_a_gateway_runs_its_lock_and_its_ports_are_not_wrong(data: Path, taken: int) -> None:
    with DataFolder(data):
        assert wrong_in(data, **dict.fromkeys(free_ports(), taken)) == []


def test_an_address_that_is_not_this_machines_is_wrong_for_all_ports_but_the_card_host(
    data: Path,
) -> None:
    found = wrong_in(data, **free_ports(), host="192.0.2.1")

    assert [finding.what.split()[0] for finding in found] == [
        row.key for row in PORTS if row.name != "card_port"
    ]


def test_authorities_that_cannot_be_read_are_wrong(data: Path, tmp_path: Path) -> None:
    (found,) = wrong_in(data, webhook_ca=tmp_path / "none.pem")

    assert found.what == "settings"
    assert "none.pem" in found.found


def test_a_file_that_the_gateway_cannot_change_is_wrong(data: Path) -> None:
    # The superuser may change every file, but not one that a link only promises.
    (data / "sandbox.log").symlink_to(data / "none" / "sandbox.log")

    assert wrong_in(data)[0] == Finding(
        "data folder", f"{data / 'sandbox.log'} is not writable", f"chown -R {os.getuid()} {data}"
    )


@pytest.mark.parametrize(
    ("name", "advice"),
    [("SANDGATE_TOKN", "write SANDGATE_TOKEN"), ("SANDGATE_XYZZY", "unset it, nothing reads it")],
)
def test_a_variable_that_is_never_read_is_wrong(data: Path, name: str, advice: str) -> None:
    assert [finding.advice for finding in wrong_in(data, environ={name: "1"})] == [advice]


def test_the_variables_of_a_run_are_not_wrong(data: Path) -> None:
    assert wrong_in(data, environ={"SANDGATE_URL": "u", "SANDGATE_CA_FILE": "f"}) == []


@pytest.mark.parametrize("place", [{}, {"data": "deep/data"}], ids=["default", "named"])
def test_a_working_folder_that_was_removed_is_wrong(tmp_path: Path, place: dict[str, str]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = 'rmdir "$PWD" && exec "$0" -m simulator doctor --port 0 "$@"'
    options = [f"--{name}={value}" for name, value in place.items()]

    ended = subprocess.run(
        ["sh", "-c", line, sys.executable, *options],
        cwd=gone, env=clean_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert ended.returncode == 1 and ended.stderr == ""
    assert "the working folder was removed" in ended.stdout
    assert "-> go to another folder, or name one with --data" in ended.stdout


@pytest.mark.parametrize("mounted", [".", "tls"])
def test_a_disk_that_is_mounted_read_only_is_to_be_mounted_for_writing(
    data: Path, mounted: str
) -> None:
    place = data if mounted == "." else data / mounted
    mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 77; '
    check = 'exec "$0" -m simulator doctor --port 0 --data "$2"'
    namespace = ("unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)))

    ended = subprocess.run(
        [*namespace, "sh", "-c", mount + check, sys.executable, str(place), str(data)],
        env=clean_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if ended.returncode == 77 or "unshare" in ended.stderr:
        pytest.skip("this machine lets no test mount a folder")

    assert "-> mount it for writing, or name another folder with --data" in ended.stdout
    assert "chmod" not in ended.stdout and "chown" not in ended.stdout


@contextmanager
def sandboxes_that_come_and_go(data: Path) -> Iterator[None]:
    """As beside a gateway that runs: folders of sandboxes are made and removed all the time."""
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            for number in range(4):
                folder = data / f"{number:032x}"
                folder.mkdir(0o700)
                for name in ("1.log", "sandbox.json"):
                    (folder / name).touch(0o600)
            for number in range(4):
                shutil.rmtree(data / f"{number:032x}")

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize(
    "look",
    [
        lambda case: [*check_folder(case)],
        lambda case: [Finding("logs", str(at)) for at in logs_written_at(case.folder)],
        lambda case: [Finding("blocked", "", each) for each in blocked_in(case.folder)],
    ],
    ids=["folder", "clock", "blocked"],
)
def test_what_a_running_gateway_removes_meanwhile_is_nothing_wrong(
    data: Path, look: Callable[[CheckedSettings], list[Finding]]
) -> None:
    case = CheckedSettings(Settings(data=data, **FREE), (), {})
    until = monotonic() + 1
    with sandboxes_that_come_and_go(data):
        while monotonic() < until:
            assert [each for each in look(case) if not each.is_good] == []

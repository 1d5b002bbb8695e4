"""A log that lost acknowledged records stops the start, and the message names it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simulator.adapters.store.integrity import REGISTRY, check_log, logs_in, refuse_broken
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.store.used_logs import mark_of
from simulator.client import Client
from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings, Finding
from simulator.domain.core.errors import DamagedLogError
from simulator.domain.webhooks.records import InboxAddress
from simulator.settings import Settings
from simulator.tests.kit.gateway import CONTROL_KEY, ORDER, Credentials, Gateway
from simulator.tests.kit.running import clean_environment, command_of, serving
from simulator.tests.sandboxes.test_idle_unloading import a_gateway, awake, until


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with two sandboxes, three payments in the default one, one in the other."""
    gateway = Gateway(tmp_path / "data", durability="disk")
    for _ in range(3):
        assert gateway.post().status_code == 200
    assert gateway.post(who=gateway.sandbox()).status_code == 200
    gateway.close()
    return tmp_path / "data"


def longest_log(data: Path) -> Path:
    """The log of the default sandbox."""
    return max(data.glob("*/*.log"), key=lambda path: path.stat().st_size)


def damage(log: Path) -> None:
    """Change one letter of the second line, as a disk does that loses what it was given."""
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = lines[1].replace(b"Jane", b"Jone", 1)
    assert damaged != lines[1]
    log.write_bytes(b"".join([lines[0], damaged, *lines[2:]]))


def started(data: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        command_of(data), env=clean_environment(), capture_output=True, text=True, timeout=60
    )


def findings_on_logs(data: Path) -> list[Finding]:
    case = CheckedSettings(Settings(data=data, port=0), (), {})
    return [finding for finding in findings_of(case) if finding.what == "logs"]


def test_a_damaged_middle_stops_the_start_with_file_line_and_what_to_do(data: Path) -> None:
    log = longest_log(data)
    damage(log)
    before = log.read_bytes()

    ended = started(data)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert f"{log}, line 2: expected a line with a right checksum" in ended.stderr
    assert f"move {log.name} and 1.used out of {log.parent}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert log.read_bytes() == before


def test_what_the_error_says_to_do_helps(data: Path) -> None:
    log = longest_log(data)
    with serving(data) as running:
        before = running.facts
    damage(log)
    for name in (log.name, "1.used"):
        shutil.move(log.parent / name, data.parent / name)

    with serving(data) as running:
        facts = running.facts
        assert facts["token"] == before["token"]
        client = Client(facts["base_url"], facts["token"], facts["entity_id"])
        assert client.post("v1/payments", ORDER).status == 200
        client.close()


@pytest.mark.parametrize("lose", [Path.unlink, lambda log: log.write_bytes(b"")])
def test_a_log_that_is_gone_or_empty_stops_it(data: Path, lose: Callable[[Path], object]) -> None:
    log = longest_log(data)
    lose(log)

    ended = started(data)

    assert ended.returncode == 1
    assert f"{log}, line 1: expected the log that was written here" in ended.stderr
    assert f"move {log.name} and 1.used out of {log.parent}" in ended.stderr
    (finding,) = findings_on_logs(data)
    assert not finding.is_good and str(log) in finding.found


def test_a_log_that_is_gone_after_the_start_is_noticed_when_it_is_read(data: Path) -> None:
    log = longest_log(data)
    log.unlink()

    with pytest.raises(DamagedLogError, match="gone or empty"):
        DocumentStore(log).get(InboxAddress, "0")


@pytest.mark.parametrize("how", ["reset", "delete"])
def test_a_sandbox_that_was_reset_or_deleted_leaves_no_mark(data: Path, how: str) -> None:
    gateway = Gateway(data, durability="disk")
    (newest, _) = [each["id"] for each in gateway.control("GET", "/sandboxes").json["sandboxes"]]
    if how == "reset":
        gateway.control("POST", f"/sandboxes/{newest}/reset")
    else:
        gateway.control("DELETE", f"/sandboxes/{newest}")
    gateway.close()

    refuse_broken(data)
    assert all(mark.with_suffix(".log").exists() for mark in data.glob("*/*.used"))


def test_an_older_log_without_a_mark_gets_one_when_it_is_read(data: Path) -> None:
    log = longest_log(data)
    mark_of(log).unlink()

    store = DocumentStore(log)
    store.get(InboxAddress, "0")
    store.close()

    assert mark_of(log).exists()


def test_a_torn_end_does_not_stop_it(data: Path) -> None:
    log = longest_log(data)
    log.write_bytes(log.read_bytes()[:-7])

    with serving(data):
        pass

    assert check_log(log).torn_bytes == 0


def test_a_registry_that_is_no_log_stops_it(data: Path) -> None:
    (data / REGISTRY).write_text("hello\n" * 20)

    ended = started(data)

    assert ended.returncode == 1
    assert f"{data / REGISTRY}, line 1: expected" in ended.stderr
    assert f"move {data} away" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_every_log_is_checked_and_none_that_is_no_longer_used(data: Path) -> None:
    log = longest_log(data)
    old = log.with_name("0.log")
    old.write_text("hello\n" * 20)

    checked = logs_in(data)

    assert set(checked) == {*data.glob("*/*.log")} - {old}
    assert check_log(log).units == len(log.read_bytes().splitlines()) - 1


def test_a_deleted_sandbox_is_not_looked_for(data: Path) -> None:
    gateway = Gateway(data, durability="disk")
    (newest, _) = [each["id"] for each in gateway.control("GET", "/sandboxes").json["sandboxes"]]
    gateway.control("DELETE", f"/sandboxes/{newest}")
    gateway.close()

    assert not [path for path in logs_in(data) if path.parent.name == newest]
    assert len(logs_in(data)) == 1


@pytest.fixture
def woken(data: Path) -> Iterator[Gateway]:
    """A gateway that has started over good logs, of which one was damaged while it was idle."""
    gateway = a_gateway(data.parent)
    # Its start looks through the logs in the background: that is over once it has served.
    assert gateway.post().status_code == 200
    until(lambda: awake(gateway) == 0)
    damage(longest_log(data))
    yield gateway
    gateway.close()


def test_a_log_damaged_since_the_start_is_answered_503_and_the_server_goes_on(
    woken: Gateway, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answer = woken.post()

    assert (answer.status_code, answer.json["result"]["code"]) == (503, "999.999.888")
    assert str(data) not in answer.text
    assert f"{longest_log(data)}, line 2: expected" in caplog.text
    assert not [record for record in caplog.records if record.exc_info]

    assert woken.post(who=other_than_default(woken)).status_code == 200


def other_than_default(gateway: Gateway) -> Credentials:
    made = gateway.sandbox()
    assert made.token != gateway.merchant.token
    return made


def test_the_control_api_says_it_the_same_way(woken: Gateway) -> None:
    sandboxes = woken.control("GET", "/sandboxes").json["sandboxes"]
    answers = [
        woken.client.simulate_get(
            f"/_sandbox/v1/sandboxes/{each['id']}/clock",
            headers={"Authorization": f"Bearer {CONTROL_KEY}"},
        ).status_code
        for each in sandboxes
    ]

    assert sorted(answers) == [200, 503]


def test_the_doctor_names_every_damaged_log_with_the_words_of_the_start(data: Path) -> None:
    assert [finding.is_good for finding in findings_on_logs(data)] == [True]
    log = longest_log(data)
    damage(log)

    (finding,) = findings_on_logs(data)
    assert finding.found.startswith(f"{log}, line 2: expected a line with a right checksum")
    assert f"move {log.name} and 1.used out of {log.parent}" in finding.advice

    (data / REGISTRY).write_text("hello\n" * 20)
    (finding,) = findings_on_logs(data)
    assert "is it a log of Sandgate" in finding.found


def test_the_doctor_reports_a_torn_end_and_leaves_it(data: Path) -> None:
    log = longest_log(data)
    log.write_bytes(torn := log.read_bytes()[:-7])

    (finding,) = findings_on_logs(data)

    assert finding.is_good
    assert f"cuts off the torn end of {log}" in finding.found
    assert log.read_bytes() == torn


def test_the_doctor_of_a_gateway_that_runs_reads_no_log(data: Path) -> None:
    gateway = Gateway(data, durability="disk")
    try:
        (finding,) = findings_on_logs(data)
    finally:
        gateway.close()

    assert (finding.is_good, finding.found) == (True, "not read while a gateway runs there")


def test_the_command_ends_with_status_1_where_a_log_is_damaged(data: Path) -> None:
    damage(longest_log(data))

    done = subprocess.run(
        [sys.executable, "-m", "simulator", "doctor", "--port", "0", "--data", str(data)],
        env=clean_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 1
    assert re.search(r"^FAILED\s+logs", done.stdout, re.MULTILINE)

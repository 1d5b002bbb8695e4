"""Locust's process: isolated from other settings, loads the target only, ends when interrupted."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import psutil
import pytest
from msgspec.structs import replace

from features.target.writing import format_target_file
from load.gateway.server import ROOT, start_gateway
from load.ledger.records import LedgerBuffer
from load.run.locust_process import (
    RequestCounter,
    isolated_environment,
    locust_command,
    progress_line,
)
from load.tests.commands import (
    CompletedCommand,
    read_json,
    run_load_command,
    start_load_command,
)
from load.tests.records import create_plan, create_record

FEW = ("-u", "1", "-t", "1s", "--think", "0.2", "--users", "merchant")


def test_our_own_options_come_last():
    command = locust_command(create_plan(), ["--loglevel=DEBUG"])

    assert command.index("--loglevel=DEBUG") < command.index("-f") < command.index("--host")


def test_locust_reads_no_settings_but_those_it_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCUST_HOST", "http://elsewhere.example")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".locust.conf").write_text("processes = 3\n")
    alone = tmp_path / "alone"
    alone.mkdir()
    code = "from locust.argument_parser import parse_options as p; o = p([]); " \
             "print(o.host, o.processes)"  # fmt: skip

    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=alone, env=isolated_environment(alone), text=True,
        capture_output=True, check=True,
    )  # fmt: skip

    assert ran.stdout.splitlines()[-1].split() == ["None", "None"]
    assert str(ROOT) in isolated_environment(alone)["PYTHONPATH"].split(os.pathsep)


def test_the_requests_of_a_ledger_are_counted_by_its_new_lines(tmp_path):
    ledger, buffer = tmp_path / "ledger.jsonl", LedgerBuffer()
    counter = RequestCounter(ledger)
    assert counter.count() == 0
    buffer.add(create_record("one"))
    first = buffer.take_lines()
    ledger.write_bytes(first + first[:10])
    assert (counter.count(), counter.read_bytes) == (1, len(first))

    with ledger.open("ab") as lines:
        lines.write(first[10:])

    assert (counter.count(), counter.read_bytes) == (2, 2 * len(first))


def test_the_progress_of_a_run_begins_with_its_first_request(tmp_path):
    ledger, buffer = tmp_path / "ledger.jsonl", LedgerBuffer()
    counter, record = RequestCounter(ledger), create_record("one")
    assert progress_line(counter, 10, now=record.sent_at) == "0 of 10 s, 0 requests so far"
    buffer.add(record)
    buffer.add(replace(record, sent_at=record.sent_at + 1))
    ledger.write_bytes(buffer.take_lines())

    lines = [progress_line(counter, 10, now=record.sent_at + after) for after in (3, 60)]

    assert lines == ["3 of 10 s, 2 requests so far", "10 of 10 s, 2 requests so far"]


@contextmanager
def start_fixed_server(status: int, *, location: str = "") -> Iterator[list]:
    """Start a server with one response; yields its port, then the path of each request."""
    paths: list = []

    class FixedResponseHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            paths.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.send_response(status)
            self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

        do_GET = do_POST

    server = ThreadingHTTPServer(("127.0.0.1", 0), FixedResponseHandler)
    paths.append(server.server_address[1])
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield paths
    finally:
        server.shutdown()
        server.server_close()


def write_target(folder: Path, **facts: str) -> str:
    (folder / "target.toml").write_text(
        format_target_file({"token": "t", "entity_id": "e", **facts})
    )
    return "target.toml"


def test_a_redirect_is_a_wrong_response_and_is_not_followed(tmp_path):
    with (
        start_fixed_server(200) as elsewhere,
        start_fixed_server(307, location=f"http://127.0.0.1:{elsewhere[0]}/") as paths,
    ):
        target = write_target(tmp_path, base_url=f"http://127.0.0.1:{paths[0]}/")
        ran = run_load_command(target, *FEW, "--json", "report.json", folder=tmp_path)

    assert len(paths) > 1, ran.errors
    assert elsewhere[1:] == []
    assert read_json(tmp_path / "report.json")["overall"]["failed"] > 0


def run_over_tls(folder: Path, **trusting: str) -> CompletedCommand:
    """Run against a gateway with its own certificate authority."""
    with start_gateway(folder / "data", "--tls-port", "0") as server:
        facts = {name: server.facts[name] for name in ("token", "entity_id")}
        target = write_target(folder, **facts, base_url=server.facts["tls_url"], **trusting)
        return run_load_command(target, *FEW, "--json", "report.json", folder=folder)


def test_a_server_certificate_is_trusted_with_the_authority_of_the_target_file(tmp_path):
    run_over_tls(tmp_path, ca_file="data/tls/ca.pem")

    overall = read_json(tmp_path / "report.json")["overall"]
    assert overall["requests"] > 0
    assert overall["unanswered"] == 0


def test_a_server_certificate_of_an_unknown_authority_is_not_trusted(tmp_path):
    ran = run_over_tls(tmp_path)

    assert "got: unable to get local issuer certificate" in ran.errors
    assert not (tmp_path / "report.json").exists()


def test_a_terminated_run_leaves_no_process_and_no_token_behind(tmp_path):
    with start_fixed_server(500) as paths:
        target = write_target(tmp_path, base_url=f"http://127.0.0.1:{paths[0]}/")
        process = start_load_command(
            target, *FEW, "-t", "60s", folder=tmp_path, environment={"TMPDIR": str(tmp_path)}
        )
        until, plans, started = monotonic() + 30, [], []
        # The first request is made before any process is started.
        while not (len(paths) > 2 and plans and started) and monotonic() < until:
            sleep(0.05)
            plans = list(tmp_path.glob("sandgate-load-*/plan.json"))
            started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)

    assert (len(plans), bool(started)) == (1, True), errors
    assert process.returncode == 128 + signal.SIGTERM
    assert not [each for each in started if each.is_running()]
    assert list(tmp_path.glob("sandgate-load-*")) == []


def test_an_interrupted_run_reports_it_without_faults_and_ends_with_3(tmp_path):
    run = start_load_command(
        "-u", "4", "-t", "60s", "--think", "0.05", "--json", "report.json",
        folder=tmp_path, environment={"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    until = monotonic() + 30
    while not any(each.stat().st_size for each in tmp_path.glob("*/ledger.jsonl")):
        assert monotonic() < until
        sleep(0.05)
    run.send_signal(signal.SIGINT)
    output, errors = run.communicate(timeout=60)
    report = read_json(tmp_path / "report.json")

    assert run.returncode == report["exit_status"] == 3, output + errors
    assert 0 < report["lasted_s"] < 30
    (doubt,) = report["doubts"]
    interrupted = re.fullmatch(r"interrupted after ([0-9.]+) of 60 s", doubt)
    assert interrupted and float(interrupted[1]) == pytest.approx(report["lasted_s"], abs=0.1)
    assert report["headline"].endswith(doubt) and doubt in output
    assert (report["certificate"]["is_clean"], report["failures"]) == (True, {})

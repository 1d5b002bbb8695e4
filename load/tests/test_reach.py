"""Where the load goes: to the target alone, over TLS only to whom the target trusts."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import psutil
import pytest

from features.target.writing import format_target_file
from load.servers import gateway
from load.tests.commands import read_json, sandgate_load, start_load

FEW = ("-u", "1", "-t", "1s", "--think", "0.2", "--users", "merchant")


@contextmanager
def answering(status: int, *, location: str = "") -> Iterator[list]:
    """A server that answers one thing to all: its port, then the path of each request."""
    asked: list = []

    class Same(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

        do_GET = do_POST

    server = ThreadingHTTPServer(("127.0.0.1", 0), Same)
    asked.append(server.server_address[1])
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield asked
    finally:
        server.shutdown()
        server.server_close()


def described(folder: Path, **facts: str) -> str:
    (folder / "target.toml").write_text(
        format_target_file({"token": "t", "entity_id": "e", **facts})
    )
    return "target.toml"


def test_a_redirect_is_a_wrong_answer_and_is_not_followed(tmp_path):
    with (
        answering(200) as stranger,
        answering(307, location=f"http://127.0.0.1:{stranger[0]}/") as asked,
    ):
        target = described(tmp_path, base_url=f"http://127.0.0.1:{asked[0]}/")
        ran = sandgate_load(target, *FEW, "--json", "report.json", folder=tmp_path)

    assert len(asked) > 1, ran.errors
    assert stranger[1:] == []
    assert read_json(tmp_path / "report.json")["overall"]["failed"] > 0


def over_tls(folder: Path, **trusting: str) -> dict:
    """The figures of a run against a gateway whose authority nobody else knows."""
    with gateway(folder / "data", "--tls-port", "0") as server:
        facts = {name: server.facts[name] for name in ("token", "entity_id")}
        target = described(folder, **facts, base_url=server.facts["tls_url"], **trusting)
        sandgate_load(target, *FEW, "--json", "report.json", folder=folder)
    return dict(read_json(folder / "report.json")["overall"])


def test_a_certificate_is_believed_where_the_target_says_who_signed_it(tmp_path):
    overall = over_tls(tmp_path, ca_file="data/tls/ca.pem")

    assert overall["requests"] > 0
    assert overall["unanswered"] == 0


def test_a_certificate_of_somebody_else_is_not_believed(tmp_path):
    overall = over_tls(tmp_path)

    assert overall["unanswered"] == overall["requests"] > 0


def test_a_run_that_is_told_to_end_leaves_no_process_and_no_token_behind(tmp_path):
    with answering(500) as asked:
        target = described(tmp_path, base_url=f"http://127.0.0.1:{asked[0]}/")
        process = start_load(
            target, *FEW, "-t", "60s", folder=tmp_path, environment={"TMPDIR": str(tmp_path)}
        )
        until = monotonic() + 30
        while len(asked) < 2 and monotonic() < until:
            sleep(0.05)
        plans = list(tmp_path.glob("sandgate-load-*/plan.json"))
        started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)

    assert (len(plans), bool(started)) == (1, True), errors
    assert process.returncode == 128 + signal.SIGTERM
    assert not [each for each in started if each.is_running()]
    assert list(tmp_path.glob("sandgate-load-*")) == []


def test_a_run_that_is_interrupted_says_so_blames_nobody_and_ends_with_3(tmp_path):
    run = start_load(
        "-u", "4", "-t", "60s", "--think", "0.05", "--json", "report.json",
        folder=tmp_path, environment={"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    until = monotonic() + 30
    while not any(each.stat().st_size for each in tmp_path.glob("*/ledger.jsonl")):
        assert monotonic() < until
        sleep(0.05)
    run.send_signal(signal.SIGINT)
    output, errors = run.communicate(timeout=60)
    told = read_json(tmp_path / "report.json")

    assert run.returncode == told["exit_status"] == 3, output + errors
    assert 0 < told["lasted_s"] < 30
    (doubt,) = told["doubts"]
    cut_short = re.fullmatch(r"cut short after ([0-9.]+) of 60 s", doubt)
    assert cut_short and float(cut_short[1]) == pytest.approx(told["lasted_s"], abs=0.1)
    assert told["headline"].endswith(doubt) and doubt in output
    assert (told["certificate"]["is_clean"], told["failures"]) == (True, {})

"""`sandgate wait`: it returns when a gateway is ready, or says what kept it."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from simulator.client.tests.test_hostile_servers import (
    DRIP_S,
    ENDED_S_MAX,
    ENDLESS,
)
from simulator.client.tests.test_hostile_servers import answering as dripping
from simulator.commands.wait import wait_until_ready
from simulator.tests.kit.running import clean_environment, serving

READY = (200, b'{"ready": true, "missing": []}')
SEEDING = (503, b'{"ready": false, "missing": ["no sandbox: make one"]}')
ELSE = (200, b"<html>something else</html>")


def waited(*arguments: str, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "simulator", "wait", *arguments],
        env={**clean_environment(), **more}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@contextmanager
def answering(answer: Callable[[], tuple[int, bytes]]) -> Iterator[str]:
    """The address of a server that gives these answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answer()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def unused_address() -> str:
    """An address on which no program listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/"


def test_it_returns_as_soon_as_the_gateway_is_ready() -> None:
    answers = iter([SEEDING, SEEDING, READY])

    with answering(lambda: next(answers)) as url:
        assert wait_until_ready(url, timeout_s=10) is None


def test_a_gateway_is_waited_for_over_plain_http_and_over_tls(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        plain = waited(running.facts["base_url"])
        named = waited(SANDGATE_URL=running.facts["base_url"])
        secure = waited(
            running.facts["tls_url"], SANDGATE_CA_FILE=str(tmp_path / "data" / "tls" / "ca.pem")
        )

    for done in (plain, named, secure):
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_when_the_time_is_over_it_says_that_the_connection_is_refused(unused_address: str) -> None:
    done = waited("--timeout", "0.2", unused_address)

    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == f"sandgate: {unused_address} is not ready after 0.2 s: connection refused\n"
    )


KEPT_BY = [
    (SEEDING, "no sandbox: make one"),
    (ELSE, "what answers there is no gateway, or not at this address: 200"),
]


@pytest.mark.parametrize(("answer", "reason"), KEPT_BY)
def test_when_the_time_is_over_it_says_what_answers(answer: tuple, reason: str) -> None:
    with answering(lambda: answer) as url:
        assert wait_until_ready(url, timeout_s=0) == reason


@pytest.mark.parametrize("name", ["heads before the answer", "a body", "trailers"])
def test_a_slow_answer_lasts_no_longer_than_the_wait(name: str) -> None:
    with dripping(ENDLESS[name], DRIP_S) as url:
        began = time.monotonic()
        assert wait_until_ready(url, timeout_s=1.0) is not None
        assert time.monotonic() - began < ENDED_S_MAX


def test_a_wrong_address_is_reported_at_once() -> None:
    done = waited("pay.example")

    assert done.returncode == 2
    assert "expected an address such as" in done.stderr

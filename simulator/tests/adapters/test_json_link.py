"""Messages posted to a test server: what comes back, and what counts as no answer."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import gevent
import pytest

from simulator.adapters.http.tls import certificate_for, server_context
from simulator.adapters.periodic import go_round
from simulator.adapters.three_d_secure.json_link import ANSWER_BYTES_MAX, JsonLink


@contextmanager
def serving(status: int, body: bytes, *, tls=None) -> Iterator[tuple[str, list]]:
    """The address of a server that answers so, and what it was sent."""
    came: list = []

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            came.append((self.path, self.headers["Content-Type"], sent))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answering)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    scheme = "http" if tls is None else "https"
    try:
        yield f"{scheme}://127.0.0.1:{server.server_port}/to?x=1", came
    finally:
        server.shutdown()
        server.server_close()


def test_what_is_posted_arrives_and_the_answer_comes_back():
    with serving(200, b'{"a": 1}') as (url, came):
        assert json.loads(JsonLink().post(url, b'{"b": 2}')) == {"a": 1}
    assert came == [("/to?x=1", "application/json;charset=UTF-8", b'{"b": 2}')]


@pytest.mark.parametrize(
    ("status", "body"), [(404, b"{}"), (500, b""), (302, b""), (200, b"x" * (ANSWER_BYTES_MAX + 1))]
)
def test_any_other_answer_is_none(status, body):
    with serving(status, body) as (url, _):
        assert JsonLink().post(url, b"{}") is None


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://no-such-host.invalid/", "file:///etc/passwd", "http://"]
)
def test_without_a_server_there_is_no_answer(url):
    assert JsonLink().post(url, b"{}") is None


def test_over_tls_the_authority_of_the_gateway_is_trusted_and_no_other(tmp_path):
    made = certificate_for([], folder=tmp_path / "tls", now=datetime.now(UTC))
    with serving(200, b"{}", tls=server_context(made)) as (url, _):
        assert JsonLink(ca=made.ca).post(url, b"{}") == b"{}"
        assert JsonLink(ca=tmp_path / "none.pem").post(url, b"{}") is None


def test_a_round_that_fails_is_logged_and_the_next_one_comes(caplog):
    rounds = []

    def work() -> None:
        rounds.append(len(rounds))
        if len(rounds) == 1:
            raise ValueError("the first")

    going = go_round(work, 0.001)
    with gevent.Timeout(5):
        while len(rounds) < 3:
            gevent.sleep(0.001)
    going.kill()
    assert "internal error in periodic work" in caplog.text

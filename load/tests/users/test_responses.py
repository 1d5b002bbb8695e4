"""A virtual user against a gateway whose answer, or its head, does not end."""

import os
import subprocess
import sys

import pytest

from load.gateway.server import ROOT

# Locust patches the process that imports it.
PROGRAM = """
import sys
from locust.contrib.fasthttp import FastHttpSession
from locust.event import Events
from gevent.server import StreamServer
from load.users.responses import BoundedResponse

BEGIN, PIECE = (bytes.fromhex(each) for each in sys.argv[1:])

def serve(client, _):
    client.recv(65536)
    client.sendall(BEGIN)
    while True:
        client.sendall(PIECE)

server = StreamServer(("127.0.0.1", 0), serve)
server.start()
session = FastHttpSession(f"http://127.0.0.1:{server.server_port}/", Events().request, None)
session.client.response_type = BoundedResponse
with session.get("v1/payments", catch_response=True) as response:
    print(response.status_code, response.content)
    response.failure("too long")
"""
SOON_S = 60


def answered(begin: bytes, piece: bytes) -> str:
    """What a user takes from a gateway that answers a beginning, then a piece again and again."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, begin.hex(), piece.hex()],
        env=environment, capture_output=True, text=True, timeout=SOON_S, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_user_goes_on_after_an_answer_without_end() -> None:
    assert answered(b"HTTP/1.1 200 OK\r\n\r\n", b"9" * 30_000) == "200 b''\n"


def test_a_user_goes_on_after_trailers_without_end() -> None:
    begin = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    assert answered(begin, b"X-More: 1\r\n" * 5_000) == "200 b''\n"


@pytest.mark.parametrize(
    ("begin", "piece"),
    [(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n" * 5_000),
     (b"HTTP/1.1 200 OK\r\nX-Long: ", b"9" * 30_000),
     (b"HTTP/1.1 200 ", b"K" * 30_000),
     (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2_500)],
    ids=["fields", "one field", "status line", "interim answers"],
)  # fmt: skip
def test_a_user_goes_on_after_a_head_without_end(begin: bytes, piece: bytes) -> None:
    assert answered(begin, piece) == "0 None\n"

"""A virtual user against a gateway whose answer does not end."""

import os
import subprocess
import sys

from load.gateway.server import ROOT

# Locust patches the process that imports it.
PROGRAM = """
from locust.contrib.fasthttp import FastHttpSession
from locust.event import Events
from gevent.server import StreamServer
from load.users.responses import BoundedResponse

def serve(client, _):
    client.recv(65536)
    client.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
    while True:
        client.sendall(b"9" * 65536)

server = StreamServer(("127.0.0.1", 0), serve)
server.start()
session = FastHttpSession(f"http://127.0.0.1:{server.server_port}/", Events().request, None)
session.client.response_type = BoundedResponse
with session.get("v1/payments", catch_response=True) as response:
    print(response.status_code, response.content)
    response.failure("too long")
"""
SOON_S = 60


def test_a_user_goes_on_after_an_answer_without_end() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment, capture_output=True, text=True, timeout=SOON_S, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (0, "200 b''\n"), ran.stderr

"""A client that goes while its long request is read is no fault of the gateway: its log says so."""

import socket
import ssl
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen
from wsgiref.types import StartResponse

import gevent
import gevent.socket
import pytest
from gevent.event import Event

from simulator.adapters.http.server import (
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.client.processes import gateway_in

RESET = struct.pack("ii", 1, 0)
# So long that the gateway begins to answer before it has all of it.
BODIES = {
    "of a length": b"Content-Length: 50000\r\n\r\n" + b"a" * 20_000,
    "in chunks": b"Transfer-Encoding: chunked\r\n\r\n4e20\r\n" + b"a" * 20_000 + b"\r\n",
    "that waits for leave": b"Expect: 100-continue\r\nContent-Length: 50000\r\n\r\n",
}


class Served(NamedTuple):
    """A gateway, and what it wrote on standard error."""

    facts: dict[str, Any]
    stderr: Path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("lost")
    with gateway_in(folder) as facts:
        yield Served(facts, folder / "stderr")


@pytest.mark.parametrize("path", ("/v1/payments", "/_sandbox/v1/sandboxes", "/console/sign-in"))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("scheme", ("base_url", "tls_url"))
def test_a_client_that_resets_its_long_request_leaves_no_traceback(
    served: Served, scheme: str, body: bytes, path: str
) -> None:
    facts, at = served.facts, urlsplit(served.facts[scheme])
    before = len(served.stderr.read_text())
    key = facts["control_key"] if "_sandbox" in path else facts["token"]
    head = f"POST {path} HTTP/1.1\r\nHost: {at.netloc}\r\nAuthorization: Bearer {key}\r\n"
    with socket.create_connection((at.hostname, at.port), 5) as plain:
        # Of TLS too the connection below is reset: nothing is said before its end.
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        sender = secured(plain) if at.scheme == "https" else plain
        sender.sendall(head.encode() + body)
        sleep(0.1)
        sender.close()
    with urlopen(f"{facts['base_url']}openapi.json", timeout=5) as answer:
        assert answer.status == 200
    written = served.stderr.read_text()[before:]
    assert "Traceback" not in written and "fault:" not in written


def secured(plain: socket.socket) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain)


def test_an_answer_in_pieces_is_closed_also_where_its_client_went_before_its_head() -> None:
    called, has_gone, closed = Event(), Event(), Event()

    class Pieces:
        def __iter__(self) -> Iterator[bytes]:
            return iter((b"one", b"two"))

        def close(self) -> None:
            closed.set()

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        called.set()
        has_gone.wait()
        start_response("200 OK", [])
        return Pieces()

    options = ListenerOptions(lambda status, reason: b"", new_budgets())
    listener = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    sender = gevent.socket.create_connection(("127.0.0.1", listener.server_port), 5)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    sender.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    called.wait(5)
    sender.close()
    has_gone.set()
    is_closed = closed.wait(5)
    close_listeners([listener], grace_s=1)

    assert is_closed

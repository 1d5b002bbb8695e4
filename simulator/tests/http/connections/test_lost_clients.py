"""A client that goes while its long request is read is no fault of the gateway: its log says so."""

import socket
import ssl
import struct
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

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

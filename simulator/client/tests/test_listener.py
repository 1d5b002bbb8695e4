"""The small listener: how many connections it holds, and what it prints of clients that go away."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

SECONDS_MAX = 10


def answering(request: ReceivedRequest) -> ListenerResponse:
    return ListenerResponse(200, {}, b"x" * 1_000_000 if request.path == "/long" else b"here")


@contextmanager
def kept_open(address: str) -> Iterator[HTTPConnection]:
    """A connection that was answered and stays."""
    link = HTTPConnection(urlsplit(address).netloc, timeout=SECONDS_MAX)
    link.request("GET", "/")
    assert link.getresponse().read() == b"here"
    try:
        yield link
    finally:
        link.close()


def test_a_connection_above_the_limit_is_closed_and_one_that_ends_makes_room() -> None:
    with listening(answering, connections_max=2) as address, ExitStack() as held:
        first = held.enter_context(kept_open(address))
        held.enter_context(kept_open(address))
        with (
            socket.create_connection(_place(address), timeout=SECONDS_MAX) as third,
            pytest.raises(OSError, match="closed|reset"),
        ):
            if not third.recv(1):
                raise OSError("closed")

        first.close()

        assert _answered_in_time(address)


def test_a_client_that_goes_away_is_no_fault(capfd: pytest.CaptureFixture) -> None:
    with listening(answering) as address:
        for _ in range(5):
            with socket.create_connection(_place(address), timeout=SECONDS_MAX) as link:
                link.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        with kept_open(address):
            pass

    assert "Traceback" not in capfd.readouterr().err


def _place(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    return str(parts.hostname), int(parts.port or 0)


def _answered_in_time(address: str) -> bool:
    """Whether a connection is answered before its time; the end of another takes a moment."""
    for _ in range(1000):
        link = HTTPConnection(urlsplit(address).netloc, timeout=SECONDS_MAX)
        try:
            link.request("GET", "/")
            return link.getresponse().status == 200
        except OSError:
            continue
        finally:
            link.close()
    return False

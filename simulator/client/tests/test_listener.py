"""The small listener: how many connections it holds, and what it prints of clients that go away."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from time import sleep
from urllib.parse import urlsplit

import pytest

from simulator.client.listener import (
    BODY_BYTES_MAX,
    LONG_BODIES_MAX,
    SHORT_BODY_BYTES,
    ListenerResponse,
    ReceivedRequest,
    listening,
)

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


def test_silent_connections_make_room_for_others_the_oldest_first() -> None:
    with listening(answering, connections_max=8) as address, ExitStack() as held:
        silent = [held.enter_context(_connected(address)) for _ in range(8)]
        half = held.enter_context(_connected(address))
        half.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1")
        unread = held.enter_context(_connected(address))
        unread.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n" * 20)

        for _ in range(8):
            held.enter_context(kept_open(address))

        assert [each.recv(1) for each in silent] == [b""] * 8


NUMBER = b"4200000000000000"


@pytest.mark.parametrize(
    "sent",
    [
        b"%b / HTTP/1.1\r\nHost: x\r\n\r\n" % NUMBER,
        b"GET /%b x y\r\n\r\n" % NUMBER,
        b"GET / %b\r\n\r\n" % NUMBER,
        b"GET / HTTP/%b.1\r\n\r\n" % NUMBER,
        b"%b\r\n\r\n" % NUMBER,
        b"GET / HTTP/1.1\r\n" + b"a%b: b\r\n" % NUMBER * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\n" + NUMBER * 5000 + b": b\r\n\r\n",
        b"GET /" + NUMBER * 5000 + b" HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01" + NUMBER + b"\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused_and_not_repeated(sent: bytes) -> None:
    with listening(answering) as address, _connected(address) as link:
        with suppress(ConnectionError):
            link.sendall(sent)
        answer = b"".join(iter(lambda: _read(link), b""))

    assert answer.startswith(b"HTTP/1.1 ")
    assert answer.split()[1][:1] in (b"4", b"5")
    assert NUMBER not in answer
    assert b"Python" not in answer


def _read(link: socket.socket) -> bytes:
    try:
        return link.recv(65536)
    except ConnectionError:
        return b""


def test_one_that_is_being_answered_is_not_closed_for_another() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def waits(request: ReceivedRequest) -> ListenerResponse:
        if request.path == "/wait":
            begun.set()
            assert go_on.wait(SECONDS_MAX)
        return answering(request)

    with listening(waits, connections_max=1) as address:
        link = HTTPConnection(urlsplit(address).netloc, timeout=SECONDS_MAX)
        link.request("GET", "/wait")
        assert begun.wait(SECONDS_MAX)
        with (
            _connected(address) as second,
            pytest.raises(OSError, match="closed|reset"),
        ):
            if not second.recv(1):
                raise OSError("closed")
        go_on.set()

        assert link.getresponse().read() == b"here"
        assert _answered_in_time(address)
        link.close()


@pytest.mark.parametrize(
    "length", [f"Content-Length: {SHORT_BODY_BYTES + 1}", "Transfer-Encoding: chunked"]
)
def test_some_long_bodies_are_read_at_a_time_and_any_number_of_short_ones(length: str) -> None:
    head = f"POST / HTTP/1.1\r\nHost: here\r\n{length}\r\n\r\n".encode()
    with listening(answering, idle_s_max=1.0) as address, ExitStack() as held:
        slow = [held.enter_context(_connected(address)) for _ in range(LONG_BODIES_MAX)]
        for link in slow:
            link.sendall(head + b"1")
        sleep(0.3)
        late = held.enter_context(_connected(address))
        late.sendall(head)
        for _ in range(4):
            _send_one_byte_each(slow)
            with kept_open(address):
                sleep(0.3)
        assert _read(late).startswith(b"HTTP/1.1 503 ")


def test_a_client_that_goes_away_is_no_fault(capfd: pytest.CaptureFixture) -> None:
    with listening(answering) as address:
        for _ in range(5):
            with _connected(address) as link:
                link.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        with kept_open(address):
            pass

    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: %d\r\n\r\n" % (BODY_BYTES_MAX + 100),
        b"Content-Length: %b\r\n\r\n" % (b"9" * 5000),
        b"Content-Length: abc\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffff\r\n",
    ],
    ids=["long", "endless", "no number", "no size", "long chunk"],
)
def test_what_follows_a_body_that_is_not_read_whole_is_no_request(
    framing: bytes, capfd: pytest.CaptureFixture
) -> None:
    """A page of another site decides what stands in a body, and not what is asked for after it."""
    asked: list[str] = []

    def notes(request: ReceivedRequest) -> ListenerResponse:
        asked.append(request.path)
        return answering(request)

    body = b"x" * BODY_BYTES_MAX if b"%d" % (BODY_BYTES_MAX + 100) in framing else b""
    with listening(notes) as address, _connected(address) as link:
        link.sendall(b"POST /first HTTP/1.1\r\nHost: x\r\n" + framing + body)
        with suppress(OSError):
            link.sendall(b"POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            while link.recv(65536):
                pass

    assert asked == ["/first"]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("line", [b"a: " + b"b" * 1000 + b"\r\n", b"a: " + b"b" * 60_000 + b"\r\n"])
def test_a_long_head_is_refused_before_all_of_it_is_kept(line: bytes) -> None:
    with listening(answering) as address, _connected(address) as link:
        with suppress(OSError):
            link.sendall(b"GET / HTTP/1.1\r\n" + line * 90)
        assert _read(link)[:12] in (b"HTTP/1.1 431", b"")


def test_heads_follow_each_other_on_a_connection() -> None:
    with listening(answering) as address, kept_open(address) as link:
        for _ in range(3):
            link.request("GET", "/", headers={f"a{number}": "b" * 200 for number in range(60)})
            assert link.getresponse().read() == b"here"


def _send_one_byte_each(links: list[socket.socket]) -> None:
    for link in links:
        link.sendall(b"1")


def _connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    place = str(parts.hostname), int(parts.port or 0)
    return socket.create_connection(place, timeout=SECONDS_MAX)


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

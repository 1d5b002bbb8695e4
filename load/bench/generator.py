"""A closed loop of requests over raw sockets: each connection sends the next after a response.

Requests are prepared bytes and responses are parsed no further than status and length, so that one
core sends far faster than the gateway responds on another.
"""

import re
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from math import inf
from time import perf_counter, time_ns
from typing import NamedTuple

CONNECTIONS = 32
RESPONSE_TIMEOUT_S = 30.0
RECEIVE_BYTES = 1 << 16
NUMBER_DIGITS = 10
END_OF_HEAD = b"\r\n\r\n"
LAST_CHUNK = b"\r\n0\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class MissingResponseError(RuntimeError):
    """A connection was closed, or no response came within RESPONSE_TIMEOUT_S."""


class UnexpectedStatusError(RuntimeError):
    """A response had another status than expected; the message shows it."""


class RequestTemplate(NamedTuple):
    """Requests that differ in the number between `before` and `after`, and their address."""

    address: tuple[str, int]
    before: bytes
    after: bytes
    expected: bytes = b"HTTP/1.1 200 "

    def format_request(self, number: int) -> bytes:
        """Return the bytes of one request."""
        digits = b"%0*d" % (NUMBER_DIGITS, number % 10**NUMBER_DIGITS)
        return self.before + digits + self.after


class DriveResult(NamedTuple):
    """The latencies of the responses in seconds, shortest first, and the total duration."""

    latencies: list[float]
    seconds: float

    @property
    def rate(self) -> float:
        """Responses per second."""
        return len(self.latencies) / self.seconds

    def latency(self, share: float) -> float:
        """Return the latency in seconds that `share` of the requests did not exceed."""
        return self.latencies[int(share * (len(self.latencies) - 1))]


def drive(
    requests: RequestTemplate,
    *,
    seconds: float = inf,
    requests_max: float = inf,
    connections: int = CONNECTIONS,
) -> DriveResult:
    """Send requests for `seconds`, or `requests_max` of them, and wait for all responses.

    No two calls send the same request. Raises UnexpectedStatusError, MissingResponseError.
    """
    with open_connections(requests.address, connections) as opened:
        began = perf_counter()
        loop = RequestLoop(requests, until=began + seconds, requests_max=requests_max)
        loop.run(opened)
        return DriveResult(sorted(loop.latencies), perf_counter() - began)


def send_at_once(connections: list["KeepAliveConnection"], requests: list[bytes]) -> list[bytes]:
    """Send one request on each connection before reading a response; return the responses."""
    for connection, request in zip(connections, requests, strict=True):
        connection.send(request)
    return [connection.wait() for connection in connections]


@contextmanager
def open_connections(
    address: tuple[str, int], number: int
) -> Iterator[list["KeepAliveConnection"]]:
    """Open `number` keep-alive connections, closed at the end of the block."""
    with ExitStack() as stack:
        yield [KeepAliveConnection(stack.enter_context(_connect(address))) for _ in range(number)]


class KeepAliveConnection:
    """One connection with at most one request in flight."""

    __slots__ = ("socket", "sent_at", "_received")

    def __init__(self, connected: socket.socket):
        self.socket = connected
        self.sent_at = 0.0
        self._received = b""

    def send(self, request: bytes) -> None:
        """Send a request, and keep the time."""
        self._received = b""
        self.sent_at = perf_counter()
        self.socket.sendall(request)

    def receive(self) -> bytes | None:
        """Return the response once it is complete, otherwise None. Raises MissingResponseError."""
        received = self.socket.recv(RECEIVE_BYTES)
        if not received:
            raise MissingResponseError(f"the connection was closed after {self._received[:200]!r}")
        self._received += received
        return self._received if self._is_complete() else None

    def wait(self) -> bytes:
        """Return the response, waiting at most RESPONSE_TIMEOUT_S for each part of it."""
        response = None
        while response is None:
            response = self.receive()
        return response

    def _is_complete(self) -> bool:
        """Whether the response is complete: its stated length, or the last chunk."""
        end = self._received.find(END_OF_HEAD)
        if end < 0:
            return False
        stated = LENGTH.search(self._received, 0, end + 2)
        if stated is None:
            return self._received.endswith(LAST_CHUNK)
        return len(self._received) >= end + len(END_OF_HEAD) + int(stated[1])


class RequestLoop:
    """Sends requests over connections for a time, or up to a number of them."""

    __slots__ = ("latencies", "_requests", "_numbers", "_until", "_remaining", "_in_flight")

    def __init__(self, requests: RequestTemplate, *, until: float, requests_max: float):
        self.latencies: list[float] = []
        self._requests = requests
        self._numbers = count(time_ns() // 1000)
        self._until = until
        self._remaining = requests_max
        self._in_flight = 0

    def run(self, connections: list[KeepAliveConnection]) -> None:
        """Send requests and receive responses until none is in flight."""
        with selectors.DefaultSelector() as selector:
            for connection in connections:
                selector.register(connection.socket, selectors.EVENT_READ, connection)
                self._send_next(connection)
            while self._in_flight:
                ready = selector.select(RESPONSE_TIMEOUT_S)
                if not ready:
                    raise MissingResponseError(
                        f"expected a response within {RESPONSE_TIMEOUT_S:g} s"
                    )
                for key, _ in ready:
                    self._receive(key.data)

    def _send_next(self, connection: KeepAliveConnection) -> None:
        if self._remaining > 0:
            self._remaining -= 1
            self._in_flight += 1
            connection.send(self._requests.format_request(next(self._numbers)))

    def _receive(self, connection: KeepAliveConnection) -> None:
        response = connection.receive()
        if response is None:
            return
        now = perf_counter()
        self.latencies.append(now - connection.sent_at)
        self._in_flight -= 1
        if not response.startswith(self._requests.expected):
            raise UnexpectedStatusError(response[:1000].decode("utf-8", "replace"))
        if now < self._until:
            self._send_next(connection)


def _connect(address: tuple[str, int]) -> socket.socket:
    connection = socket.create_connection(address, RESPONSE_TIMEOUT_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection

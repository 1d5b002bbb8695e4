"""A closed loop of requests over raw sockets: a connection asks again when it has its answer.

Requests are prepared bytes and answers are read no further than their status and length, so that
one core asks far faster than the gateway answers on another.
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
PATIENCE_S = 30.0
RECEIVE_BYTES = 1 << 16
NUMBER_DIGITS = 10
END_OF_HEAD = b"\r\n\r\n"
LAST_PIECE = b"\r\n0\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class NoAnswer(RuntimeError):
    """A connection ended, or all were silent for longer than PATIENCE_S."""


class Wrong(RuntimeError):
    """An answer had another status than the one a figure rests on; the message shows it."""


class Requests(NamedTuple):
    """Requests that differ in the number between `before` and `after`, and where they go."""

    address: tuple[str, int]
    before: bytes
    after: bytes
    expected: bytes = b"HTTP/1.1 200 "

    def numbered(self, number: int) -> bytes:
        """One request, ready to be sent."""
        digits = b"%0*d" % (NUMBER_DIGITS, number % 10**NUMBER_DIGITS)
        return self.before + digits + self.after


class Run(NamedTuple):
    """What was answered: latencies in seconds, shortest first, and the time it all took."""

    latencies: list[float]
    seconds: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds

    def latency(self, share: float) -> float:
        """The latency in seconds that `share` of the requests did not exceed."""
        return self.latencies[int(share * (len(self.latencies) - 1))]


def drive(
    requests: Requests,
    *,
    seconds: float = inf,
    requests_max: float = inf,
    connections: int = CONNECTIONS,
) -> Run:
    """Ask for so long, or so often, then wait for the answers still owed. Raises Wrong, NoAnswer.

    No two calls send the same request.
    """
    with open_links(requests.address, connections) as links:
        began = perf_counter()
        loop = Loop(requests, until=began + seconds, asks=requests_max)
        loop.run(links)
        return Run(sorted(loop.latencies), perf_counter() - began)


def all_at_once(links: list["Link"], requests: list[bytes]) -> list[bytes]:
    """The answers to requests that were all sent before the first answer was read, one a link."""
    for link, request in zip(links, requests, strict=True):
        link.send(request)
    return [link.wait() for link in links]


@contextmanager
def open_links(address: tuple[str, int], number: int) -> Iterator[list["Link"]]:
    """So many kept-alive connections, closed at the end."""
    with ExitStack() as stack:
        yield [Link(stack.enter_context(_connected(address))) for _ in range(number)]


class Link:
    """One connection with at most one request under way."""

    __slots__ = ("socket", "sent_at", "_received", "_missing")

    def __init__(self, connected: socket.socket):
        self.socket = connected
        self.sent_at = 0.0
        self._received = b""
        self._missing = -1

    def send(self, request: bytes) -> None:
        """Send a request, and remember when."""
        self._received, self._missing = b"", -1
        self.sent_at = perf_counter()
        self.socket.sendall(request)

    def receive(self) -> bytes | None:
        """The answer when the bytes that are here now complete it, else None. Raises NoAnswer."""
        piece = self.socket.recv(RECEIVE_BYTES)
        if not piece:
            raise NoAnswer(f"the connection was closed after {self._received[:200]!r}")
        self._received += piece
        return self._received if self._is_whole() else None

    def wait(self) -> bytes:
        """The answer, however long it takes within PATIENCE_S."""
        answer = None
        while answer is None:
            answer = self.receive()
        return answer

    def _is_whole(self) -> bool:
        """Whether all of the answer is there: as long as its head says, or the last piece."""
        end = self._received.find(END_OF_HEAD)
        if end < 0:
            return False
        stated = LENGTH.search(self._received, 0, end + 2)
        if stated is None:
            return self._received.endswith(LAST_PIECE)
        return len(self._received) >= end + len(END_OF_HEAD) + int(stated[1])


class Loop:
    """Asks over some links until it is time, or often enough."""

    __slots__ = ("latencies", "_requests", "_numbers", "_until", "_asks", "_owed")

    def __init__(self, requests: Requests, *, until: float, asks: float):
        self.latencies: list[float] = []
        self._requests = requests
        self._numbers = count(time_ns() // 1000)
        self._until = until
        self._asks = asks
        self._owed = 0

    def run(self, links: list[Link]) -> None:
        """Ask and take answers until none is owed."""
        with selectors.DefaultSelector() as selector:
            for link in links:
                selector.register(link.socket, selectors.EVENT_READ, link)
                self._ask(link)
            while self._owed:
                ready = selector.select(PATIENCE_S)
                if not ready:
                    raise NoAnswer(f"no answer within {PATIENCE_S:g} seconds")
                for key, _ in ready:
                    self._take(key.data)

    def _ask(self, link: Link) -> None:
        if self._asks > 0:
            self._asks -= 1
            self._owed += 1
            link.send(self._requests.numbered(next(self._numbers)))

    def _take(self, link: Link) -> None:
        answer = link.receive()
        if answer is None:
            return
        now = perf_counter()
        self.latencies.append(now - link.sent_at)
        self._owed -= 1
        if not answer.startswith(self._requests.expected):
            raise Wrong(answer[:1000].decode("utf-8", "replace"))
        if now < self._until:
            self._ask(link)


def _connected(address: tuple[str, int]) -> socket.socket:
    connected = socket.create_connection(address, PATIENCE_S)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected

"""Receivers for tests of the dispatcher: small servers on loopback, in greenlets of this
process.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from socket import socket
from typing import NamedTuple

import gevent
from gevent.server import StreamServer
from gevent.ssl import SSLContext

LOOPBACK = "127.0.0.1"
Answer = Callable[[int], bytes | None]


class Request(NamedTuple):
    """What came: the request line, headers by lower-case name, and the body."""

    line: str
    headers: Mapping[str, str]
    body: bytes


class Sink:
    """A server that keeps what comes and answers as set up; `answer` gets the request's number.

    With `ends` it closes each connection after its first answer. `links` are the connections.
    """

    def __init__(
        self,
        answer: Answer,
        context: SSLContext | None = None,
        host: str = LOOPBACK,
        *,
        ends: bool = False,
    ):
        self.requests: list[Request] = []
        self.connections = 0
        self.links: list = []
        self._ends = ends
        self._answer = answer
        secure = {} if context is None else {"ssl_context": context}
        self.server = StreamServer((host, 0), self._serve, **secure)
        self.server.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.server.address[1]

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{LOOPBACK}:{self.port}/hook"

    def wait(self, count: int, seconds: float = 5) -> list[Request]:
        """The requests, once they are `count`; fewer after so many seconds."""
        with gevent.Timeout(seconds, False):
            while len(self.requests) < count:
                gevent.sleep(0.005)
        return self.requests

    def _serve(self, link, address) -> None:
        self.connections += 1
        self.links.append(link)
        stream = link.makefile("rb")
        while line := stream.readline():
            headers = {}
            while (header := stream.readline().strip()) != b"":
                name, _, value = header.decode("latin-1").partition(":")
                headers[name.lower()] = value.strip()
            body = stream.read(int(headers.get("content-length", "0")))
            self.requests.append(Request(line.decode().strip(), headers, body))
            answer = self._answer(len(self.requests))
            if answer is None:
                return
            link.sendall(answer)
            if self._ends:
                return


def status(code: int, *headers: str) -> bytes:
    """An answer without a body."""
    lines = [f"HTTP/1.1 {code} Whatever", "Content-Length: 0", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@contextmanager
def sink(
    answer: Answer | int = 200,
    context: SSLContext | None = None,
    host: str = LOOPBACK,
    *,
    ends: bool = False,
) -> Iterator[Sink]:
    """A receiver for the length of a block; a number is the status of every answer."""
    answer_of = (lambda number: status(answer)) if isinstance(answer, int) else answer
    made = Sink(answer_of, context, host, ends=ends)
    try:
        yield made
    finally:
        made.server.stop(timeout=0.1)


def unused_port() -> int:
    """A port that no program listens on."""
    with socket() as taken:
        taken.bind((LOOPBACK, 0))
        return taken.getsockname()[1]

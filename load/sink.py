"""A receiver of notifications for bench and proof, in a process of its own: `python -m load.sink`.

It counts what comes, refuses or takes it as it was told last, and tells at /stats what it has seen.
Requests are read no further than they must be, so that it is faster than whoever sends.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

from gevent.server import StreamServer
from gevent.socket import IPPROTO_TCP, TCP_NODELAY

LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
EVENT_ID = re.compile(rb"\r\nx-event-id: *([0-9a-f]+)", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"
TAKEN = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
REFUSED = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
RECEIVE_BYTES = 1 << 16


class Heard(NamedTuple):
    """One notification that was taken or refused: its identity and its body."""

    event_id: str
    body: str


class Sink:
    """Answers on one port. `every` refuses each so-many-th; 0 takes all, 1 refuses all."""

    def __init__(self, *, keeps: bool):
        self.keeps = keeps
        self.every = 0
        self.count = 0
        self.first = self.last = 0.0
        self.heard: list[Heard] = []

    def serve(self, link: Any, address: object) -> None:
        """One connection, until the sender ends it or is killed."""
        link.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        with suppress(ConnectionError):
            for head, body in _requests(link):
                link.sendall(self._answer(head, body))

    def _answer(self, head: bytes, body: bytes) -> bytes:
        if head.startswith(b"GET /stats"):
            return _json(self._stats())
        if head.startswith(b"GET /every/"):
            self.every = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
            self.count, self.first = 0, 0.0
            return TAKEN
        self.last = perf_counter()
        self.first = self.first or self.last
        self.count += 1
        refused = self.every and self.count % self.every == 0
        if self.keeps and not refused:
            found = EVENT_ID.search(head)
            self.heard.append(Heard(found[1].decode() if found else "", body.decode("utf-8")))
        return REFUSED if refused else TAKEN

    def _stats(self) -> dict[str, Any]:
        seen = {"count": self.count, "seconds": self.last - self.first}
        return {**seen, "heard": [each._asdict() for each in self.heard]}


def _requests(link: Any) -> Iterator[tuple[bytes, bytes]]:
    """Head and body of each request, until the connection ends."""
    rest = b""
    while True:
        while (end := rest.find(END_OF_HEAD)) < 0:
            rest += _received(link)
        head, rest = rest[: end + 2], rest[end + len(END_OF_HEAD) :]
        stated = LENGTH.search(head)
        length = int(stated[1]) if stated else 0
        while len(rest) < length:
            rest += _received(link)
        yield head, rest[:length]
        rest = rest[length:]


def _received(link: Any) -> bytes:
    piece = link.recv(RECEIVE_BYTES)
    if not piece:
        raise ConnectionResetError
    return piece


def _json(document: dict[str, Any]) -> bytes:
    body = json.dumps(document).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )


def main() -> None:
    """Serve until killed; with `keep`, what was taken is told at /stats."""
    if "core" in sys.argv and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})
    server = StreamServer(("127.0.0.1", 0), Sink(keeps="keep" in sys.argv).serve)
    server.start()
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.address[1]}/"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

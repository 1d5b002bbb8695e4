"""A receiver of notifications for bench and proof: `python -m load.gateway.counting_receiver`.

It counts notifications, accepts or rejects them as last configured, and returns its counts at
/stats. Requests are parsed no further than necessary, so that it is faster than the sender.
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

from load.gateway.receiver_process import KEEP, PIN
from load.gateway.server import CLIENT_CORE

LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
EVENT_ID = re.compile(rb"\r\nx-event-id: *([0-9a-f]+)", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"
ACCEPTED = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
REJECTED = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
RECEIVE_BYTES = 1 << 16


class CountedNotification(NamedTuple):
    """One accepted notification: its event id and its body."""

    event_id: str
    body: str


class CountingReceiver:
    """Responds on one port. `every` rejects each n-th notification; 0 accepts, 1 rejects all."""

    def __init__(self, *, keeps: bool):
        self.keeps = keeps
        self.every = 0
        self.count = 0
        self.first_at = self.last_at = 0.0
        self.accepted: list[CountedNotification] = []

    def serve(self, connection: Any, address: object) -> None:
        """Serve one connection until the sender ends it or is killed."""
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        with suppress(ConnectionError):
            for head, body in _requests(connection):
                connection.sendall(self._respond(head, body))

    def _respond(self, head: bytes, body: bytes) -> bytes:
        if head.startswith(b"GET /stats"):
            return _json_response(self._stats())
        if head.startswith(b"GET /every/"):
            self.every = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
            self.count, self.first_at = 0, 0.0
            return ACCEPTED
        self.last_at = perf_counter()
        self.first_at = self.first_at or self.last_at
        self.count += 1
        is_rejected = self.every and self.count % self.every == 0
        if self.keeps and not is_rejected:
            found = EVENT_ID.search(head)
            event_id = found[1].decode() if found else ""
            self.accepted.append(CountedNotification(event_id, body.decode("utf-8")))
        return REJECTED if is_rejected else ACCEPTED

    def _stats(self) -> dict[str, Any]:
        counted = {"count": self.count, "seconds": self.last_at - self.first_at}
        return {**counted, "accepted": [each._asdict() for each in self.accepted]}


def _requests(connection: Any) -> Iterator[tuple[bytes, bytes]]:
    """Yield head and body of each request, until the connection ends."""
    rest = b""
    while True:
        while (end := rest.find(END_OF_HEAD)) < 0:
            rest += _receive(connection)
        head, rest = rest[: end + 2], rest[end + len(END_OF_HEAD) :]
        stated = LENGTH.search(head)
        length = int(stated[1]) if stated else 0
        while len(rest) < length:
            rest += _receive(connection)
        yield head, rest[:length]
        rest = rest[length:]


def _receive(connection: Any) -> bytes:
    received: bytes = connection.recv(RECEIVE_BYTES)
    if not received:
        raise ConnectionResetError
    return received


def _json_response(document: dict[str, Any]) -> bytes:
    body = json.dumps(document).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )


def main(options: list[str]) -> None:
    """Serve until killed."""
    if PIN in options and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {CLIENT_CORE})
    server = StreamServer(("127.0.0.1", 0), CountingReceiver(keeps=KEEP in options).serve)
    server.start()
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.address[1]}/"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])

"""A merchant's receiver: it keeps what comes, and answers as it was told."""

import re
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase

WAIT_S_MAX = 10.0
# Of a notification, more than of any answer.
BODY_BYTES_MAX = 4 * 1024 * 1024
LINE_BYTES_MAX = 1024
# Of a chunk: up to a million bytes.
SIZE = re.compile(rb"[0-9A-Fa-f]{1,5}")
TAKEN = 200
ANY_PORT = "127.0.0.1:0"


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came, and the status it was answered with. Header names are lower-case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    status: int


class Receiver:
    """What came so far, and how the next calls are answered: every one with 200 unless told."""

    def __init__(self) -> None:
        self.url = ""
        self.delay_s = 0.0
        self._calls: list[Call] = []
        self._statuses: deque[int] = deque()
        self._came = threading.Condition()

    def forget(self) -> None:
        """Begin anew, for another scenario."""
        with self._came:
            self.delay_s = 0.0
            self._calls.clear()
            self._statuses.clear()

    def answer_next(self, status: int, *, times: int) -> None:
        """Answer so many of the next calls with `status`."""
        self._statuses.extend([status] * times)

    def take(self, method: str, path: str, headers: Mapping[str, str], *, body: bytes) -> int:
        """Keep one call; the status to answer it with."""
        with self._came:
            status = self._statuses.popleft() if self._statuses else TAKEN
            self._calls.append(Call(method, path, headers, body, status))
            self._came.notify_all()
        time.sleep(self.delay_s)
        return status

    def calls(
        self, count: int = 0, *, wanted: Callable[[Call], bool] = lambda _: True
    ) -> list[Call]:
        """Every call that is wanted, oldest first: as soon as there are `count`, or after ten
        seconds.
        """

        def found() -> list[Call]:
            return [call for call in self._calls if wanted(call)]

        with self._came:
            self._came.wait_for(lambda: len(found()) >= count, WAIT_S_MAX)
            return found()


@contextmanager
def listening(listen: str = ANY_PORT, url: str = "") -> Iterator[Receiver]:
    """A receiver that listens until the end of the block, at a host and port. Raises OSError.

    `url` is the address under which it is reached from outside, where that is another.
    """
    host, _, port = listen.rpartition(":")
    receiver = Receiver()
    kind = _ServerOfSix if ":" in host else ThreadingHTTPServer
    server = kind((host.strip("[]"), int(port)), _handler_for(receiver))
    receiver.url = url or f"http://{host}:{server.server_port}/"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


class _ServerOfSix(ThreadingHTTPServer):
    """A server at an address of IPv6."""

    address_family = socket.AF_INET6


def _handler_for(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = WAIT_S_MAX
        disable_nagle_algorithm = True

        def answer_one(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = receiver.take(self.command, self.path, headers, body=self.content())
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.send_header("Location", receiver.url)
            # What comes later may be for the receiver of another scenario, at the same port.
            self.send_header("Connection", "close")
            self.end_headers()

        do_GET = do_POST = answer_one  # noqa: N815

        def content(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower().endswith("chunked"):
                return b"".join(chunks_of(self.rfile))
            length = self.headers.get("Content-Length", "")
            return self.rfile.read(min(int(length), BODY_BYTES_MAX) if length.isdecimal() else 0)

        def log_message(self, *_: object) -> None:
            """Nothing: what came is kept, and a scenario says what was expected."""

    return Handler


def chunks_of(source: BufferedIOBase) -> Iterator[bytes]:
    """The chunks of a body, as many as a body may have bytes."""
    left = BODY_BYTES_MAX
    while left > 0 and (chunk := next_chunk(source)):
        yield chunk
        left -= len(chunk)


def next_chunk(source: BufferedIOBase) -> bytes:
    """The next chunk of a body; an empty one is the last, and so is one that cannot be read."""
    size = source.readline(LINE_BYTES_MAX).partition(b";")[0].strip()
    if not SIZE.fullmatch(size):
        return b""
    content = source.read(int(size, 16))
    source.readline(LINE_BYTES_MAX)
    return content

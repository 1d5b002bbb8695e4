"""A small HTTP/1.1 listener in a thread: for receivers, and for servers that stand in for
others.
"""

import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import LineTooLong
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any
from urllib.parse import urlsplit

ANY_PORT = "127.0.0.1:0"
IDLE_S_MAX = 10.0
# More than the bursts of any sender here.
CONNECTIONS_MAX = 1000
POLL_S = 0.05
# How long a connection that is evicted may take to end; its thread is woken at once.
EVICTION_S_MAX = 0.5
# Of a webhook notification, more than of any other request.
BODY_BYTES_MAX = 4 * 1024 * 1024
# The library takes a hundred lines of 64 KiB.
HEAD_BYTES_MAX = 16 * 1024
# A body may be read beside any number of others up to a length; of longer ones some at a time.
SHORT_BODY_BYTES, LONG_BODIES_MAX = 16 * 1024, 16
LINE_BYTES_MAX = 1024
LENGTH = re.compile(r"[0-9]{1,7}")
# Of a chunk: up to a million bytes.
CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,5}")


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it was received. Header names are lower-case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ListenerResponse:
    """The response to a request; its Content-Length is added. `after` is called once it is sent."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    after: Callable[[], None] = lambda: None


Respond = Callable[[ReceivedRequest], ListenerResponse]
# The status that refuses a body before it is read, by its headers; 0 admits it.
Admit = Callable[[Message], int]


@contextmanager
def listening(
    respond: Respond,
    listen: str = ANY_PORT,
    *,
    admit: Admit = lambda headers: 0,
    idle_s_max: float = IDLE_S_MAX,
    connections_max: int = CONNECTIONS_MAX,
) -> Iterator[str]:
    """The address `http://HOST:PORT/` at which requests are answered until the end of the block.

    `listen` is a host and a port; port 0 is any free one. A connection on which nothing comes for
    `idle_s_max` seconds is closed. One above `connections_max` at a time takes the place of the one
    that has waited longest for a request or to send an answer; it is closed where none waits. So
    many long bodies are read at a time; who waits for `idle_s_max` seconds is answered 503.
    Raises OSError where the port is not free.
    """
    host, _, port = listen.rpartition(":")
    address = (host.strip("[]"), int(port))
    server = _Server(address, _Handler, is_ipv6=":" in host, connections_max=connections_max)
    server.respond, server.admit, server.idle_s_max = respond, admit, idle_s_max
    threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True).start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    """`respond`, `admit` and `idle_s_max` are those of `listening`."""

    respond: Respond
    admit: Admit
    idle_s_max: float
    daemon_threads = True
    # Notifications may come in bursts.
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        handler: type[BaseHTTPRequestHandler],
        *,
        is_ipv6: bool,
        connections_max: int,
    ):
        # Read when the socket is made.
        self.address_family = socket.AF_INET6 if is_ipv6 else socket.AF_INET
        self._free = threading.BoundedSemaphore(connections_max)
        self.waiting = WaitingConnections()
        self.long_bodies = LongBodies()
        super().__init__(address, handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print a fault; a client that goes away early is none."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start the thread of a connection, or close it where there are too many that work."""
        if self._has_room():
            self.waiting.add(request)
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def _has_room(self) -> bool:
        if self._free.acquire(blocking=False):
            return True
        return self.waiting.evict_oldest() and self._free.acquire(timeout=EVICTION_S_MAX)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one connection until its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.waiting.remove(request)
            self._free.release()


class WaitingConnections:
    """The connections that wait for their client, the one that has waited longest first. Without
    eviction so many silent ones as there may be at all would lock everybody out.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[socket.socket, None] = {}

    def add(self, connection: socket.socket) -> None:
        """It begins to wait."""
        with self._lock:
            self._waiting[connection] = None

    def remove(self, connection: socket.socket) -> None:
        """It waits no longer."""
        with self._lock:
            self._waiting.pop(connection, None)

    def evict_oldest(self) -> bool:
        """End the one that has waited longest; whether there was one."""
        with self._lock:
            oldest = next(iter(self._waiting), None)
            if oldest is None:
                return False
            del self._waiting[oldest]
            with suppress(OSError):
                # Its thread, which reads or writes, ends and closes it.
                oldest.shutdown(socket.SHUT_RDWR)
        return True


class RequestHead:
    """What is read of a connection: no more than so many bytes of the head of a request."""

    def __init__(self, source: BufferedIOBase):
        self.source = source
        self._left = 0

    def begin(self) -> None:
        """Another request follows."""
        self._left = HEAD_BYTES_MAX

    def readline(self, size: int) -> bytes:
        """The next line of a head. Raises LineTooLong, which the library answers 431."""
        if not self._left:
            raise LineTooLong("head")
        line = self.source.readline(min(size, self._left))
        self._left -= len(line)
        return line

    def close(self) -> None:
        """Close it."""
        self.source.close()


class LongBodies:
    """The places of long bodies: a thousand clients that send one byte by byte would have the
    memory of all of them kept.
    """

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(LONG_BODIES_MAX)

    @contextmanager
    def place_for(self, headers: Message, wait_s: float) -> Iterator[bool]:
        """Whether there is a place for the body of this request, until the end of the block."""
        if not _has_long_body(headers):
            yield True
        elif self._free.acquire(timeout=wait_s):
            try:
                yield True
            finally:
                self._free.release()
        else:
            yield False


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: _Server
    protocol_version, server_version, sys_version = "HTTP/1.1", "Sandgate", ""
    disable_nagle_algorithm = True

    def setup(self) -> None:
        """Begin a connection."""
        super().setup()
        self.connection.settimeout(self.server.idle_s_max)
        self.rfile: Any = RequestHead(self.rfile)

    def handle_one_request(self) -> None:
        """Read a request and answer it."""
        self.rfile.begin()
        super().handle_one_request()

    def answer_one(self) -> None:
        """Answer a request whose head was read."""
        refused = self.server.admit(self.headers) or (0 if _is_readable(self.path) else 400)
        if refused:
            # The body that was not read follows, and is no request.
            self.send(ListenerResponse(refused, {"Connection": "close"}))
            return
        with self.server.long_bodies.place_for(self.headers, self.server.idle_s_max) as has_place:
            if has_place:
                self.answer_read()
            else:
                self.send(ListenerResponse(503, {"Connection": "close"}))

    def answer_read(self) -> None:
        """Read the rest of a request, and answer it."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ReceivedRequest(self.command, self.path, headers, self.content())
        self.server.waiting.remove(self.connection)
        try:
            response = self.server.respond(request)
        finally:
            self.server.waiting.add(self.connection)
        try:
            self.send(response)
        finally:
            response.after()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer_one  # noqa: N815

    def send(self, response: ListenerResponse) -> None:
        """Send a response."""
        self.send_response(response.status)
        added = {"Content-Length": str(len(response.body))}
        if self.close_connection:
            added["Connection"] = "close"
        for name, value in {**response.headers, **added}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)

    def send_error(self, code: int, message: str | None = None, *_: object) -> None:
        """Refuse what is no request that is taken here, without repeating it: it may be the
        number of a card.
        """
        self.close_connection = True
        # A request line that was not read whole has set none of these.
        self.request_version, self.requestline, self.command = self.protocol_version, "", ""
        self.send(ListenerResponse(code))

    def content(self) -> bytes:
        """What was read of the body. Where more of it may follow, nothing else is read."""
        if self.headers.get("Transfer-Encoding", "").lower().endswith("chunked"):
            self.close_connection = True
            return b"".join(chunks_of(self.rfile.source))
        length = self.headers.get("Content-Length", "0")
        size = min(int(length), BODY_BYTES_MAX) if LENGTH.fullmatch(length) else 0
        self.close_connection |= str(size) != length
        body: bytes = self.rfile.source.read(size)
        return body

    def log_message(self, *_: object) -> None:
        """Write nothing: `respond` decides what is kept."""


def admit_length(headers: Message) -> int:
    """The status that refuses a body by its Content-Length before it is read: 400 to what is no
    number, 413 to more than a body may have; 0 for none.
    """
    length = headers.get("Content-Length") or "0"
    if not (length.isascii() and length.isdigit()):
        return 400
    is_short = LENGTH.fullmatch(length) is not None and int(length) <= BODY_BYTES_MAX
    return 0 if is_short else 413


def _has_long_body(headers: Message) -> bool:
    """Whether a body may be longer than a short one."""
    length = headers.get("Content-Length") or "0"
    is_short = LENGTH.fullmatch(length) is not None and int(length) <= SHORT_BODY_BYTES
    return "Transfer-Encoding" in headers or not is_short


def _is_readable(target: str) -> bool:
    """Whether the target of a request is an address or a path of one."""
    try:
        urlsplit(target)
    except ValueError:
        return False
    return True


def chunks_of(source: BufferedIOBase) -> Iterator[bytes]:
    """The chunks of a body, as many as a body may have bytes."""
    left = BODY_BYTES_MAX
    while left > 0 and (chunk := _next_chunk(source)):
        yield chunk
        left -= len(chunk)


def _next_chunk(source: BufferedIOBase) -> bytes:
    """The next chunk of a body; an empty one is the last, and so is one that cannot be read."""
    size = source.readline(LINE_BYTES_MAX).partition(b";")[0].strip()
    if not CHUNK_SIZE.fullmatch(size):
        return b""
    content = source.read(int(size, 16))
    source.readline(LINE_BYTES_MAX)
    return content

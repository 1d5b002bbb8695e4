"""A small HTTPS server, a thread a connection, which no client can hold up.

A request has a size and a time in which it has to be here whole; so has the handshake. Beyond the
connections that may be open, one that waits without a request is closed: first those that were
never answered, which a till is not, and among them the one that has waited longest.
"""

import io
import logging
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any, NamedTuple

from simulator.client.listener import chunks_of

LOG = logging.getLogger("sandgate.till")
POLL_S = 0.05
LENGTH_DIGITS_MAX = 10
WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "DELETE")
Address = tuple[str, int]


class HttpsLimits(NamedTuple):
    """What one client may use: bytes of a head and a body, seconds for a request, to send the
    answer, and between two requests; connections of all clients.
    """

    head_bytes: int = 16 * 1024
    body_bytes: int = 64 * 1024
    request_s: float = 10.0
    send_s: float = 10.0
    idle_s: float = 60.0
    connections: int = 64


class Reply(NamedTuple):
    """An answer: status and JSON, or nothing."""

    status: int
    body: bytes = b""


# Method, path, headers and body of a request.
Respond = Callable[[str, str, Any, bytes], Reply]
LIMITS = HttpsLimits()


@contextmanager
def serving_https(
    respond: Respond, address: Address, context: ssl.SSLContext, *, limits: HttpsLimits = LIMITS
) -> Iterator[int]:
    """The port at which requests are answered until the end of the block; 0 asks for a free one.

    Raises OSError where the port is not free.
    """
    server = _TillServer(address, respond, context, limits=limits)
    threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        server.close_all()


class _RefusedRequestError(Exception):
    """A request that is refused before it was read."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass(eq=False)
class _Peer:
    """A connection; `is_answered` while its request is carried out, `answers` counts those before;
    it waits since `since`, in seconds of the monotonic clock.
    """

    socket: socket.socket
    is_answered: bool = False
    answers: int = 0
    since: float = 0.0

    def wait(self) -> None:
        """It waits for a request, from now on."""
        self.is_answered, self.since = False, monotonic()

    def close(self) -> None:
        # The thread that reads from it gets an error, and ends.
        with suppress(OSError):
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


class _TillServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(
        self, address: Address, respond: Respond, context: ssl.SSLContext, *, limits: HttpsLimits
    ) -> None:
        # Read when the socket is made.
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._peers: list[_Peer] = []
        self._lock = threading.Lock()
        self.respond, self.context, self.limits = respond, context, limits
        super().__init__(address, _TillHandler)

    def admit(self, peer: _Peer) -> None:
        """Note a connection; one that waits makes room. Raises OSError if none can."""
        with self._lock:
            if len(self._peers) >= self.limits.connections:
                waiting = [each for each in self._peers if not each.is_answered]
                if not waiting:
                    raise ConnectionRefusedError("all connections carry out requests")
                left = min(waiting, key=lambda each: (each.answers > 0, each.since))
                self._peers.remove(left)
                left.close()
            self._peers.append(peer)

    def release(self, peer: _Peer) -> None:
        with self._lock, suppress(ValueError):
            self._peers.remove(peer)

    def close_all(self) -> None:
        with self._lock:
            for peer in self._peers:
                peer.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log what ended a connection; a client that left or was too slow is no fault."""
        if isinstance(sys.exception(), OSError):
            LOG.debug("a connection ended", exc_info=True)
        else:
            LOG.exception("a request could not be answered")


class _TimedReader(io.RawIOBase):
    """Reads a socket, no longer and no more than one request may take."""

    def __init__(self, source: socket.socket, limits: HttpsLimits) -> None:
        super().__init__()
        self._source, self._limits = source, limits
        self.expect_request()

    def readable(self) -> bool:
        return True

    def expect_request(self) -> None:
        """The next bytes begin a request: they may take a while to come."""
        self._is_begun = False
        self._until = monotonic() + self._limits.idle_s
        self._left = self._limits.head_bytes + self._limits.body_bytes

    def readinto(self, buffer: Any) -> int:
        left_s = self._until - monotonic()
        if left_s <= 0:
            raise TimeoutError("the request took too long")
        if self._left <= 0:
            raise _RefusedRequestError(431, f"expected at most {self._limits.head_bytes} bytes")
        self._source.settimeout(left_s)
        count = self._source.recv_into(buffer, min(len(buffer), self._left))
        if not self._is_begun:
            self._is_begun, self._until = True, monotonic() + self._limits.request_s
        self._left -= count
        return count


class _TillHandler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Sandgate", ""
    disable_nagle_algorithm = True
    server: _TillServer

    def setup(self) -> None:
        """Admit the connection, and shake hands, in this thread and in time."""
        self.request.settimeout(self.server.limits.request_s)
        self.request = self.server.context.wrap_socket(
            self.request, server_side=True, do_handshake_on_connect=False
        )
        self.peer = _Peer(self.request, since=monotonic())
        with ExitStack() as unless_admitted:
            unless_admitted.callback(self.close)
            self.server.admit(self.peer)
            self.request.do_handshake()
            unless_admitted.pop_all()
        super().setup()
        self.rfile.close()
        self.reader = _TimedReader(self.request, self.server.limits)
        self.rfile = io.BufferedReader(self.reader)

    def finish(self) -> None:
        super().finish()
        self.close()

    def close(self) -> None:
        self.server.release(self.peer)
        self.request.close()

    def handle_one_request(self) -> None:
        self.reader.expect_request()
        self.peer.wait()
        try:
            super().handle_one_request()
        except _RefusedRequestError as error:
            self.refuse(error)

    def answer_one(self) -> None:
        body = self.content()
        self.peer.is_answered = True
        self.send(self.server.respond(self.command, self.path, self.headers, body))
        self.peer.answers += 1

    do_GET = do_POST = do_PUT = do_PATCH = answer_one  # noqa: N815
    do_DELETE = do_HEAD = do_OPTIONS = answer_one  # noqa: N815

    def content(self) -> bytes:
        """The body of a request, which says how long it is or comes in chunks."""
        bytes_max = self.server.limits.body_bytes
        length = self.headers.get("Content-Length", "")
        if self.command in WITHOUT_BODY:
            self.close_connection = True
            return b""
        if "Transfer-Encoding" in self.headers:
            body = b"".join(chunks_of(self.rfile))
        elif length.isdecimal() and len(length) < LENGTH_DIGITS_MAX:
            body = self.rfile.read(min(int(length), bytes_max + 1))
        else:
            raise _RefusedRequestError(411, "expected a Content-Length")
        if len(body) > bytes_max:
            raise _RefusedRequestError(413, f"expected at most {bytes_max} bytes")
        return body

    def send_error(self, code: int, message: str | None = None, *_: object) -> None:
        """Refuse what is no HTTP, without repeating it."""
        self.refuse(_RefusedRequestError(code, "expected a request of HTTP/1.1"))

    def refuse(self, error: _RefusedRequestError) -> None:
        """Say why, and close: what follows is no request."""
        self.close_connection = True
        # A request line that was not read whole has set none of these.
        self.request_version, self.requestline, self.command = self.protocol_version, "", ""
        self.send(Reply(error.status, b'{"message":"%s"}' % str(error).encode()))

    def send(self, reply: Reply) -> None:
        self.request.settimeout(self.server.limits.send_s)
        self.send_response(reply.status)
        self.send_header("Content-Length", str(len(reply.body)))
        if reply.body:
            self.send_header("Content-Type", "application/json")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def log_message(self, *_: object) -> None:
        """Write nothing: the interface says what is logged."""

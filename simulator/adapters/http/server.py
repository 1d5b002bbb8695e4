"""HTTP listeners: gevent.pywsgi, changed where measurements and hostile requests showed the need.

What differs from the stock server, and why:
- TCP_NODELAY on the listener. Without it each keep-alive exchange waits for a delayed ACK, 40 ms.
- One switch after each response. A keep-alive peer whose next request is already here would be
  served again and again while the others starve.
- Bodies are read before the application is called, up to `body_bytes_max`. A broken or slow body is
  then answered here, and a chunked one looks to the application like any other.
- Every refusal has a body: `answer(status)` gives it, so that no client meets an empty 400.
- Heads are read strictly (heads.py), and nothing of a request is written to a log.
"""

import errno
import logging
import os
import socket as sockets
import ssl
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from wsgiref.types import WSGIApplication

import gevent
from gevent import Timeout
from gevent.hub import GreenletExit, get_hub
from gevent.pywsgi import Input, WSGIHandler, WSGIServer
from gevent.socket import socket

from simulator.adapters.http.heads import Head, Lines, UnreadableHeadError, read_head

LOG = logging.getLogger("sandgate.server")
BACKLOG = 2048
DRAIN_BYTES = 64 * 1024 * 1024
REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    414: "URI Too Long",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
}


class AddressInUseError(Exception):
    """Something else listens on the address; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection may take. Times in seconds, sizes in bytes.

    `body_bytes_max` is where reading stops: of a longer body the application sees the length only.
    The application itself reads, and limits, bodies that are sent to the paths `streamed`.
    """

    head_bytes_max: int = 64 * 1024
    body_bytes_max: int = 16 * 1024 * 1024
    idle_s: float = 75.0
    head_s: float = 10.0
    body_s: float = 60.0
    linger_s: float = 2.0
    streamed: frozenset[str] = frozenset()


def open_listener(
    name: str,
    address: tuple[str, int],
    application: WSGIApplication,
    *,
    answer: Callable[[int], bytes],
    limits: Limits | None = None,
    tls: ssl.SSLContext | None = None,
) -> "Listener":
    """A listener that accepts connections.

    The application finds its name in `environ["sandgate.listener"]`.
    `answer(status)` is the JSON body of an answer that never reaches the application.
    Raises AddressInUseError.
    """
    environ = {"sandgate.listener": name, "SERVER_NAME": address[0]}
    secure = {} if tls is None else {"ssl_context": tls}
    listener = Listener(
        _bound(address), application, log=None, handler_class=Handler, environ=environ, **secure
    )
    listener.name, listener.answer, listener.limits = name, answer, limits or Limits()
    listener.connections, listener.stopping = set(), False
    listener.start()
    return listener


def close_listeners(listeners: Iterable["Listener"], *, grace_s: float) -> int:
    """Stop accepting, let the requests in flight finish for `grace_s`, and say how many did not."""
    listeners = list(listeners)
    for listener in listeners:
        listener.dismiss()
    with Timeout(grace_s, False):
        while any(listener.connections for listener in listeners):
            gevent.sleep(0.01)
    left = [handler for listener in listeners for handler in listener.connections]
    gevent.killall([handler.greenlet for handler in left], timeout=1)
    return len(left)


class Listener(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """One bound address with its connections."""

    name: str
    answer: Callable[[int], bytes]
    limits: Limits
    connections: set["Handler"]
    stopping: bool

    def dismiss(self) -> None:
        """Stop accepting and close every connection that waits for its next request."""
        self.stopping = True
        self.close()
        get_hub().loop.run_callback(self._dismiss_idle)

    def _dismiss_idle(self) -> None:
        # This runs in the hub, so every handler is waiting, and one that is not busy waits for a
        # request line: none can take a request between the look at `busy` and the throw.
        for handler in list(self.connections):
            if not handler.busy:
                handler.greenlet.throw(GreenletExit)

    def wrap_socket_and_handle(self, client_socket: socket, address: tuple[str, int]) -> None:
        """Serve one TLS connection; a peer that fails or delays the handshake is dropped."""
        try:
            with Timeout(self.limits.head_s, TimeoutError):
                secured = self.wrap_socket(client_socket, **self.ssl_args)
        except OSError as error:
            LOG.debug("a TLS handshake failed: %s", error)
            return
        try:
            self.handle(secured, address)
        finally:
            secured.close()


class Handler(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """One connection and its requests. `busy` from a request line to the end of its answer."""

    server: Listener
    headers: Head
    path: str
    content_length: int | None
    busy = False
    body: bytes | None = None
    stream: Input | None = None
    result: Iterable[bytes]

    def handle(self) -> None:
        """Serve the connection until it ends."""
        self.greenlet = gevent.getcurrent()
        self.socket.settimeout(self.server.limits.idle_s)
        self.server.connections.add(self)
        try:
            super().handle()
        finally:
            self.server.connections.discard(self)

    def handle_one_request(self) -> bool | None:
        """Serve one request; true when another may follow."""
        self.body, self.stream = b"", None
        result: bool | tuple[Any, ...] | None = super().handle_one_request()
        if isinstance(result, tuple):
            self._refuse(int(result[0]))
            return None
        if self.body is None or self.stream is not None:
            self._linger()
        return result

    def handle_one_response(self) -> None:
        """Answer one request, then let the others have their turn."""
        super().handle_one_response()
        gevent.sleep(0)

    def read_requestline(self) -> str:
        """The request line; nothing when the connection is over: too long idle, server stopped."""
        self.busy = False
        if self.server.stopping:
            return ""
        with Timeout(self.server.limits.idle_s, False):
            line: str = super().read_requestline()
            self.busy = bool(line)
            return line
        return ""

    def read_request(self, raw_requestline: str) -> bool:
        """Read head and body. Raises Unreadable, and ValueError for a bad request line."""
        limits = self.server.limits
        with Timeout(limits.head_s, UnreadableHeadError(408, "the header did not arrive in time")):
            super().read_request(raw_requestline)
        self.path = _origin_form(self.path)
        if self.content_length or self.headers.chunked:
            with Timeout(
                limits.body_s, UnreadableHeadError(408, "the body did not arrive in time")
            ):
                self._read_body()
        return True

    def MessageClass(self, lines: Lines, *_: object) -> Head:
        """The header fields, read our way instead of the mail parser's."""
        if self.request_version == "HTTP/0.9":
            raise UnreadableHeadError(400, "a request line without a version")
        return read_head(
            lines, version=self.request_version, bytes_max=self.server.limits.head_bytes_max
        )

    def _headers(self) -> list[tuple[str, str]]:
        return self.headers.environ()

    def _read_body(self) -> None:
        most = self.server.limits.body_bytes_max
        if self.path.partition("?")[0].rstrip("/") in self.server.limits.streamed:
            self.stream = self._input()
            return
        if not self.headers.chunked and (self.content_length or 0) > most:
            self.body = None
            return
        try:
            body = self._input().read(most + 1 if self.headers.chunked else None)
        except UnreadableHeadError:
            raise
        except (OSError, ValueError) as error:
            raise UnreadableHeadError(
                400, "the body ended early or its chunks are malformed"
            ) from error
        self.content_length = len(body)
        self.body = body if len(body) <= most else None

    def _input(self) -> Input:
        waits = (self.headers.get("expect") or "").lower() == "100-continue"
        return Input(
            self.rfile,
            self.content_length,
            socket=self.socket if waits else None,
            chunked_input=self.headers.chunked,
        )

    def get_environ(self) -> dict[str, Any]:
        """The WSGI environment with the body at hand; one over the limit shows its length alone."""
        environ: dict[str, Any] = super().get_environ()
        environ["wsgi.input"] = self.stream or BytesIO(self.body or b"")
        self.wsgi_input = Input(None, 0)
        if self.headers.chunked and self.stream is None:
            del environ["HTTP_TRANSFER_ENCODING"]
            environ["CONTENT_LENGTH"] = str(self.content_length)
        return environ

    def finalize_headers(self) -> None:
        """Say so when the connection closes after this answer."""
        if self.server.stopping or self.body is None or self.stream is not None:
            self.close_connection = True
        super().finalize_headers()
        if self.close_connection and not any(
            name.lower() == b"connection" for name, _ in self.response_headers
        ):
            self.response_headers.append((b"Connection", b"close"))

    def process_result(self) -> None:
        """Give way between the pieces of a long answer."""
        if not isinstance(self.result, list):
            self.result = _unhurried(self.result)
        super().process_result()

    def _write_with_headers(self, data: bytes) -> None:
        # One packet for head and body: two would cost a system call here and a wake-up over there.
        self.headers_sent = True
        self.finalize_headers()
        fields = [name + b": " + value for name, value in self.response_headers]
        head = b"\r\n".join([b"HTTP/1.1 " + self.status, *fields, b"\r\n"])
        if self.response_use_chunked:
            self._sendall(head)
            self._write(data)
        else:
            self._sendall(head + data)

    def log_request(self) -> None:
        """Nothing: a request line can carry what belongs in no log."""

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes]:
        if not isinstance(ex, (ValueError, IndexError, OSError)):
            LOG.error("reading a request failed", exc_info=ex)
        # What the stock server says of a bad request line repeats it; it may hold anything.
        status, reason = (400, "its first line is malformed")
        if isinstance(ex, UnreadableHeadError):
            status, reason = ex.status, ex.reason
        LOG.info("a request was refused: %s", reason)
        return (str(status), b"")

    def _send_error_response_if_possible(self, error_code: int) -> None:
        self.close_connection = True
        if not self.response_length:
            self._send(error_code)

    def _refuse(self, status: int) -> None:
        self._send(status)
        self._linger()

    def _send(self, status: int) -> None:
        body = self.server.answer(status)
        head = (
            f"HTTP/1.1 {status} {REASONS[status]}\r\n"
            "Content-Type: application/json;charset=UTF-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        try:
            self.socket.sendall(head.encode("ascii") + (b"" if self.command == "HEAD" else body))
        except OSError as error:
            LOG.debug("the peer did not wait for its answer: %s", error)

    def _linger(self) -> None:
        # A peer that still sends would get a reset and no answer: take what comes, for a moment.
        left = DRAIN_BYTES
        try:
            with Timeout(self.server.limits.linger_s, False):
                self.socket.shutdown(sockets.SHUT_WR)
                while left > 0 and (piece := self.socket.recv(65536)):
                    left -= len(piece)
        except (OSError, ValueError) as error:
            LOG.debug("the peer left first: %s", error)


def _origin_form(target: str) -> str:
    """The path and query of a request target; a whole URL is what a proxy would send."""
    if target.startswith("/") or target == "*":
        return target
    scheme, separator, rest = target.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        raise UnreadableHeadError(400, "a request target that is no path")
    slash = rest.find("/")
    return rest[slash:] if slash >= 0 else "/"


def _bound(address: tuple[str, int]) -> socket:
    family = sockets.AF_INET6 if ":" in address[0] else sockets.AF_INET
    listener = socket(family, sockets.SOCK_STREAM)
    listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    listener.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise AddressInUseError(_advice(address, error)) from error
    listener.setblocking(False)
    return listener


def _advice(address: tuple[str, int], error: OSError) -> str:
    host, port = address
    if error.errno == errno.EADDRINUSE:
        return f"{host} port {port} is in use; choose another port, or --port 0 for any free ones"
    return f"cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}"


def _unhurried(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, and a chance for everybody else after each; closed as they are."""
    try:
        for piece in pieces:
            yield piece
            gevent.sleep(0)
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()

"""One HTTP/1.1 connection: sends a request as it is, reads the status of the response.

A general HTTP client takes three times as long for each request (measured:
load/bench/deliveries.py, docs/makers/performance.md). Only the client's response parser is used.
"""

from array import array
from fcntl import ioctl
from termios import FIONREAD

from gevent import Timeout, socket
from gevent.ssl import SSLContext
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError, HTTPResponse

from simulator.adapters.tls.link import TlsLink
from simulator.adapters.turns import Turns, give_way
from simulator.domain.webhooks.large_bodies import LargeBody

# To parse so much takes less than a millisecond, whatever it is.
RECEIVE_BYTES = 4 * 1024
# Of a longer response only the beginning is read; its connection is not used again.
RESPONSE_BYTES_MAX = 64 * 1024
FINAL_STATUS_MIN = 200
# So long after the head of a response without a length its connection may end: the status is here.
UNENDED_S = 0.5
LENGTHS = frozenset({"content-length", "transfer-encoding"})


class ResponseStatus(HTTPResponse):
    """A response of which the status alone is kept, and whether it has a length: a receiver may
    send thousands of header lines, chunks and interim responses.
    """

    def __init__(self, method: str):
        super().__init__(method)
        self._field, self._has_length = "", False

    @property
    def ends_with_connection(self) -> bool:
        """Whether the head of the final response is here, and no length of its body."""
        is_final = self.headers_complete and self.status_code >= FINAL_STATUS_MIN
        return is_final and not self._has_length

    def _on_message_begin(self) -> None:
        super()._on_message_begin()
        self._has_length = False

    def _on_header_field(self, string: str) -> None:
        self._field += string

    def _on_header_value(self, string: str) -> None:
        """Keep nothing; it comes of each field, and behind all pieces of its name."""
        self._has_length |= self._field.lower() in LENGTHS
        self._field = ""

    def _on_body(self, buf: bytearray) -> None:
        """Keep nothing."""


class HttpConnection:
    """Connects on creation to `address`, a network address. Raises OSError.

    With `tls` the server has to present a certificate for `name`. No call has a time-out. The
    pieces of a response are read in `turns`.
    """

    __slots__ = ("_socket", "_turns", "_unread")

    def __init__(
        self,
        address: str,
        port: int,
        *,
        turns: Turns,
        tls: SSLContext | None = None,
        name: str = "",
    ):
        self._turns = turns
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._socket.connect((address, port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                self._socket = TlsLink(self._socket, tls, server=name)
                self._socket.finish_handshake()
        except BaseException:
            self._socket.close()
            raise
        self._unread = array("i", [0])

    @property
    def is_reusable(self) -> bool:
        """Whether nothing was received since the last response; some servers send an error before
        they close. A connection that the server closed is noticed by the next request only.
        """
        ioctl(self._socket.fileno(), FIONREAD, self._unread)
        has_arrived = isinstance(self._socket, TlsLink) and self._socket.has_arrived
        return self._unread[0] == 0 and not has_arrived

    def send(self, request: bytes, body: LargeBody | None = None) -> None:
        """Send a whole request, and where its body is large, that in pieces: others have their turn
        before each. Raises OSError.
        """
        self._send(request)
        if body is not None:
            for piece in body.pieces():
                give_way()
                self._socket.sendall(piece)

    def _send(self, request: bytes) -> None:
        sent = self._socket.send(request)
        if sent < len(request):
            self._socket.sendall(request[sent:])

    def read_response(self, method: str) -> tuple[int, bool]:
        """The status of the response, and whether the connection may be used again.

        Raises OSError, and HTTPParseError for a response that is not HTTP.
        """
        response, read = ResponseStatus(method), 0
        while not response.message_complete or response.status_code < FINAL_STATUS_MIN:
            if read:
                self._turns.take()
            piece = self._receive(is_last=response.ends_with_connection)
            if piece is None:
                return response.status_code, False
            if not piece and not read:
                raise HTTPConnectionClosed("closed before any response")
            # An empty piece means that the server closed: it ends a response without a length.
            response.feed(piece)
            read += len(piece)
            if read > RESPONSE_BYTES_MAX:
                return _status_of_partial(response), False
        return response.status_code, not response.should_close()

    def _receive(self, *, is_last: bool) -> bytes | None:
        """The next piece; None where nothing is left but the end of the connection, and that does
        not come.
        """
        with Timeout(UNENDED_S if is_last else None, False):
            piece: bytes = self._socket.recv(RECEIVE_BYTES)
            return piece
        return None

    def close(self) -> None:
        """Close it."""
        self._socket.close()


def _status_of_partial(response: HTTPResponse) -> int:
    if not response.headers_complete:
        raise HTTPParseError(f"response headers of more than {RESPONSE_BYTES_MAX} bytes")
    return response.status_code

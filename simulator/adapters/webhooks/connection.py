"""One HTTP/1.1 connection to an address: a request goes out as it is, of the answer the status
counts.

A client for any use spends three times as long on each request (measured: load/bench/deliveries.py,
docs/makers/performance.md). Its parser of answers is used all the same.
"""

from array import array
from fcntl import ioctl
from termios import FIONREAD

from gevent import socket
from gevent.ssl import SSLContext
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError, HTTPResponse

RECEIVE_BYTES = 16 * 1024
# Of a longer answer only the beginning is read; its connection is not used again.
ANSWER_BYTES_MAX = 64 * 1024
FINAL = 200


class Connection:
    """Connects when made: to `address`, which is no name. Raises OSError.

    With `tls` it is one to the server called `name`. No call has a time limit of its own.
    """

    __slots__ = ("_socket", "_unread")

    def __init__(self, address: str, port: int, *, tls: SSLContext | None = None, name: str = ""):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._socket.connect((address, port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                self._socket = tls.wrap_socket(self._socket, server_hostname=name)
        except BaseException:
            self._socket.close()
            raise
        self._unread = array("i", [0])

    @property
    def is_fresh(self) -> bool:
        """Whether nothing came that nobody asked for, as a refusal before the other side closes.

        That it has closed shows at the next request.
        """
        ioctl(self._socket.fileno(), FIONREAD, self._unread)
        return self._unread[0] == 0

    def send(self, request: bytes) -> None:
        """Send a whole request. Raises OSError."""
        sent = self._socket.send(request)
        if sent < len(request):
            self._socket.sendall(request[sent:])

    def answer(self, method: str) -> tuple[int, bool]:
        """The status of the answer, and whether the connection may be used again.

        Raises OSError, and HTTPParseError for what is no HTTP.
        """
        response, read = HTTPResponse(method), 0
        while not response.message_complete or response.status_code < FINAL:
            piece = self._socket.recv(RECEIVE_BYTES)
            if not piece and not read:
                raise HTTPConnectionClosed("closed before any answer")
            # Nothing says that the other side closed: that ends an answer without a length.
            response.feed(piece)
            read += len(piece)
            if read > ANSWER_BYTES_MAX:
                return _beginning_of(response), False
        return response.status_code, not response.should_close()

    def close(self) -> None:
        """Close it."""
        self._socket.close()


def _beginning_of(response: HTTPResponse) -> int:
    if not response.headers_complete:
        raise HTTPParseError(f"a head of more than {ANSWER_BYTES_MAX} bytes")
    return response.status_code

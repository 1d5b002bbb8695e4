"""A socket of a client: what it reads of one answer has an end, however slowly that comes.

A time-out of a socket begins anew with each byte. A server that sends one now and then, or a head
that never ends, would hold its client for good.
"""

import io
import socket
import ssl
from contextlib import ExitStack
from socket import SOCK_STREAM
from time import monotonic
from typing import Any


def connect(host: str, port: int, *, tls: ssl.SSLContext | None, within_s: float) -> socket.socket:
    """A socket that is connected, to the first address of the host that answers; with `tls`, the
    handshake is over. All of that takes at most so long. Raises OSError.
    """
    until = monotonic() + within_s
    plain = _connected(host, port, until)
    if tls is None:
        return plain
    with ExitStack() as undone:
        undone.enter_context(plain)
        secure = tls.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        undone.enter_context(secure)
        secure.settimeout(_left(until))
        secure.do_handshake()
        undone.pop_all()
    return secure


def _connected(host: str, port: int, until: float) -> socket.socket:
    failed = OSError("expected an address, got none")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=SOCK_STREAM):
        one = socket.socket(family, kind, protocol)
        try:
            one.settimeout(_left(until))
            one.connect(address)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            one.close()
            failed = error
        else:
            return one
    raise failed


def _left(until: float) -> float:
    """The seconds until then. Raises TimeoutError where there are none."""
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


class TimedSocket:
    """A connected socket as `http.client` uses it. Reads and writes raise TimeoutError where
    nothing comes or goes for `silent_s`, and for the whole of a request and its answer together
    after `answer_s`, or `silent_s` where that is longer: heads before the answer, its body and what
    follows it come within that time.
    """

    def __init__(self, connected: socket.socket, *, silent_s: float, answer_s: float):
        self._socket = connected
        self._silent_s = silent_s
        self._whole_s = max(silent_s, answer_s)
        self.begin()

    def begin(self) -> None:
        """The next request is sent from now on."""
        self._until = monotonic() + self._whole_s
        self._socket.settimeout(self._silent_s)

    def await_more(self) -> None:
        """Let the next read or write wait as long as it may. Raises TimeoutError."""
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError(f"expected all of the answer within {self._whole_s:.3g} s")
        self._socket.settimeout(min(self._silent_s, left))

    def makefile(self, mode: str, *_: Any) -> io.BufferedReader:
        """What is read of the socket, as a file."""
        assert mode == "rb", "it is written by `sendall`"
        return io.BufferedReader(_TimedReads(self, self._socket.makefile("rb", buffering=0)))

    def sendall(self, data: Any) -> None:
        """Send all of it, as fast as it is read. Raises OSError."""
        left = memoryview(data)
        while left:
            self.await_more()
            left = left[self._socket.send(left) :]

    def fileno(self) -> int:
        """The number of the open file."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close it, once nothing reads of it any more."""
        self._socket.close()


class _TimedReads(io.RawIOBase):
    """The reads of a socket, each within the time that is left."""

    def __init__(self, timed: TimedSocket, raw: io.RawIOBase):
        self._timed = timed
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int | None:
        self._timed.await_more()
        return self._raw.readinto(into)

    def close(self) -> None:
        self._raw.close()
        super().close()

"""A socket of a client: what it reads of one answer has an end, however slowly that comes.

A time-out of a socket begins anew with each byte. A server that sends one now and then, or a head
that never ends, would hold its client for good.
"""

import io
import socket
from time import monotonic
from typing import Any


class TimedSocket:
    """A connected socket as `http.client` uses it. Reads raise TimeoutError where nothing comes for
    `silent_s`, and `answer_s` seconds after an answer must have begun.
    """

    def __init__(self, connected: socket.socket, *, silent_s: float, answer_s: float):
        self._socket = connected
        self._silent_s = silent_s
        self._answer_s = answer_s
        self.begin()

    def begin(self) -> None:
        """The next answer is to come from now on."""
        self._until = monotonic() + self._silent_s + self._answer_s
        self._socket.settimeout(self._silent_s)

    def await_more(self) -> None:
        """Let the next read wait as long as it may. Raises TimeoutError."""
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError(f"expected all of the answer within {self._answer_s:g} s")
        self._socket.settimeout(min(self._silent_s, left))

    def makefile(self, mode: str, *_: Any) -> io.BufferedReader:
        """What is read of the socket, as a file."""
        assert mode == "rb", "it is written by `sendall`"
        return io.BufferedReader(_TimedReads(self, self._socket.makefile("rb", buffering=0)))

    def sendall(self, data: Any) -> None:
        """Send all of it. Raises OSError."""
        self._socket.sendall(data)

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

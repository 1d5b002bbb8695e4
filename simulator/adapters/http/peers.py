"""Whether the client of a request is still there, without reading what it may have sent since."""

import socket
from typing import Protocol

TCP_ESTABLISHED = 1
# Systems other than Linux do not tell: there a client never counts as gone.
TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)


class HasOptions(Protocol):
    """A socket, plain or of TLS."""

    def getsockopt(self, level: int, option: int, length: int, /) -> bytes:
        """The value of an option."""


def has_left(connection: HasOptions) -> bool:
    """Whether the client has closed its end of the connection."""
    if TCP_INFO is None:
        return False
    try:
        return connection.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 1)[0] != TCP_ESTABLISHED
    except OSError:
        return True

"""The SFTP server listens; its library is loaded with the first connection."""

from typing import TYPE_CHECKING, Any

from gevent.server import StreamServer

from simulator.adapters.late import LatePart
from simulator.adapters.sftp.users import LIMITS, FindUser, SftpLimits
from simulator.adapters.turns import BACKLOG

if TYPE_CHECKING:
    from simulator.adapters.sftp.connections import SftpConnections

ACCEPTED_AT_ONCE = 4


class SftpListener:
    """The server, started; `key` is its host key as OpenSSH writes it. Raises OSError where the
    address is in use.
    """

    def __init__(
        self,
        address: tuple[str, int],
        key: str,
        find: FindUser,
        *,
        limits: SftpLimits = LIMITS,
    ):
        self._connections: LatePart[SftpConnections] = LatePart(
            _connections_class, key, find, limits
        )
        self._listener = StreamServer(address, self._serve, backlog=BACKLOG)
        self._listener.max_accept = ACCEPTED_AT_ONCE
        self._listener.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.server_port)

    def close(self) -> None:
        """Listen no more, and end every connection."""
        self._listener.stop()
        if self._connections.made is not None:
            self._connections.made.cut()

    def _serve(self, accepted: Any, peer: tuple[Any, ...]) -> None:
        self._connections.get().serve(accepted, peer)


def _connections_class() -> "type[SftpConnections]":
    from simulator.adapters.sftp.connections import SftpConnections

    return SftpConnections

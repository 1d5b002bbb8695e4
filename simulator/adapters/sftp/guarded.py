"""The socket of an SSH connection, of either side."""

from collections.abc import Callable
from contextlib import suppress
from socket import SHUT_RDWR
from typing import Any

# The library asks for so much of a packet at once; RFC 4253, 6.1 has 35,000.
PACKET_BYTES_MAX = 64 * 1024


class GuardedSocket:
    """A socket that ends where the other side sends more than it may, in a packet or in all: the
    library would collect all of it. What has come is handled in a turn of its own: the library goes
    on with messages for as long as they come.
    """

    def __init__(self, connected: Any, take_turn: Callable[[], object]):
        self._socket = connected
        self._take_turn = take_turn
        self._received = 0
        self.is_cut = False
        # Ends a greenlet that waits until it may begin with it.
        self.leave: Callable[[], object] = bool
        self.may_go_on: Callable[[int], bool] = bool
        self.is_known: Callable[[], bool] = bool
        self.waiting_bytes: Callable[[], int] = int

    def recv(self, size: int) -> bytes:
        """What came, of `size` bytes at most; nothing at the end."""
        try:
            came: bytes = b"" if size > PACKET_BYTES_MAX else self._socket.recv(size)
        except TimeoutError:
            raise
        except OSError:
            came = b""
        self._take_turn()
        self._received += len(came)
        may_go_on = not self.is_cut and (not came or self.may_go_on(self._received))
        return came if may_go_on else b""

    def cut(self) -> None:
        """End it: who reads it next gets nothing more."""
        self.is_cut = True
        self.leave()
        with suppress(OSError):
            self._socket.shutdown(SHUT_RDWR)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

"""Who may fetch files by SFTP."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic


class AccessLook:
    """Looks whether an access is still there as it was at the login, once in so many seconds."""

    def __init__(
        self, is_there: Callable[[], bool], every_s: float, now: Callable[[], float] = monotonic
    ):
        self._is_there, self._every_s, self._now = is_there, every_s, now
        self._good_until = float("-inf")

    def __call__(self) -> bool:
        if self._now() < self._good_until:
            return True
        began = self._now()
        found = self._is_there()
        if found:
            self._good_until = began + self._every_s
        return found


@dataclass(frozen=True, slots=True)
class SftpUser:
    """A merchant that may fetch files: its password (empty: none), its keys as OpenSSH writes them
    without a comment, the folder it sees, and its sandbox. `has_access` says whether it may still.
    """

    name: str
    password: str
    keys: tuple[str, ...]
    folder: Path
    sandbox: str
    has_access: Callable[[], bool] = lambda: True


FindUser = Callable[[str], SftpUser | None]


@dataclass(frozen=True, slots=True)
class SftpLimits:
    """What clients may take: connections in all, of one sandbox, of one merchant, bytes one may
    send before and after its login, and bytes of all that wait to be read. A client that only reads
    sends 30 bytes for each 32 KB it gets.
    """

    connections_max: int = 200
    connections_of_sandbox_max: int = 50
    connections_of_merchant_max: int = 32
    bytes_before_login_max: int = 128 * 1024
    bytes_max: int = 16 * 1024 * 1024
    waiting_bytes_max: int = 64 * 1024 * 1024


LIMITS = SftpLimits()

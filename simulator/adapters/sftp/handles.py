"""What the sessions of a merchant have open, over all channels of all its connections.

Each file takes one of the open files of the process, which all listeners share; a folder takes
memory. Choice: D-421.
"""

from collections import defaultdict
from collections.abc import Sized
from typing import Protocol
from weakref import WeakSet

FILES_MAX = 256
FOLDERS_MAX = 32


class MerchantSession(Protocol):
    """One session: what it has open."""

    @property
    def file_table(self) -> Sized:
        """Its files."""

    @property
    def folder_table(self) -> Sized:
        """Its folders."""


class Handles:
    """Counts what sessions have open, by merchant."""

    def __init__(self) -> None:
        self._sessions: defaultdict[str, WeakSet[MerchantSession]] = defaultdict(WeakSet)

    def add(self, merchant: str, session: MerchantSession) -> None:
        """Count what this session opens, for as long as it is there."""
        self._sessions[merchant].add(session)

    def files(self, merchant: str) -> int:
        """Its open files."""
        return sum(len(each.file_table) for each in self._sessions[merchant])

    def folders(self, merchant: str) -> int:
        """Its open folders."""
        return sum(len(each.folder_table) for each in self._sessions[merchant])

"""The port to the files of settlement: what institutes drop, and what merchants fetch."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from typing import Protocol

from simulator.domain.settlement.blocks import SettledBlock
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.pushing import PushAccess


class SettlementFiles(Protocol):
    """The folders of one sandbox."""

    def turn(self, institute: str) -> AbstractContextManager[object]:
        """Where the files of an institute are written and read: one run at a time."""

    def drop(self, institute: str) -> str:
        """The path of the folder into which an institute writes; it is there."""

    def keys(self, institute: str) -> str:
        """The path of the folder of answer keys, which no merchant sees; it is there."""

    def lines(self, institute: str, name: str, *, form: str, zone: str) -> Iterator[SettlementLine]:
        """The lines of a file of an institute. Raises SettlementFileError."""

    def hash_of(self, institute: str, name: str) -> str:
        """What a file of an institute is known again by, in hex. Raises OSError."""

    def deliver(
        self,
        merchant: str,
        blocks: Callable[[], Iterable[SettledBlock]],
        *,
        merchant_account: str,
        institute: str,
        day: date,
        lines: int,
        delivered: frozenset[str],
    ) -> tuple[str, ...]:
        """Write the records of blocks, so many `lines`, into new files that the merchant sees, and
        name them. Files of the day that are there, are not among `delivered` and hold these records
        were written before a crash: they are the ones.
        """

    def push(self, access: PushAccess, merchant: str, name: str, *, day: date) -> None:
        """Put a file that the merchant sees, of a settlement date, and its checksum on the server
        of its target. Raises PushFailedError, OSError.
        """

    def key(self, institute: str, name: str) -> bytes:
        """An answer key. Raises OSError."""


class HasSettlementFiles(Protocol):
    @property
    def settlement_files(self) -> SettlementFiles: ...

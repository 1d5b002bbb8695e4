"""The port to the files of settlement: what institutes drop, and what merchants fetch."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from typing import NamedTuple, Protocol

from simulator.domain.settlement.blocks import SettledBlock
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.pushing import PushAccess


class MerchantFile(NamedTuple):
    """Which file of a merchant: that of a merchant account, an institute and a settlement date."""

    merchant: str
    merchant_account: str
    institute: str
    day: date


class Deliveries(Protocol):
    """The files that the merchants of one run get."""

    def add(self, file: MerchantFile, block: SettledBlock, lines: int) -> None:
        """A block of so many lines of the file was booked; blocks come in the order of the file. A
        large file is written meanwhile.
        """

    def deliver(
        self,
        file: MerchantFile,
        blocks: Callable[[], Iterable[SettledBlock]],
        *,
        lines: int,
        delivered: frozenset[str],
    ) -> tuple[str, ...]:
        """Let the merchant see the records of blocks, so many `lines`, in new files, and name them.
        A file of the day that is there, is not among `delivered` and has the content of one of them
        was delivered before a crash, or before the disk was full: it is the one.
        """


class SettlementFiles(Protocol):
    """The folders of one sandbox."""

    def turn(self, institute: str) -> AbstractContextManager[object]:
        """Where the files of an institute are written and read: one run at a time, and no other
        gateway of a fleet changes the sandbox as it begins.
        """

    def drop(self, institute: str) -> str:
        """The path of the folder into which an institute writes; it is there."""

    def keys(self, institute: str) -> str:
        """The path of the folder of answer keys, which no merchant sees; it is there."""

    def lines(self, institute: str, name: str, *, form: str, zone: str) -> Iterator[SettlementLine]:
        """The lines of a file of an institute. Raises SettlementFileError."""

    def hash_of(self, institute: str, name: str) -> str:
        """What a file of an institute is known again by, in hex. Raises
        SettlementFileError.
        """

    def deliveries(self) -> AbstractContextManager[Deliveries]:
        """What the merchants of one run get."""

    def push(self, access: PushAccess, merchant: str, name: str, *, day: date) -> None:
        """Put a file that the merchant sees, of a settlement date, and its checksum on the server
        of its target. Raises PushFailedError, OSError.
        """

    def key(self, institute: str, name: str) -> Iterator[bytes]:
        """An answer key, in pieces. Raises OSError, also before the first one."""


class HasSettlementFiles(Protocol):
    @property
    def settlement_files(self) -> SettlementFiles: ...

"""The port to the files of settlement: what institutes drop, and what merchants fetch."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Protocol

from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.records import ReconciliationRecord


class SettlementFiles(Protocol):
    """The folders of one sandbox."""

    def drop(self, institute: str) -> str:
        """The path of the folder into which an institute writes; it is there."""

    def keys(self, institute: str) -> str:
        """The path of the folder of answer keys, which no merchant sees; it is there."""

    def lines(self, institute: str, name: str, *, form: str, zone: str) -> Iterator[SettlementLine]:
        """The lines of a file of an institute. Raises SettlementFileError."""

    def deliver(
        self,
        merchant: str,
        records: Iterable[ReconciliationRecord],
        *,
        merchant_account: str,
        institute: str,
        day: date,
        delivered: frozenset[str],
    ) -> tuple[str, ...]:
        """Write records into new files that the merchant sees, and name them. A file of the day
        that is there and is not among `delivered` was written before a crash: it is the one.
        """

    def key(self, institute: str, name: str) -> bytes:
        """An answer key. Raises OSError."""


class HasSettlementFiles(Protocol):
    @property
    def settlement_files(self) -> SettlementFiles: ...

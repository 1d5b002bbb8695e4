"""Settlement as a merchant meets it: bank days pass, and files are fetched by SFTP."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from features.reconciling.file_server import FileServer, open_file_server
from features.reconciling.settlement_csv import SettledRecord, read_records
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.target.records import Target
from simulator.client import Control


@dataclass
class SettledMerchant:
    """A merchant whose movements an institute settles; `runs`, `files` and `records` are those of
    the bank days that were settled last.
    """

    merchant: Merchant
    control: Control
    server: FileServer
    folder: Path
    institute: str
    runs: list[Mapping[str, Any]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    other: Merchant | None = None

    def pass_time(self, span: str) -> None:
        """Advance the clock after all work in progress has ended."""
        self.control.drain(self.merchant.sandbox)
        self.control.advance_clock(self.merchant.sandbox, by=span)

    def settle(self, date: str | None = None, *, by_all: bool = False) -> None:
        """Settle the bank days that are over, or once more one that was refused, by one institute
        or by all, and fetch the files. Raises FileServerError.
        """
        asked = {"institute": None if by_all else self.institute, "date": date}
        self.runs = self.control.settle(self.merchant.sandbox, **asked)
        self.files = self.server.fetch_new(self.folder)

    @property
    def records(self) -> list[SettledRecord]:
        """The lines of the files. Raises SettlementCsvError."""
        return [record for file in self.files for record in read_records(file)]

    def records_for(self, judge: Judge) -> list[SettledRecord]:
        """The same, of which there has to be one: none obey any rule."""
        found = self.records
        judge.holds("lines of the file", NO_ANSWER, bool(found), expected="one or more", came="0")
        return found

    def sums(self) -> list[Mapping[str, Any]]:
        """What the gateway says that each run posted for the merchant account."""
        shown = (self.control.settlement(self.merchant.sandbox, run["id"]) for run in self.runs)
        return [account for run in shown for account in run["accounts"]]


def settled_merchant(
    target: Target, control: Control, merchant: Merchant, *, institute: str, folder: Path
) -> SettledMerchant:
    """A merchant that may fetch its files; they are kept in `folder`."""
    server = open_file_server(target.sftp, control, merchant.sandbox, merchant.entity)
    return SettledMerchant(merchant, control, server, folder, institute)

"""Settlement as a merchant meets it: bank days pass, and files are fetched by SFTP."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Any

import paramiko

from features.reconciling.settlement_csv import SettledRecord, read_records
from features.support.merchant import Merchant
from features.target.records import Target
from simulator.client import Control

INBOX = "reconciliation"
TIMEOUT_S = 30


class FileServer:
    """The server of settlement files of a target, as one merchant sees it."""

    def __init__(self, address: str, user: str, password: str):
        listener, _, folder = address.partition("/")
        host, _, port = listener.rpartition(":")
        self._where = host.strip("[]"), int(port)
        self._folder = PurePosixPath("/") / folder / INBOX
        self._user, self._password = user, password

    def fetch_new(self, into: Path) -> list[Path]:
        """Fetch the reconciliation files that are not in `into` yet, in the order of their names;
        return where they are. Raises OSError, paramiko.SSHException.
        """
        with self._connected() as sftp:
            fetched = []
            for place in sorted(_files_below(sftp, self._folder)):
                kept = into / place.name
                if place.suffix == ".csv" and not kept.exists():
                    sftp.get(str(place), str(kept))
                    fetched.append(kept)
            return fetched

    @contextmanager
    def _connected(self) -> Iterator[paramiko.SFTPClient]:
        transport = paramiko.Transport(self._where)
        try:
            transport.banner_timeout = transport.auth_timeout = TIMEOUT_S
            transport.connect(username=self._user, password=self._password)
            sftp = paramiko.SFTPClient.from_transport(transport)
            assert sftp is not None, "a connection that is open has channels"
            yield sftp
        finally:
            transport.close()


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

    def pass_time(self, span: str) -> None:
        """Advance the clock after all work in progress has ended."""
        self.control.drain(self.merchant.sandbox)
        self.control.advance_clock(self.merchant.sandbox, by=span)

    def settle(self, date: str | None = None) -> None:
        """Settle the bank days that are over, or once more one that was refused, and fetch the
        files. Raises OSError, paramiko.SSHException.
        """
        asked = {"institute": self.institute, "date": date}
        self.runs = self.control.settle(self.merchant.sandbox, **asked)
        self.files = self.server.fetch_new(self.folder)

    @property
    def records(self) -> list[SettledRecord]:
        """The lines of the files. Raises SettlementCsvError."""
        return [record for file in self.files for record in read_records(file)]

    def sums(self) -> list[Mapping[str, Any]]:
        """What the gateway says that each run posted for the merchant account."""
        shown = (self.control.settlement(self.merchant.sandbox, run["id"]) for run in self.runs)
        return [account for run in shown for account in run["accounts"]]


def settled_merchant(
    target: Target, control: Control, merchant: Merchant, *, institute: str, folder: Path
) -> SettledMerchant:
    """A merchant that may fetch its files; they are kept in `folder`."""
    password = token_hex()
    access = control.set_sftp_access(merchant.sandbox, merchant.entity, password=password)
    server = FileServer(target.sftp, access["user"], password)
    return SettledMerchant(merchant, control, server, folder, institute)


def _files_below(sftp: paramiko.SFTPClient, folder: PurePosixPath) -> Iterator[PurePosixPath]:
    """The files of each month; none where nothing was delivered yet."""
    try:
        months = sftp.listdir(str(folder))
    except FileNotFoundError:
        return
    for month in months:
        yield from (folder / month / name for name in sftp.listdir(str(folder / month)))

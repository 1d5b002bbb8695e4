"""The SFTP server of settlement files, as a merchant uses it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from secrets import token_hex

from features.reconciling.sftp_client import ENDED, SftpSession, sftp_session
from simulator.client import Control

INBOX = "reconciliation"
SAID_LENGTH_MAX = 500


class FileServerError(OSError):
    """The files cannot be fetched; the message says in one line what was expected and what came."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much a server may send at one time: the bytes of all files together, their number, and
    how long it may take and be silent.
    """

    bytes_max: int = 16 * 1024 * 1024
    files_max: int = 10_000
    whole_s: float = 100.0
    silent_s: float = 30.0


# A few movements, as of a scenario; a load run and a whole day have more.
SMALL = FetchLimits()
LARGE = FetchLimits(bytes_max=1024 * 1024 * 1024, whole_s=1800.0)


class FileServer:
    """The server of settlement files of a target, as one merchant sees it."""

    def __init__(self, address: str, user: str, password: str):
        listener, _, folder = address.partition("/")
        host, _, port = listener.rpartition(":")
        self._where = host.strip("[]"), int(port)
        self._folder = PurePosixPath("/") / folder / INBOX
        self._user, self._password = user, password

    def fetch_new(self, into: Path, limits: FetchLimits = SMALL) -> list[Path]:
        """Fetch the reconciliation files that are not in `into` yet, in the order of their names;
        return where they are. Raises FileServerError.
        """
        times = {"silent_s": limits.silent_s, "whole_s": limits.whole_s}
        try:
            with sftp_session(self._where, self._user, self._password, **times) as sftp:
                return self._fetch(sftp, into, limits)
        except ENDED as error:
            raise FileServerError(
                f"expected settlement files by SFTP, got: {_said(error)}"
            ) from None

    def _fetch(self, sftp: SftpSession, into: Path, limits: FetchLimits) -> list[Path]:
        fetched, left = list[Path](), limits.bytes_max
        for place in sorted(_files_below(sftp, self._folder, limits.files_max)):
            kept = into / place.name
            if place.suffix == ".csv" and not kept.exists():
                left -= _save(sftp, place, kept, left)
                fetched.append(kept)
        return fetched


def _said(error: Exception) -> str:
    """What an error says, in one line; that of a silent server says nothing."""
    text = " ".join(str(error).split())[:SAID_LENGTH_MAX]
    return text or ("timed out" if isinstance(error, TimeoutError) else type(error).__name__)


def open_file_server(address: str, control: Control, sandbox: str, merchant: str) -> FileServer:
    """The files of a merchant, who may log in by a new password. Raises ControlError."""
    password = token_hex()
    access = control.set_sftp_access(sandbox, merchant, password=password)
    return FileServer(address, access["user"], password)


def _save(sftp: SftpSession, place: PurePosixPath, kept: Path, bytes_max: int) -> int:
    """Fetch one file; of one that does not come whole nothing stays."""
    try:
        with kept.open("wb") as file:
            return sftp.save(str(place), file, bytes_max)
    except ENDED:
        kept.unlink(missing_ok=True)
        raise


def _files_below(sftp: SftpSession, folder: PurePosixPath, most: int) -> Iterator[PurePosixPath]:
    """The files of each month; none where nothing was delivered yet."""
    try:
        months = sftp.names_in(str(folder), most)
    except FileNotFoundError:
        return
    for month in months:
        names = sftp.names_in(str(folder / month), most)
        most -= len(names)
        yield from (folder / month / name for name in names)

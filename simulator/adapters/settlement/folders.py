"""The folders of settlement of one sandbox, below the data folder.

SANDBOX/clearing/INSTITUTE/drop     what an institute writes
SANDBOX/clearing/INSTITUTE/keys     answer keys, which no merchant sees
SANDBOX/outgoing/MERCHANT/reconciliation/YYYY-MM    what a merchant fetches
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from errno import ENOENT
from pathlib import Path
from typing import Protocol

from gevent.lock import BoundedSemaphore

from simulator.adapters.settlement.csv_files import checksum_of
from simulator.adapters.settlement.deliveries import MerchantDeliveries
from simulator.adapters.settlement.reading import hash_of, read_lines
from simulator.adapters.settlement.worker import read_lines_apart
from simulator.adapters.sftp.outgoing import RECONCILIATION, outgoing_folder
from simulator.adapters.store.commit import in_thread
from simulator.domain.core.errors import DiskError
from simulator.domain.ports.settlement import MerchantFile
from simulator.domain.settlement.file_names import is_file_name
from simulator.domain.settlement.lines import SettlementFileError, SettlementLine
from simulator.domain.settlement.pushing import PushAccess, PushFailedError

CLEARING = "clearing"
# A process takes half a second to start.
APART_FROM, APART_FROM_BYTES = 5_000, 1_000_000
PIECE_BYTES = 64 * 1024


class Pusher(Protocol):
    """Puts files on the server of a target."""

    def push(self, access: PushAccess, files: tuple[Path, ...]) -> None:
        """Put them there. Raises PushFailedError."""


class NoPusher:
    """For programs that reach no other server."""

    def push(self, access: PushAccess, files: tuple[Path, ...]) -> None:
        """Refuse it."""
        raise PushFailedError("expected a gateway that pushes files, got a program that does not")


class SettlementFolders:
    """The folders of the sandbox; others have their turn in each `pause`. What is worth a process
    of its own is done by one: files of so many lines, or bytes. `alone` returns when no other
    gateway changes the sandbox any more.
    """

    def __init__(
        self,
        data: Path,
        sandbox: str,
        pause: Callable[[], object],
        *,
        alone: Callable[[], object] = lambda: None,
        pusher: Pusher | None = None,
        apart_from: int = APART_FROM,
        apart_from_bytes: int = APART_FROM_BYTES,
    ):
        self._data, self._sandbox, self._pause = data, sandbox, pause
        self._apart_from, self._apart_from_bytes = apart_from, apart_from_bytes
        self._alone = alone
        self._pusher = pusher or NoPusher()
        self._turns: dict[str, AbstractContextManager[object]] = {}

    @contextmanager
    def turn(self, institute: str) -> Iterator[None]:
        """Two runs of an institute at once would write the same files. A gateway whose clock is
        behind stores nothing any more that is of a bank day which is over. Choice: D-388.
        Raises EpochEndedError where the sandbox is deleted or emptied meanwhile, and DiskError.
        """
        with self._turns.setdefault(institute, BoundedSemaphore(1)):
            self._alone()
            try:
                yield
            except OSError as error:
                # The folders go with the epoch, and this says so.
                self._pause()
                raise DiskError(
                    f"settlement of {institute}", str(error.strerror or error)
                ) from error

    def drop(self, institute: str) -> str:
        """The folder into which an institute writes."""
        return str(self._folder(institute, "drop"))

    def keys(self, institute: str) -> str:
        """The folder of answer keys."""
        return str(self._folder(institute, "keys"))

    def lines(self, institute: str, name: str, *, form: str, zone: str) -> Iterator[SettlementLine]:
        """The lines of a file of an institute. Raises SettlementFileError."""
        path = self._dropped(institute, name)
        if path.stat().st_size >= self._apart_from_bytes:
            return read_lines_apart(path, form, zone)
        return read_lines(path, form, zone, pause=self._pause)

    def hash_of(self, institute: str, name: str) -> str:
        """What a file of an institute is known again by. Raises SettlementFileError."""
        try:
            digest: str = in_thread(hash_of, self._dropped(institute, name))
        except OSError as error:
            raise SettlementFileError(
                ascii(name), 0, expected="a file that can be read", got=error.strerror or "none"
            ) from None
        return digest

    def deliveries(self) -> MerchantDeliveries:
        """What the merchants of a run get."""
        return MerchantDeliveries(self._folder_of, self._pause, apart_from=self._apart_from)

    def push(self, access: PushAccess, merchant: str, name: str, *, day: date) -> None:
        """Put a file and its checksum on the server of a target."""
        path = _inside(self._delivered(merchant, day), name)
        self._pusher.push(access, (checksum_of(path), path))

    def key(self, institute: str, name: str) -> Iterator[bytes]:
        """An answer key, in pieces."""
        path = _inside(self._folder(institute, "keys"), name)
        return _pieces_of(path, path.stat().st_size)

    def _dropped(self, institute: str, name: str) -> Path:
        return _inside(self._folder(institute, "drop"), name)

    def _folder_of(self, file: MerchantFile) -> Path:
        return self._delivered(file.merchant, file.day)

    def _delivered(self, merchant: str, day: date) -> Path:
        outgoing = outgoing_folder(self._data, self._sandbox, merchant)
        return outgoing / RECONCILIATION / f"{day:%Y-%m}"

    def _folder(self, institute: str, name: str) -> Path:
        slug = re.sub(r"[^a-z0-9]+", "-", institute.lower()).strip("-")
        folder = self._data / self._sandbox / CLEARING / slug / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder


def _pieces_of(path: Path, size: int) -> Iterator[bytes]:
    """A file that does not change any more. It is open only while a piece is read: a client may
    take hours for them, and there are not as many files as clients.
    """
    for place in range(0, size, PIECE_BYTES):
        with path.open("rb", buffering=0) as file:
            file.seek(place)
            piece = file.read(PIECE_BYTES)
        yield piece


def _inside(folder: Path, name: str) -> Path:
    """The file with this name in a folder: a name that a record brought from elsewhere leads to no
    other place. Raises FileNotFoundError.
    """
    if not is_file_name(name):
        raise FileNotFoundError(ENOENT, "no name of a file", ascii(name))
    return folder / name

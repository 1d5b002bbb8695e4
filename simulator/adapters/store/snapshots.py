"""Snapshot files on their way out or in: spooled, measured and checked."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool

from simulator.adapters.background import run_in
from simulator.adapters.store import files, lines
from simulator.adapters.store.bodies import RECORD_BYTES_MAX
from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.kinds import SERVER_RECORDS, Codec, codecs
from simulator.adapters.store.used_logs import mark_used
from simulator.adapters.turns import OwnersTurns, Slices, in_slices
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import (
    CrowdedSandboxError,
    CrowdedSnapshotsError,
    DamagedLogError,
    DiskError,
    InvalidInputError,
)
from simulator.domain.merchants.restored import refuse_invalid_record
from simulator.domain.ports.server import Readable, Refusing, SnapshotFile
from simulator.domain.settlement.restored import refuse_invalid_settlement
from simulator.domain.snapshots import HEADER_BYTES_MAX, SNAPSHOT_BYTES_MAX

Result = TypeVar("Result")
# Of each snapshot: thousands of clients may send or take one at once.
IN_MEMORY_BYTES_MAX = 128 * 1024
PIECE_BYTES = 256 * 1024
WRITTEN_BYTES = 64 * 1024
# Of all at once: slow clients may not fill the disk with them.
SPOOLED_BYTES_MAX = 4 * SNAPSHOT_BYTES_MAX
# Of all sandboxes; one of each at most, for which so many more wait.
TAKEN_AT_ONCE = 2
WAITING_MAX = 8
# Their own: in the hub's pool the commits of everybody would wait behind them.
THREADS = 2
# More than the longest unit: a sandbox with every merchant, channel and token it may have.
LINE_BYTES_MAX = 16 * 1024 * 1024
SHOWN_LENGTH = 40
OTHER_BUILD = "another build of Sandgate wrote it, or it was changed"
WHOLE = "the whole file"
# What follows the log where files go along; no line of a log is like it.
FILES = b'{"files":1}\n'


class Spool(NamedTuple):
    """Implements ports.SnapshotFile: what follows the header line of a snapshot, spooled. A long
    one is used in a `turn`.
    """

    header: bytes
    content: IO[bytes]
    size: int
    sha256: str
    turn: AbstractContextManager[object] = nullcontext()

    def alone(self) -> AbstractContextManager[object]:
        """Held while a long snapshot is restored, so that no other long one is meanwhile: the line
        of a sandbox takes many times its length in memory. A short one waits for none.
        """
        return self.turn if self.size > IN_MEMORY_BYTES_MAX else nullcontext()

    def first_line(self) -> bytes:
        """The line of the sandbox."""
        self.content.seek(0)
        return self._line()

    def pieces(self) -> Iterator[bytes]:
        """Everything after the header; the spool is gone after the last piece."""
        with self.content as content:
            content.seek(0)
            yield from iter(lambda: content.read(PIECE_BYTES), b"")

    def log_lines(self) -> Iterator[bytes]:
        """The lines of the log; others get their turn between them."""
        return in_slices(self._log_lines())

    def log_pieces(self) -> Iterator[bytes]:
        """The log in pieces."""
        return self._log_lines()

    def file_lines(self) -> Iterator[bytes]:
        """The lines after the log, of files that go along."""
        for _ in self.log_lines():
            pass
        return in_slices(iter(self._line, b""))

    def close(self) -> None:
        """Give it back."""
        self.content.close()

    def _log_lines(self) -> Iterator[bytes]:
        self.first_line()
        while (line := self._line()) and line != FILES:
            yield line

    def _line(self) -> bytes:
        line = self.content.readline(LINE_BYTES_MAX + 1)
        if len(line) > LINE_BYTES_MAX:
            raise InvalidInputError(
                "body", f"lines of at most {LINE_BYTES_MAX} bytes", "a longer one"
            )
        return line


class Spools:
    """Snapshots on their way, in files of `folder`: all of them have at most so many bytes at once,
    but one that is alone may have more.
    """

    def __init__(self, folder: Path, *, bytes_max: int | None = None):
        self._folder = folder
        self._bytes_max = SPOOLED_BYTES_MAX if bytes_max is None else bytes_max
        # Held while a long one is restored: each takes the memory of its lines.
        self._turn = BoundedSemaphore(1)
        self._copying = BoundedSemaphore(1)
        self._takes = OwnersTurns(TAKEN_AT_ONCE)
        self._pool = ThreadPool(THREADS)
        # Where a client leaves, its spool is gone without being closed.
        self._sizes: WeakKeyDictionary[IO[bytes], int] = WeakKeyDictionary()

    @contextmanager
    def taking(self, identity: str) -> Iterator[None]:
        """Held while a snapshot of this sandbox is taken. Raises CrowdedSandboxError where many
        wait for it. Choice: D-358.
        """
        if self._takes.waiting(identity) >= WAITING_MAX:
            raise CrowdedSandboxError("snapshots that wait", WAITING_MAX)
        with self._takes.taken(identity):
            yield

    def written(self, first: bytes, log: Iterable[bytes]) -> Spool:
        """A spool of the line of a sandbox and the pieces of its log. Raises
        CrowdedSnapshotsError, DiskError.
        """
        return self._spooled(b"", _joined(chain((first,), log)))

    @contextmanager
    def copied(self, log: Iterable[bytes]) -> Iterator[Spool]:
        """A spool of the log of a copy. Of many copies that are wanted at once one is made after
        the other: else the first would be there no sooner than the last. Raises
        CrowdedSnapshotsError, DiskError.
        """
        with self._copying, closing(self.written(b"\n", log)) as spool:
            yield spool

    def received(self, stream: Readable) -> Spool:
        """A spool of what a client sends, its first line apart; long ones take turns. Raises
        InvalidInputError, CrowdedSnapshotsError, DiskError.
        """
        pieces = _pieces_of(stream)
        header = b""
        while b"\n" not in header and len(header) <= HEADER_BYTES_MAX:
            piece = next(pieces, None)
            if piece is None:
                break
            header += piece
        line, _, rest = header.partition(b"\n")
        return self._spooled(line, chain((rest,), pieces))._replace(turn=self._turn)

    def aside(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` returns, or raises, in a thread of snapshots."""
        return run_in(self._pool, work, *arguments)

    def _spooled(self, header: bytes, pieces: Iterable[bytes]) -> Spool:
        content = SpooledTemporaryFile(  # noqa: SIM115
            max_size=IN_MEMORY_BYTES_MAX, dir=str(self._folder)
        )
        digest, size = sha256(), 0
        with ExitStack() as undo:
            undo.callback(content.close)
            for piece in pieces:
                size += len(piece)
                self._count(content, size)
                self._write(content, piece)
                digest.update(piece)
            undo.pop_all()
        return Spool(header, content, size, digest.hexdigest())

    def _write(self, content: IO[bytes], piece: bytes) -> None:
        try:
            run_in(self._pool, content.write, piece)
        except OSError as error:
            raise DiskError(self._folder, str(error)) from error

    def _count(self, content: IO[bytes], size: int) -> None:
        """Let a spool have so many bytes. Raises CrowdedSnapshotsError."""
        open_ones = (each for each in self._sizes if each is not content and not each.closed)
        others = sum(self._sizes[each] for each in open_ones)
        if others and others + size > self._bytes_max:
            raise CrowdedSnapshotsError(self._bytes_max)
        self._sizes[content] = size


def check_log(spool: SnapshotFile, refuse: Refusing | None = None) -> None:
    """Raise InvalidInputError unless every line of the log is whole and holds records of a sandbox
    as this version stores them, which `refuse` takes too.
    """
    known = {
        each.shape.table: each for kind, each in codecs().items() if kind not in SERVER_RECORDS
    }

    slices = Slices()

    def check(line: lines.LogLine) -> None:
        for table, identity, body in lines.changes_in(line):
            if bytes(body) != lines.REMOVED:
                _check_record(known[table], identity, body, refuse)
            slices.end_if_long()

    try:
        good = lines.recover(Path("snapshot"), spool.log_lines(), check)
    except KeyError as error:
        got = beginning_of(ascii(error.args[0]), SHOWN_LENGTH)
        raise InvalidInputError("body", "tables of a sandbox", f"{got}; {OTHER_BUILD}") from None
    except (DamagedLogError, ValueError, RecursionError, msgspec.DecodeError) as error:
        got = beginning_of(f"{error}", 200)
        raise InvalidInputError(
            "body", "records this version knows", f"{got}; {OTHER_BUILD}"
        ) from None
    if not good or good != sum(map(len, spool.log_lines())):
        raise InvalidInputError("body", "a log of whole lines", "one that is cut short")


def _check_record(codec: Codec, identity: str, body: bytes, refuse: Refusing | None) -> None:
    content = bytes(body)
    if len(content) > RECORD_BYTES_MAX:
        raise InvalidInputError("record", f"at most {RECORD_BYTES_MAX} bytes", "more")
    serial, record = codec.read(content)
    refuse_invalid_record(identity, serial, record)
    refuse_invalid_settlement(record)
    if refuse is not None:
        refuse(record)
    keys = codec.keys_of(record)
    for index, key in zip(codec.shape.indexes, keys, strict=True):
        # Between the parts of a key stands a NUL, and in none of them.
        if key is not None and key.count("\0") != len(index.within):
            names = " or ".join(each.rpartition(".")[2] for each in index.within)
            raise InvalidInputError(f"record.{names}", "text without NUL", "a NUL")


def write_log(spool: SnapshotFile, path: Path) -> None:
    """The log of a spool as the file `path`, durably. Raises DiskError."""
    try:
        in_thread(_write_log, spool, path)
    except OSError as error:
        raise DiskError(path, str(error)) from error


def _write_log(spool: SnapshotFile, path: Path) -> None:
    disk, draft = LocalDisk(), path.with_name(path.name + ".restored")
    disk.remove(draft)
    handle = files.create(disk, draft, b"")
    try:
        for piece in spool.log_pieces():
            disk.append(handle, piece)
        disk.sync(handle)
    finally:
        disk.close(handle)
    files.replace(disk, draft, path)
    mark_used(disk, path)


def _joined(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, short ones together: each is written in a thread, which takes longer than it."""
    parts = list[bytes]()
    size = 0
    for each in pieces:
        parts.append(each)
        size += len(each)
        if size >= WRITTEN_BYTES:
            yield b"".join(parts)
            parts.clear()
            size = 0
    yield b"".join(parts)


def _pieces_of(stream: Readable) -> Iterator[bytes]:
    left = SNAPSHOT_BYTES_MAX
    while True:
        try:
            piece = stream.read(PIECE_BYTES)
        except (OSError, ValueError):
            raise InvalidInputError("body", WHOLE, "a part of it: the connection ended") from None
        if not piece:
            return
        left -= len(piece)
        if left < 0:
            raise InvalidInputError("body", f"at most {SNAPSHOT_BYTES_MAX} bytes", "more")
        yield piece

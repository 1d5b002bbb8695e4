"""The tables of one log: all of them in memory, every change a line that costs only itself."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

import gevent
import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.commit import Durability, GroupCommit, in_thread
from simulator.adapters.store.compaction import chunks_of, compact, copy_of
from simulator.adapters.store.documents import Change, Documents, TableShape
from simulator.adapters.store.files import Disk, LocalDisk
from simulator.adapters.store.integrity import UNREADABLE, damage_in_log
from simulator.adapters.store.progress import Progress, in_parts
from simulator.adapters.store.used_logs import mark_of, mark_used, refuse_lost
from simulator.adapters.turns import LONG_WORK
from simulator.domain.core.errors import DamagedRecordError, DiskError
from simulator.domain.core.flushes import Flush

COMPACTION_FLOOR_BYTES = 1 << 20
COMPACTION_FACTOR = 2
# Of one sandbox. Choice: D-699.
STORED_BYTES_MAX = 1 << 30

_ENCODER = msgspec.json.Encoder()
SIZE_OF = attrgetter("size")


class LogStorage:
    """The tables of one log file, read when made.

    A damaged log raises DamagedLogError, and so does a record whose keys cannot be read; a torn
    end, never acknowledged, is cut off (`cut_bytes`), and DiskError raised where the disk refuses
    that. Tables not named in `shapes` have no indexes; `tables` are for reading, and change through
    `commit` only. A log is written anew when it is longer than `compaction_floor` bytes and than
    twice what is live.
    """

    def __init__(
        self,
        path: Path,
        *,
        shapes: Sequence[TableShape] = (),
        disk: Disk | None = None,
        durability: Durability = Durability.DISK,
        compaction_floor: int = COMPACTION_FLOOR_BYTES,
    ):
        self._disk = disk or LocalDisk()
        self.tables = {shape.table: Documents(shape) for shape in shapes}
        self._serial = 0
        self._buffer = bytearray()
        self._compaction: gevent.Greenlet | None = None
        self._compaction_floor = compaction_floor
        self.cut_bytes = 0
        size = 0 if durability is Durability.MEMORY else self._recover(path, durability)
        self._commit = GroupCommit(self._disk, path, size=size, durability=durability)

    @property
    def size(self) -> int:
        """Length of the log in bytes."""
        return self._commit.size

    @property
    def is_full(self) -> bool:
        """Whether its documents, which are in memory, take all the bytes they may."""
        return self._live_bytes() > STORED_BYTES_MAX

    @property
    def failure(self) -> str | None:
        """What the disk answered to the write after which nothing is taken any more, or None."""
        return self._commit.failed

    @property
    def failed_writes(self) -> int:
        """How many writes failed since the log was read."""
        return self._commit.failed_writes

    @property
    def idle(self) -> bool:
        """Whether nothing is pending and nothing is being compacted."""
        return self._commit.idle and self._compaction is None

    def documents(self, table: str) -> Documents:
        """The documents of a table, which need not be one of `shapes`."""
        documents = self.tables.get(table)
        if documents is None:
            documents = self.tables[table] = Documents(TableShape(table))
        return documents

    def next_serial(self) -> int:
        """The serial of a new document."""
        self._serial += 1
        return self._serial

    def body(
        self, document: Any, *, serial: int, encoder: msgspec.json.Encoder = _ENCODER
    ) -> bytes:
        """The bytes that are kept for a document."""
        # Copied to its exact size: what an encoder answers may sit in a larger piece of memory.
        encoder.encode_into((serial, document), self._buffer)
        return bytes(self._buffer)

    def commit(self, changes: Sequence[Change]) -> Flush:
        """Make the changes, all or none; reads see them at once. What makes them durable.

        Raises DiskError, before anything is changed, after a write failed.
        """
        self._commit.check()
        back = [change.documents.make(change) for change in changes]
        changed = [(each.documents.shape.table, each.identity, each.body) for each in changes]
        flush = self._commit.take(lines.unit_of(changed), partial(_make_backwards, back))
        # New documents alone leave nothing dead behind.
        if self._commit.size > self._compaction_floor and any(each.body for each in back):
            self._compact_if_worth_it()
        return flush

    def settle(self) -> None:
        """Return when everything that stands is durable; DiskError if it never will be."""
        self._commit.settle()

    def reopen(self) -> None:
        """Take changes again after DiskError. Raises OSError while the disk still refuses."""
        self._commit.reopen()

    def close(self) -> None:
        """Write what is pending and give the file back."""
        if self._compaction is not None:
            self._compaction.join()
        self._commit.close()

    def compact(self) -> bool:
        """Write the log anew without what is dead, and return then; whether that was done."""
        is_done: bool = self._compacting().get()
        return is_done

    def copied(self) -> Iterator[bytes]:
        """The lines of a log that has what is held at the moment of the call, in pieces."""
        header = lines.header_line()
        return chain((header,), chunks_of(self._live_units(), place=len(header)))

    def fill(self, log: Iterable[bytes]) -> None:
        """Hold what the lines of a log tell; nothing may be held before."""
        lines.recover(self._commit.path, log, self._restore)
        for held in self.tables.values():
            self._serial = max(self._serial, held.reindex(list(held.bodies)))

    def _compact_if_worth_it(self) -> None:
        if self._commit.size > COMPACTION_FACTOR * self._live_bytes():
            self._compacting()

    def _live_bytes(self) -> int:
        return sum(map(SIZE_OF, self.tables.values()))

    def _compacting(self) -> gevent.Greenlet:
        if self._compaction is None:
            self._compaction = gevent.spawn(self._compact)
        return self._compaction

    def _compact(self) -> bool:
        try:
            done = compact(self._commit, self._live_units(), self._disk)
        finally:
            self._compaction = None
        if not done:
            # Not again at every save of a disk that has no room for it.
            self._compaction_floor = COMPACTION_FACTOR * self._commit.size
        return done

    def _live_units(self) -> Iterator[bytes]:
        # The dicts are copied at once, so that what is live is that of one moment.
        copies = [(name, held.bodies.copy()) for name, held in self.tables.items()]
        return (
            lines.unit_of([(name, identity, body)])
            for name, bodies in copies
            for identity, body in bodies.items()
        )

    def _recover(self, path: Path, durability: Durability) -> int:
        refuse_lost(self._disk, path)
        progress = Progress(path)
        parts = progress.in_parts(self._disk.lines(path), self._disk.size(path))
        raw_lines = chain.from_iterable(map(_after_pause, parts))
        good = lines.recover(path, raw_lines, self._restore)
        self._reindex(path, progress)
        length = self._disk.size(path)
        self.cut_bytes = length - good
        try:
            # Also without a torn end: no power cut may take back what is built upon from here on,
            # neither its bytes nor its name.
            if length and (self.cut_bytes or durability is Durability.DISK):
                in_thread(self._disk.truncate, path, good)
            in_thread(self._disk.remove, copy_of(path))
            if length and durability is Durability.DISK:
                in_thread(self._disk.sync_folder, path.parent)
        except OSError as error:
            raise DiskError(path, error.strerror or str(error)) from error
        if good and durability is Durability.DISK and not self._disk.size(mark_of(path)):
            in_thread(mark_used, self._disk, path)
        return good

    def _reindex(self, path: Path, progress: Progress) -> None:
        """Bring what was restored into the indexes. Raises DamagedRecordError."""
        total, done = sum(len(held.bodies) for held in self.tables.values()), 0
        for held in self.tables.values():
            for part in in_parts(held.bodies.items(), _size_of):
                identities = [identity for identity, _ in part]
                try:
                    self._serial = max(self._serial, held.reindex(identities))
                except UNREADABLE:
                    raise _first_damage(path, held, identities) from None
                done += len(part)
                progress.report("records indexed", done, share=done / total)
                LONG_WORK.take()

    def _restore(self, line: lines.LogLine) -> None:
        for table, identity, body in lines.changes_in(line):
            self.documents(table).restore(identity, bytes(body))


def _first_damage(path: Path, held: Documents, identities: Sequence[str]) -> DamagedRecordError:
    """What is said of the first of these documents whose keys cannot be read."""
    for identity in identities:
        try:
            held.head(identity)
        except UNREADABLE as error:
            return damage_in_log(path, held.shape.table, identity, error)
    raise AssertionError("one of them could not be read before")


def _size_of(document: tuple[str, bytes]) -> int:
    return len(document[1])


def _make_backwards(changes: Sequence[Change]) -> None:
    for change in reversed(changes):
        change.documents.make(change)


def _after_pause(part: list[bytes]) -> list[bytes]:
    """The lines, when everybody else has had a turn."""
    LONG_WORK.take()
    return part

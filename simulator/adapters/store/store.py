"""The records of one sandbox in one log, behind the store port.

Nothing is held before the first call and nothing after `sleep`: neither a file nor a record.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from gevent.event import Event

from simulator.adapters.store.bodies import RECORD_BYTES_MAX
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.documents import Change, DocumentHead, serial_of
from simulator.adapters.store.engine import unwatched
from simulator.adapters.store.files import Disk
from simulator.adapters.store.indexes import id_in
from simulator.adapters.store.integrity import UNREADABLE, damage_in_log, log_damage
from simulator.adapters.store.kinds import KINDS, Codec, Kind, codecs
from simulator.adapters.store.log import LogStorage
from simulator.adapters.store.looks import ScriptLooks
from simulator.adapters.turns import LONG_WORK, pause
from simulator.domain.core.errors import ConflictError, EpochEndedError, LargeRecordError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Place, Unit

Record = TypeVar("Record")
Planned = dict[tuple[type, str], DocumentHead | None]

_ENCODER = msgspec.json.Encoder(decimal_format="string")
_SERIAL = itemgetter(0)
# A checkout of so many bytes is read, checked and stored in a millisecond.
LONG_RECORD_BYTES = 64 * 1024
# No key comes after it.
HIGHEST = "\U0010ffff"


class DocumentStore:
    """The store over the log `path`. Implements ports.Store; also raises DiskError,
    DamagedLogError.
    """

    __slots__ = ("path", "_codecs", "_disk", "_durability", "_failed_before", "_notice",
                 "_storage", "_loading", "_gone", "_looks", "__weakref__")  # fmt: skip

    def __init__(
        self,
        path: Path | str,
        *,
        kinds: tuple[Kind, ...] = KINDS,
        disk: Disk | None = None,
        durability: Durability = Durability.DISK,
    ):
        self.path = Path(path)
        self._codecs = codecs(kinds)
        self._disk = disk
        self._durability = durability
        self._failed_before = 0
        self._notice: Callable[[tuple[Any, ...]], object] = unwatched
        self._storage: LogStorage | None = None
        self._loading: Event | None = None
        self._gone = False
        self._looks: ScriptLooks | None = None

    @property
    def looks(self) -> ScriptLooks:
        """What its scripts have counted in memory."""
        if self._looks is None:
            self._looks = ScriptLooks()
        return self._looks

    @property
    def awake(self) -> bool:
        """Whether file and records are held."""
        return self._storage is not None

    @property
    def failure(self) -> str | None:
        """Why nothing is stored any more, in the disk's words, or None."""
        return None if self._storage is None else self._storage.failure

    @property
    def is_full(self) -> bool:
        """Whether it has all that a sandbox may have."""
        return self._storage is not None and self._storage.is_full

    @property
    def failed_writes(self) -> int:
        """How many writes failed in this epoch: each took back what others may have read."""
        now = 0 if self._storage is None else self._storage.failed_writes
        return self._failed_before + now

    def count(self, kind: type, *, without: str | None = None) -> int:
        """How many records of this kind there are; `without` a key in the ordered index so
        called.
        """
        documents = self._awake().tables[self._codec(kind).shape.table]
        return len(documents.bodies) - (len(documents.ordered_index(without)) if without else 0)

    def keeps(self, kind: type) -> bool:
        """Whether records of this kind are stored: no other gateway reads them."""
        return True

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None. All that read long ones take turns."""
        codec = self._codecs.get(kind) or self._codec(kind)
        body = self._awake().tables[codec.shape.table].bodies.get(identity)
        if body is not None and len(body) > LONG_RECORD_BYTES:
            del body  # All that wait for their turn would keep one.
            LONG_WORK.take()
            body = self._awake().tables[codec.shape.table].bodies.get(identity)
        return None if body is None else self._read_body(codec, identity, body)[1]

    def get_many(self, kind: type[Record], identities: Iterable[str]) -> dict[str, Record]:
        """The records with these ids as last saved, by their ids: those there are."""
        found = {identity: self.get(kind, identity) for identity in identities}
        return {identity: record for identity, record in found.items() if record is not None}

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first. Costs what it returns."""
        storage, codec = self._awake(), self._codecs.get(kind) or self._codec(kind)
        documents = storage.tables[codec.shape.table]
        last = documents.found
        if last is not None and last[:2] == (index, key):
            return [*last[2]]
        found, bodies = documents.hash_index(index).ids(key), documents.bodies
        if codec.is_remembered:
            rows = documents.rows_of(found, partial(self._read_body, codec))
        else:
            rows = [self._read_body(codec, one, bodies[one]) for one in found]
        rows.sort(key=_SERIAL)
        records = [record for _, record in rows]
        if codec.is_remembered:
            documents.found = (index, key, tuple(records))
        return records

    def ids_found(self, kind: type, index: str, key: str) -> Sequence[str]:
        """The ids of what `find` would return, oldest first, for reading it a part at a time."""
        documents = self._awake().tables[self._codec(kind).shape.table]
        bodies = documents.bodies
        return sorted(documents.hash_index(index).ids(key), key=lambda one: serial_of(bodies[one]))

    def count_found(self, kind: type, index: str, key: str) -> int:
        """How many records `find` would return. Costs the same however many."""
        documents = self._awake().tables[self._codec(kind).shape.table]
        return documents.hash_index(index).size(key)

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key, older ones first.

        A record that leaves it before its turn is passed over; one that enters may be seen.
        """
        storage, codec = self._awake(), self._codec(kind)
        documents = storage.tables[codec.shape.table]
        ordered = documents.ordered_index(index)
        entries = ordered.between(documents.bound(index, low), documents.bound(index, high))
        return self._standing(codec, index, entries)

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """At most `most` records whose ordered key is in [low, high), from number `start` on, and
        the count of all of them.
        """
        storage, codec = self._awake(), self._codec(kind)
        documents = storage.tables[codec.shape.table]
        low, high = (documents.bound(index, text) for text in bounds)
        entries, count = documents.ordered_index(index).page(low, high, start=start, most=most)
        return self._standing(codec, index, entries), count

    def firsts(self, kinds: Sequence[type], index: str) -> list[Any]:
        """The first record of each kind in the ordered index, or None."""
        return [next(self.between(kind, index, "", HIGHEST), None) for kind in kinds]

    def after(self, kind: type[Record], index: str, place: Place) -> Iterator[tuple[Place, Record]]:
        """The records behind a place in the ordered index, each with its own place."""
        ordered = self._awake().tables[self._codec(kind).shape.table].ordered_index(index)
        # Between an entry and this one there is no other.
        entries = ordered.between("" if place is None else f"{place}\0", HIGHEST)
        return self._placed(self._codec(kind), index, entries)

    def watch(
        self, notice: Callable[[tuple[Any, ...]], object], lost: Callable[[], object] = unwatched
    ) -> None:
        """As SandboxStore.watch; no outcome is ever unknown here."""
        self._notice = notice

    def settle(self, read_again: Callable[[], object]) -> None:
        """Nothing has to be read again: no outcome is unknown."""

    def commit(self, unit: Unit) -> None:
        """Store a unit: atomic, seen by reads at once, durable on return.

        Raises ConflictError if a record to put does not have the next version, or one to remove
        not the version held; LargeRecordError; EpochEndedError if the epoch is over; DiskError if
        the unit is not stored. After that the disk is asked again, at most once a second.
        """
        flush = self.commit_unflushed(unit)
        if not flush.is_over:
            flush.wait()

    def commit_unflushed(self, unit: Unit) -> Flush:
        """Store a unit without waiting for the disk: no later one is durable before it.

        Raises as `commit`, save for a disk that refuses it afterwards: then it is taken back, and
        what is returned says so.
        """
        storage = self._awake()
        flush = storage.commit(self._changes(storage, unit))
        if unit.looks:
            self.looks.note(unit.looks)
        self._notice(unit.puts)
        return flush

    def wait_durable(self) -> None:
        """Return when everything that stands is durable; DiskError if some never will be. What was
        taken back before stands no more: of that `commit_unflushed` and `failed_writes` say.
        """
        self._check_epoch()
        if self._storage is not None:
            self._storage.settle()

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again. Raises
        EpochEndedError: long work of an epoch ends with it.
        """
        pause(failures)
        self._check_epoch()

    def reopen(self) -> None:
        """Accept units again after DiskError. Raises OSError while the disk still refuses."""
        self._awake().reopen()

    def compact(self) -> bool:
        """Write the log anew without what is dead, while the store serves; whether that was done.

        A log that is long and mostly dead is compacted without being asked.
        """
        return self._awake().compact()

    def copied(self) -> Iterator[bytes]:
        """A log of what is stored at the moment of the call, in pieces."""
        return self._awake().copied()

    def fill(self, log: Iterable[bytes]) -> None:
        """Hold what the lines of a log tell, in a store that holds nothing yet."""
        self._awake().fill(log)

    def sleep(self) -> bool:
        """Give back file and memory until the next call; whether that was done.

        It is not while something is under way, after DiskError, and where memory is all there is.
        """
        storage = self._storage
        if storage is None:
            return True
        if self._durability is Durability.MEMORY or not storage.idle:
            return False
        self._storage = None
        self._failed_before += storage.failed_writes
        storage.close()
        return True

    def close(self) -> None:
        """End the epoch: what was saved before is made durable, every later call raises Gone."""
        self._gone = True
        storage, self._storage = self._storage, None
        if storage is not None:
            storage.close()

    def _changes(self, storage: LogStorage, unit: Unit) -> list[Change]:
        # Changes of one record in one unit build on one another.
        planned: Planned = {}
        puts = [self._put(storage, record, planned) for record in unit.puts]
        return puts + [self._removal(storage, record, planned) for record in unit.removes]

    def _put(self, storage: LogStorage, record: Any, planned: Planned) -> Change:
        kind = type(record)
        codec = self._codecs.get(kind) or self._codec(kind)
        documents = storage.tables[codec.shape.table]
        key = (kind, record.id)
        held = planned[key] if key in planned else documents.head(record.id)
        refuse_other_version(record, 1 if held is None else held.version + 1)
        serial = storage.next_serial() if held is None else held.serial
        body = storage.body(record, serial=serial, encoder=_ENCODER)
        if len(body) > RECORD_BYTES_MAX:
            raise LargeRecordError(RECORD_BYTES_MAX, len(body))
        head = planned[key] = DocumentHead(serial, record.version, codec.keys_of(record))
        return Change(documents, record.id, body, head, held)

    def _removal(self, storage: LogStorage, record: Any, planned: Planned) -> Change:
        documents = storage.tables[self._codec(type(record)).shape.table]
        key = (type(record), record.id)
        held = planned[key] if key in planned else documents.head(record.id)
        refuse_other_version(record, None if held is None else held.version)
        planned[key] = None
        return documents.change(record.id, None)

    def _standing(self, codec: Codec, index: str, entries: Iterable[str]) -> Iterator[Any]:
        return (record for _, record in self._placed(codec, index, entries))

    def _placed(
        self, codec: Codec, index: str, entries: Iterable[str]
    ) -> Iterator[tuple[str, Any]]:
        table = codec.shape.table
        for entry in entries:
            identity = id_in(entry)
            documents = self._awake().tables[table]
            if not documents.ordered_index(index).holds(entry):
                continue
            if len(documents.bodies[identity]) > LONG_RECORD_BYTES:
                # As in `get`: it may be another one, or gone, once its turn comes.
                LONG_WORK.take()
                documents = self._awake().tables[table]
                if not documents.ordered_index(index).holds(entry):
                    continue
            yield entry, self._read_body(codec, identity, documents.bodies[identity])[1]

    def _read_body(self, codec: Codec, identity: str, body: bytes) -> tuple[int, Any]:
        """Serial and record. Raises DamagedRecordError, and logs what to do about it."""
        try:
            return codec.read(body)
        except UNREADABLE as error:
            damaged = damage_in_log(self.path, codec.shape.table, identity, error)
            raise log_damage(damaged) from None

    def _codec(self, kind: type) -> Codec:
        codec = self._codecs.get(kind)
        if codec is None:
            raise TypeError(f"expected a kind with a row in KINDS, got {kind.__name__}")
        return codec

    def _awake(self) -> LogStorage:
        if self._gone or self._storage is None:
            self._check_epoch()
            return self._load()
        return self._storage

    def _check_epoch(self) -> None:
        if self._gone:
            raise EpochEndedError(f"{self.path.name} is closed")

    def _load(self) -> LogStorage:
        while self._loading is not None:
            self._loading.wait()
        storage = self._storage
        if storage is None:
            storage = self._read()
        self._check_epoch()
        self._storage = storage
        return storage

    def _read(self) -> LogStorage:
        # Reading a long log gives way to other greenlets; those that want this store wait for it.
        self._loading = loading = Event()
        try:
            return LogStorage(
                self.path,
                shapes=[codec.shape for codec in self._codecs.values()],
                disk=self._disk,
                durability=self._durability,
            )
        finally:
            self._loading = None
            loading.set()


def refuse_other_version(record: Any, expected: int | None) -> None:
    """Raise ConflictError for a record of another version than the one expected."""
    if record.version != expected:
        name = type(record).__name__
        raise ConflictError(
            f"{name} {record.id}: expected version {expected}, got {record.version}"
        )

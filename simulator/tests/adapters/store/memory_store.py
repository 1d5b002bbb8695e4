"""A store in plain dicts: the fake that unit tests use, and the second engine of the contract.

It shares no code with the store on disk: it reads the rows of the kinds and searches by looking at
the key of every record, which is computed once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, TypeVar

import msgspec

from simulator.adapters.store.documents import Index
from simulator.adapters.store.kinds import KINDS, Kind
from simulator.adapters.store.looks import ScriptLooks
from simulator.domain.core.errors import ConflictError, EpochEndedError
from simulator.domain.core.flushes import FLUSHED, Flush
from simulator.domain.core.ports import Unit, key_of

Record = TypeVar("Record")


class MemoryStore:
    """Implements ports.Store in memory. `units` holds what was saved, for tests that ask."""

    def __init__(self, kinds: tuple[Kind, ...] = KINDS):
        self.units: list[Unit] = []
        self._rows = {kind.record: kind for kind in kinds}
        self._records: dict[type, dict[str, Any]] = {kind.record: {} for kind in kinds}
        # The keys of each index by the ids of records, as far as they were asked for.
        self._keys: dict[tuple[type, Index], dict[str, str | None]] = {
            (kind.record, row): {} for kind in kinds for row in kind.indexes
        }
        self._serials: dict[tuple[type, str], tuple[int, int]] = {}
        self._gone = False
        self._notice: Callable[[Any], object] = lambda puts: None
        self.looks = ScriptLooks()

    def keeps(self, kind: type) -> bool:
        """Whether records of this kind are stored."""
        return kind in self._rows

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None."""
        record = self._all(kind).get(identity)
        return None if record is None else _copy_of(record)

    def get_many(self, kind: type[Record], identities: Iterable[str]) -> dict[str, Record]:
        """The records with these ids that there are."""
        held = self._all(kind)
        return {each: _copy_of(held[each]) for each in identities if each in held}

    def ids_found(self, kind, index, key):
        return [each.id for each in self.find(kind, index, key)]

    def count_found(self, kind, index, key):
        return len(self.find(kind, index, key))

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first."""
        row = self._row(kind, index, ordered=False)
        held = self._all(kind)
        return [_copy_of(held[each]) for each, found in self._keyed(kind, row) if found == key]

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key."""
        row = self._row(kind, index, ordered=True)
        return self._still(kind, row, self._ordered(kind, row, low, high))

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """A part of what is between the bounds, and the count of all of it."""
        row = self._row(kind, index, ordered=True)
        found = self._ordered(kind, row, *bounds)
        return iter([*self._still(kind, row, found[start : start + most])]), len(found)

    def firsts(self, kinds, index):
        return [next(self.between(kind, index, "", "\U0010ffff"), None) for kind in kinds]

    def after(self, kind, index, place):
        """The records behind a place, each with its own place."""
        row = self._row(kind, index, ordered=True)
        for record in self.between(kind, index, "", "\U0010ffff"):
            found = (_key(record, row), self._serials[kind, record.id])
            if place is None or found > place:
                yield found, record

    def watch(self, notice, lost=None):
        self._notice = notice

    def commit(self, unit: Unit) -> None:
        """Store a unit. Raises ConflictError or EpochEndedError, and has changed nothing then."""
        self.wait_durable()
        after = {type(each): dict(self._all(type(each))) for each in (*unit.puts, *unit.removes)}
        for record in unit.puts:
            held = after[type(record)].get(record.id)
            _check(record, 1 if held is None else held.version + 1)
            after[type(record)][record.id] = _copy_of(record)
            if held is None:
                self._serials[type(record), record.id] = len(self.units), len(self._serials)
        for record in unit.removes:
            held = after[type(record)].pop(record.id, None)
            _check(record, None if held is None else held.version)
        self._records |= after
        self._forget_keys((*unit.puts, *unit.removes))
        self.units.append(unit)
        self.looks.note(unit.looks)
        self._notice(unit.puts)

    @property
    def is_full(self) -> bool:
        """It has room for every test."""
        return False

    @property
    def failed_writes(self) -> int:
        """None ever fails."""
        return 0

    def commit_unflushed(self, unit: Unit) -> Flush:
        """Store a unit without waiting until it is durable."""
        self.commit(unit)
        return FLUSHED

    def wait_durable(self) -> None:
        """Nothing is ever pending. Raises EpochEndedError."""
        if self._gone:
            raise EpochEndedError("the store is closed")

    def pause(self, failures: int) -> None:
        """Nothing has to be waited for. Raises EpochEndedError."""
        self.wait_durable()

    def close(self) -> None:
        """End the epoch: every later call raises Gone."""
        self._gone = True

    def _all(self, kind: type) -> dict[str, Any]:
        self.wait_durable()
        return self._records[kind]

    def _keyed(self, kind: type, row: Index) -> list[tuple[str, str | None]]:
        """The id and key of every record, oldest first."""
        keys, records = self._keys[kind, row], self._all(kind)
        for identity in records.keys() - keys.keys():
            keys[identity] = _key(records[identity], row)
        return [(identity, keys[identity]) for identity in records]

    def _forget_keys(self, changed: Iterable[Any]) -> None:
        for record in changed:
            for row in self._rows[type(record)].indexes:
                self._keys[type(record), row].pop(record.id, None)

    def _ordered(self, kind: type, row: Index, low: str, high: str) -> list[tuple[str, str]]:
        """The key and id of each record in [low, high), in order of the key."""
        first, end = _bound(low), _bound(high)
        keyed = [
            (key, identity)
            for identity, key in self._keyed(kind, row)
            if key is not None and first <= key < end
        ]
        return sorted(keyed, key=itemgetter(0))

    def _still(self, kind: type, row: Index, keyed: list[tuple[str, str]]) -> Iterator[Any]:
        for key, identity in keyed:
            record = self._all(kind).get(identity)
            if record is not None and _key(record, row) == key:
                yield _copy_of(record)

    def _row(self, kind: type, name: str, *, ordered: bool) -> Index:
        for row in self._rows[kind].indexes:
            if row.name == name and row.ordered == ordered:
                return row
        raise LookupError(f"{kind.__name__} has no such index: {name}")


def _copy_of(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record), type=type(record))


def _check(record: Any, expected: int | None) -> None:
    if record.version != expected:
        raise ConflictError(f"{record.id}: expected version {expected}, got {record.version}")


def _key(record: Any, row: Index) -> str | None:
    value = _value(record, row.path)
    if value is None:
        return None
    if row.form == "present":
        return "yes"
    around = [_value(record, path) for path in row.within]
    return None if None in around else key_of(*map(str, around), _text(value))


def _value(record: Any, path: str) -> Any:
    value = record
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else getattr(value, part, None)
    return value


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return _bound(value.astimezone(UTC).isoformat())
    return str(value)


def _bound(text: str) -> str:
    return text.removesuffix("Z").removesuffix("+00:00")

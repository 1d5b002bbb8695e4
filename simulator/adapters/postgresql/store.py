"""The records of one sandbox in one epoch in PostgreSQL, behind the store port."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from simulator.adapters.postgresql.database import Database, Outcomes
from simulator.adapters.postgresql.reader import (
    ask_for,
    at_any_length,
    found_rows,
    is_left_out,
    one_row,
)
from simulator.adapters.postgresql.remembered import Remembered
from simulator.adapters.postgresql.tables import (
    LONG_BYTES,
    ONE_BYTES,
    SHORT_BYTES,
    IndexColumn,
    RecordTable,
    RowChange,
    count_range,
    count_records,
    find_ids,
    find_more,
    find_records,
    planned_change,
    read_first,
    read_page,
    read_part,
    refuse_other_version,
)
from simulator.adapters.postgresql.values import (
    array,
    count_in,
    int4,
    int8,
    is_text,
    number_in,
    place_of,
    with_bodies,
)
from simulator.adapters.postgresql.wire import Row, Rows, SqlStatement
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import unwatched
from simulator.adapters.store.looks import ScriptLooks
from simulator.adapters.turns import pause
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.flushes import FLUSHED, Flush
from simulator.domain.core.ports import Place, Unit

Record = TypeVar("Record")

# The first record of a range is often the only one that is wanted.
FIRST_PART, PART = 1, 64
# No key comes after it.
HIGHEST = b"\xff"


class PostgresStore:
    """Implements SandboxStore; also raises UnreachableStoreError and DamagedRecordError.

    `world` gives the number of the sandbox in its epoch, made at first use; `copy` the pieces of a
    log of it.
    """

    __slots__ = ("_copy", "database", "_gone", "_looks", "_notice", "_number", "_outcomes",
                 "_remembered", "_tables", "_world", "__weakref__")  # fmt: skip

    def __init__(
        self,
        database: Database,
        tables: dict[type, RecordTable],
        *,
        world: Callable[[], int],
        copy: Callable[[int], Iterator[bytes]],
    ):
        self.database = database
        self._tables = tables
        self._world = world
        self._copy = copy
        self._number: bytes | None = None
        self._gone = False
        self._notice: Callable[[tuple[Any, ...]], object] = unwatched
        self._outcomes = Outcomes(unwatched)
        self._remembered = Remembered()
        self._looks = ScriptLooks()

    @property
    def looks(self) -> ScriptLooks:
        """What its scripts have counted in memory."""
        return self._looks

    @property
    def awake(self) -> bool:
        """Whether records can be counted: always."""
        return True

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""
        return self.database.failure

    def keeps(self, kind: type) -> bool:
        """Whether records of this kind are stored at the write level of the database."""
        return self._table(kind).level <= self.database.level

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None."""
        table = self._table(kind)
        if not is_text(identity):
            return None
        records = self._records(table, (table.get, identity.encode()), self._one)
        return records[0] if records else None

    def get_many(self, kind: type[Record], identities: Iterable[str]) -> dict[str, Record]:
        """The records with these ids as last saved, by their ids: those there are; in one
        trip unless they are long, of which nothing is remembered.
        """
        table = self._table(kind)
        records: dict[str, Record] = {}
        wanted = [each.encode() for each in dict.fromkeys(identities) if is_text(each)]
        length = SHORT_BYTES
        while wanted:
            given = [self._world_number(), array("text", wanted)]
            (rows,) = ask_for(self.database, table.get_many, given, length)
            read = [self._record(table, row) for row in with_bodies(rows)]
            records.update((record.id, record) for record in read)
            wanted = [bytes(row[-1] or b"") for row in rows[len(read) :]]
            length = LONG_BYTES
        return records

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first; many, or long ones, are read
        some at a time, each as it stood then.
        """
        table = self._table(kind)
        column = table.column(index, ordered=False).column
        more = find_more(table.name, column)

        def read(sql: str, value: bytes) -> Rows:
            return found_rows(self.database, sql, more, [self._world_number(), value])

        return self._records(table, (find_records(table.name, column), key.encode()), read)

    def ids_found(self, kind: type, index: str, key: str) -> Sequence[str]:
        """The ids of what `find` would return, oldest first, for reading it a part at a time."""
        table = self._table(kind)
        column = table.column(index, ordered=False).column
        given = [self._world_number(), key.encode()]
        (rows,) = self.database.ask(SqlStatement(find_ids(table.name, column), given))
        return [found.decode() for (found,) in rows if found is not None]

    def count_found(self, kind: type, index: str, key: str) -> int:
        """How many records `find` would return. Costs what an index of them costs to read."""
        table = self._table(kind)
        column = table.column(index, ordered=False).column
        return self._count(count_records(table.name, column), key.encode())

    def count(self, kind: type, *, without: str | None = None) -> int:
        """How many records of this kind there are; `without` a key in the ordered index so
        called.
        """
        table = self._table(kind)
        if without is None:
            return self._count(table.count)
        column = table.column(without, ordered=True).column
        return self._count(f"{table.count} and {column} is null")

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key, older ones first;
        read some at a time, each as it stood then.
        """
        table = self._table(kind)
        column = table.column(index, ordered=True)
        parts = self._parts(table, column, (column.bound(low), -1), column.bound(high))
        return (record for _, record in parts)

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """At most `most` records whose ordered key is in [low, high), from number `start` on, and
        the count of all of them. Long ones are read some at a time, each as it stood then.
        """
        table = self._table(kind)
        column = table.column(index, ordered=True)
        given = [self._world_number(), *map(column.bound, bounds)]
        counting = SqlStatement(count_range(table.name, column.column), given)
        if not most:
            ((row,),) = self.database.ask(counting)
            return iter(()), count_in(row)
        reading, asked = read_page(table.name, column.column), [*given, int8(start), int8(most)]
        length = SHORT_BYTES if most <= PART else LONG_BYTES
        ((row,), rows) = ask_for(self.database, reading, asked, length, counting)
        if is_left_out(rows):
            (rows,) = ask_for(self.database, reading, asked, LONG_BYTES)
        return self._paged(table, column, rows, given[-1]), count_in(row)

    def firsts(self, kinds: Sequence[type], index: str) -> list[Any]:
        """The first record of each kind in the ordered index, or None; all in one trip unless they
        are long.
        """
        tables = [self._table(kind) for kind in kinds]
        given = [self._world_number()]
        first = [read_first(each.name, each.column(index, ordered=True).column) for each in tables]
        length = int8(ONE_BYTES)
        asked = [SqlStatement(sql, [*given, length], ONE_BYTES) for sql in first]
        answers = self.database.ask(*asked)
        read = (at_any_length(self.database, sql, given, rows)
                for sql, rows in zip(first, answers, strict=True))  # fmt: skip
        return [
            self._record(table, rows[0]) if rows else None
            for table, rows in zip(tables, read, strict=True)
        ]

    def after(self, kind: type[Record], index: str, place: Place) -> Iterator[tuple[Place, Record]]:
        """The records behind a place in the ordered index, each with its own place."""
        table = self._table(kind)
        column = table.column(index, ordered=True)
        key, serial = place or (b"", -1)
        return self._parts(table, column, (key, serial), HIGHEST)

    def watch(
        self, notice: Callable[[tuple[Any, ...]], object], lost: Callable[[], object] = unwatched
    ) -> None:
        """As SandboxStore.watch."""
        self._notice, self._outcomes.lost = notice, lost

    def settle(self, read_again: Callable[[], object]) -> None:
        """As SandboxStore.settle. Raises UnreachableStoreError."""
        self._outcomes.settle(self.database, self._remembered.forget, read_again)

    def commit(self, unit: Unit) -> None:
        """Store a unit: atomic, seen by reads at once, durable on return.

        Raises ConflictError if a record to put does not have the next version, or one to remove
        not the version held; EpochEndedError if the epoch is over; UnreachableStoreError if the
        unit is not stored.
        """
        self.commit_with(unit, ())

    def commit_with(self, unit: Unit, statements: Iterable[SqlStatement]) -> None:
        """The same, together with these statements."""
        self._check_epoch()
        changes = self._changes(unit)
        if not changes:
            self._looks.note(unit.looks)
            return
        touched = [each.table for each in changes if each.table.is_remembered]
        with self._remembered.changing(touched), self._outcomes.noting():
            keys = ((each.world, each.table.name, each.identity) for each in changes)
            self.database.store(Work(changes, keys, [*statements]))
        self._looks.note(unit.looks)
        self._notice(unit.puts)

    @property
    def is_full(self) -> bool:
        """Its records take no memory here: how many there may be is the database's matter."""
        return False

    @property
    def failed_writes(self) -> int:
        """Those with unknown outcome; none takes back what was read."""
        return self._outcomes.unknown

    def commit_unflushed(self, unit: Unit) -> Flush:
        """The same: a commit that did not wait could not say whether it conflicts."""
        self.commit(unit)
        return FLUSHED

    def wait_durable(self) -> None:
        """Return at once: everything saved is durable."""
        self._check_epoch()

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again. Raises
        EpochEndedError: long work of an epoch ends with it.
        """
        pause(failures)
        self._check_epoch()

    def copied(self) -> Iterator[bytes]:
        """A log of what is stored at the moment of the call, in pieces."""
        return self._copy(number_in(self._world_number()))

    def sleep(self) -> bool:
        """Forget what is remembered; always done, for nothing else is held."""
        self._remembered.forget()
        return True

    def close(self) -> None:
        """End the epoch: every later call raises EpochEndedError."""
        self._gone = True
        self._remembered.forget()

    def _records(
        self,
        table: RecordTable,
        question: tuple[str, bytes],
        read: Callable[[str, bytes], Rows],
    ) -> list[Any]:
        """The records that a statement finds by one value. Those of a remembered kind are read
        once.
        """
        self._check_epoch()
        if table.is_remembered:
            known = self._remembered.known(table, question)
            if known is not None:
                return [*known]
        state = self._remembered.state(table)
        records = [self._record(table, row) for row in read(*question)]
        if table.is_remembered:
            self._remembered.keep(table, question, records, since=state)
        return records

    def _one(self, sql: str, identity: bytes) -> Rows:
        return one_row(self.database, sql, [self._world_number(), identity])

    def _record(self, table: RecordTable, row: Row) -> Any:
        """The record of a row that ends with its body and its id. Raises DamagedRecordError."""
        body, identity = row[-2:]
        assert body is not None and identity is not None, "neither is ever NULL"
        return table.read(body, identity, world=number_in(self._world_number()))

    def _count(self, sql: str, *values: bytes) -> int:
        ((row,),) = self.database.ask(SqlStatement(sql, [self._world_number(), *values]))
        return count_in(row)

    def _paged(
        self, table: RecordTable, column: IndexColumn, rows: Rows, high: bytes
    ) -> Iterator[Any]:
        """The records of a page, of which those with a body were read."""
        read = with_bodies(rows)
        for row in read:
            yield self._record(table, row)
        if missing := len(rows) - len(read):
            rest = self._parts(table, column, place_of(read[-1]), high, most=PART)
            yield from (record for _, record in islice(rest, missing))

    def _parts(
        self, table: RecordTable, column: IndexColumn, place: tuple[bytes, int], high: bytes,
        *, most: int = FIRST_PART,
    ) -> Iterator[tuple[tuple[bytes, int], Any]]:  # fmt: skip
        sql = read_part(table.name, column.column)
        while True:
            key, serial = place
            given = [self._world_number(), key, int8(serial), high, int8(most)]
            (rows,) = ask_for(
                self.database, sql, given, ONE_BYTES if most == FIRST_PART else LONG_BYTES
            )
            for row in with_bodies(rows):
                self._check_epoch()
                place = place_of(row)
                yield place, self._record(table, row)
            if len(rows) < most and (not rows or rows[-1][-2] is not None):
                return
            most = PART

    def _changes(self, unit: Unit) -> list[RowChange]:
        # Changes of one record in one unit build on one another.
        planned: dict[tuple[type, str], tuple[int, Any]] = {}
        for record in unit.puts:
            was, held = planned_change(planned, record, record.version - 1)
            planned[type(record), record.id] = was, record
            refuse_other_version(record, 1 if held is None else held + 1)
        for record in unit.removes:
            was, held = planned_change(planned, record, record.version)
            planned[type(record), record.id] = was, None
            refuse_other_version(record, held)
        world = number_in(self._world_number())
        changes = (self._change(world, key, was, record) for key, (was, record) in planned.items())
        return [each for each in changes if each is not None]

    def _change(self, world: int, key: tuple[type, str], was: int, record: Any) -> RowChange | None:
        kind, identity = key
        table, name = self._table(kind), identity.encode()
        if record is None:
            # What was made and removed in one unit was never there.
            return RowChange("delete", table, world, name, 0, was) if was else None
        operation, forms = "update" if was else "insert", table.forms_of(record)
        return RowChange(operation, table, world, name, record.version, was, forms)

    def _table(self, kind: type) -> RecordTable:
        self._check_epoch()
        table = self._tables.get(kind)
        if table is None:
            raise TypeError(f"expected a kind with a row in KINDS, got {kind.__name__}")
        return table

    def _world_number(self) -> bytes:
        if self._number is None:
            self._number = int4(self._world())
        self._check_epoch()
        return self._number

    def _check_epoch(self) -> None:
        if self._gone:
            raise EpochEndedError("the epoch of the sandbox is over")

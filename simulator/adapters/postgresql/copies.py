"""Snapshots of a sandbox: its records as the lines of a log, out of the database and into it."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from simulator.adapters.postgresql.database import Database
from simulator.adapters.postgresql.tables import LONG_BYTES, RecordTable, RowChange, read_copied
from simulator.adapters.postgresql.values import array, int4, int8, number_in, with_bodies
from simulator.adapters.postgresql.wire import FailedGroup, Rows, SqlStatement, Wire
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store import lines
from simulator.adapters.store.compaction import chunks_of
from simulator.adapters.store.kinds import Codec
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.ports.server import SnapshotFile

PART, RANKS_AT_ONCE = 500, 5000
BEGIN = "begin isolation level repeatable read read only"
# What others store waits for no longer than that for who waits for them.
GIVE_LAST = (
    "select set_config('sandgate.last', $1::text, true), set_config('lock_timeout', '2s', true)"
)
LAST = "current_setting('sandgate.last')::int8"
SEE_NOW = "select count(*) from worlds where world = $1::int4"


def copy_world(
    open_wire: Callable[[], Wire], tables: list[RecordTable], world: int
) -> Iterator[bytes]:
    """A log of the records of a sandbox at the moment of the call, in pieces. Raises
    UnreachableStoreError.
    """
    wire = open_wire()
    _run(wire, SqlStatement(BEGIN))
    # What the transaction sees is settled by its first question.
    _run(wire, SqlStatement(SEE_NOW, [int4(world)]))
    header = lines.header_line()
    return chain((header,), chunks_of(_units(wire, tables, world), place=len(header)))


def fill_world(
    database: Database,
    codecs: dict[str, tuple[RecordTable, Codec]],
    world: int,
    snapshot: SnapshotFile,
) -> None:
    """Store the records of a snapshot in an empty world. Raises UnreachableStoreError."""
    filling = _Filling(database, codecs, world)
    lines.recover(Path("snapshot"), snapshot.log_lines(), filling.accept)
    filling.end()


def _units(wire: Wire, tables: list[RecordTable], world: int) -> Iterator[bytes]:
    try:
        for table in tables:
            yield from _records_of(wire, table, world)
    finally:
        wire.close()


def _records_of(wire: Wire, table: RecordTable, world: int) -> Iterator[bytes]:
    """The units of one table, each with one record; some are read at a time, few where they are
    long. They have the serials 1, 2, 3 in their order: all worlds share those of the table, and one
    that is filled with a copy takes as many new ones as the highest of it.
    """
    sql, last, ranks = read_copied(table.name), b"", _ranks_of(wire, table.name, world)
    some = [int8(PART), int8(LONG_BYTES)]
    while rows := _run(wire, SqlStatement(sql, [int4(world), last, *some])):
        for (identity, _, body, _), (named, rank) in zip(with_bodies(rows), ranks, strict=False):
            assert identity is not None and body is not None
            assert identity == named, "both are read in the order of ids"
            last = bytes(identity)
            yield lines.unit_of([(table.name, last.decode(), b"[%d,%b]" % (rank, body))])


def _ranks_of(wire: Wire, table: str, world: int) -> Iterator[tuple[bytes, int]]:
    """Each id of a table, in their order, with the place of its serial among all of the world."""
    rank = "row_number() over (order by serial)"
    chosen = f"select id, {rank} from {table} where world = {world} order by id"
    _run(wire, SqlStatement(f"declare ranks_of_{table} binary cursor for {chosen}"))
    while rows := _run(wire, SqlStatement(f"fetch {RANKS_AT_ONCE} from ranks_of_{table}")):
        for identity, place in rows:
            assert identity is not None and place is not None
            yield bytes(identity), number_in(place)


def _run(wire: Wire, statement: SqlStatement) -> Rows:
    (answer,) = wire.run([[statement]])
    if isinstance(answer, FailedGroup):
        raise UnreachableStoreError(answer.text)
    return answer[0] if answer else []


class _Filling:
    """Stores what the lines of a log say, some records at a time, in their order."""

    def __init__(
        self, database: Database, codecs: dict[str, tuple[RecordTable, Codec]], world: int
    ):
        self._database = database
        self._codecs = codecs
        self._world = world
        self._pending: dict[tuple[str, str], bytes] = {}
        self._length = 0
        self._bases: dict[str, int] = {}
        self._last: dict[str, int] = {}

    def accept(self, line: lines.LogLine) -> None:
        """Take a line; a later one says better."""
        for table, identity, body in lines.changes_in(line):
            self._pending[table, identity] = bytes(body)
            self._length += len(body)
        if len(self._pending) >= PART or self._length >= LONG_BYTES:
            self._store()

    def end(self) -> None:
        """Store the rest; records that are stored later come after them all."""
        self._store()
        for name, last in self._last.items():
            # Where it waits for others, short questions do not wait with it.
            self._database.ask_long(
                SqlStatement(GIVE_LAST, [b"%d" % last]), SqlStatement(_advance(name))
            )

    def _store(self) -> None:
        by_table: dict[str, list[tuple[str, bytes]]] = {}
        for (name, identity), body in self._pending.items():
            by_table.setdefault(name, []).append((identity, body))
        self._pending, self._length = {}, 0
        if by_table:
            statements = [self._removal(name, rows) for name, rows in by_table.items()]
            changes = [
                each for name, rows in by_table.items() for each in self._changes(name, rows)
            ]
            self._database.store(Work(changes, [("world", self._world)], statements))

    def _removal(self, name: str, rows: list[tuple[str, bytes]]) -> SqlStatement:
        names = array("text", [identity.encode() for identity, _ in rows])
        return SqlStatement(
            f"delete from {name} where world = $1::int4 and id = any($2::text[])",
            [int4(self._world), names],
        )

    def _changes(self, name: str, rows: list[tuple[str, bytes]]) -> Iterator[RowChange]:
        table, codec = self._codecs[name]
        base = self._base_of(name)
        found: list[tuple[int, Any]] = [
            codec.read(body) for _, body in rows if body != lines.REMOVED
        ]
        if not found:
            return
        self._last[name] = max(self._last.get(name, 0), base + max(serial for serial, _ in found))
        for serial, record in found:
            forms, identity = table.forms_of(record), record.id.encode()
            place = base + serial
            yield RowChange("fill", table, self._world, identity, record.version, place, forms)

    def _base_of(self, name: str) -> int:
        """What is added to the serials of a table: only their order counts."""
        if name not in self._bases:
            (((value,),),) = self._database.ask(
                SqlStatement(f"select nextval({_sequence_of(name)})")
            )
            assert value is not None
            self._bases[name] = number_in(value)
        return self._bases[name]


def _advance(table: str) -> str:
    """Lets no serial of a table be below the given one from here on. That the sequence is altered,
    to what it is, keeps others from it until the end: what they took meanwhile would come again.
    """
    sequence = _sequence_of(table)
    return (
        f"do $$ begin execute 'alter sequence ' || {sequence} || ' increment by 1';"
        f" perform setval({sequence}, greatest(nextval({sequence}), {LAST})); end $$"
    )


def _sequence_of(table: str) -> str:
    return f"pg_get_serial_sequence('sandgate.{table}', 'serial')"

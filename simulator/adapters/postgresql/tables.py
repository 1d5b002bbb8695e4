"""The table of each kind of record, and the statements that read and change it.

world      the number of a sandbox in one epoch; 0 has the records of the server
id         of the record
version    counts its changes
serial     which record came first
body       the record as JSON
k_NAME     its key in the index NAME, as bytes: a NUL may stand in it, and they have one order
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from simulator.adapters.store.documents import Index, instant_key
from simulator.adapters.store.integrity import (
    UNREADABLE,
    log_damage,
    reason_without_content,
    shown_id,
)
from simulator.adapters.store.kinds import KINDS, Codec, Kind, codecs
from simulator.domain.core.errors import ConflictError, DamagedRecordError

_ENCODER = msgspec.json.Encoder(decimal_format="string")
# What a statement takes of each changed record, before its keys.
PUT = "unnest($1::int4[], $2::text[], $3::int4[], $4::json[], $5::int4[]"
# How long a body may be. How long one is that PostgreSQL compressed, which it does from 8 KB on, it
# knows only when it has it whole; most are shorter than this.
LENGTH = "pg_column_size(body) * case when pg_column_compression(body) is null then 1 else 16 end"
# How long the bodies are that one question brings: as a rule one, or a few; a short list; and those
# of a long read, which short ones of all sandboxes do not wait for. A page of five hundred payments
# as most are comes at once.
ONE_BYTES, SHORT_BYTES, LONG_BYTES = 32 << 10, 256 << 10, 1 << 20
# What the first question for the records with one key brings: so many, each no longer than that.
FOUND_FIRST, FOUND_EACH = 16, 8 << 10
FOUND_PART = 500


class IndexColumn(NamedTuple):
    """An index with its column."""

    shape: Index
    column: str

    def bound(self, text: str) -> bytes:
        """The key that `text` means as a bound."""
        return (instant_key(text) if self.shape.form == "instant" else text).encode()


class RowForm(NamedTuple):
    """The body and the keys of a record as they are stored from the write level `since` on."""

    since: int
    body: bytes
    keys: Sequence[bytes | None]


class RecordTable:
    """The table of one kind of record, with its statements."""

    def __init__(self, kind: Kind, codec: Codec):
        self.name = kind.table
        self.columns = [IndexColumn(each, column_of(each)) for each in kind.indexes]
        self.keys_of = codec.keys_of
        self.is_remembered, self.level = codec.is_remembered, kind.level
        record: Any = kind.record
        self._decode: Callable[[bytes], Any] = msgspec.json.Decoder(record).decode
        self._by_name = {each.shape.name: each for each in self.columns}
        self.insert, self.update, self.delete, self.fill = _changes_of(self.name, self.columns)
        self._absences = _absences_of(record, dict(kind.since))
        self.get = (
            f"select {_if_within('$3')}, id from {self.name}"
            " where world = $1::int4 and id = $2::text"
        )
        self.get_many = _within(
            f"select body, id, {LENGTH} length from {self.name}"
            " where world = $1::int4 and id = any($2::text[])",
            "$3",
        )
        self.count = f"select count(*) from {self.name} where world = $1::int4"

    def read(self, body: bytes, identity: bytes, *, world: int) -> Any:
        """The record in a body. Raises DamagedRecordError, and logs what to do about it."""
        try:
            return self._decode(body)
        except UNREADABLE as error:
            name = f"sandgate.{self.name}"
            shown = shown_id(bytes(identity).decode(errors="replace"))
            where = f"table {name}, id {shown}, world {world}"
            damaged = DamagedRecordError(name, where, reason_without_content(error))
            raise log_damage(damaged) from None

    def forms_of(self, record: Any) -> list[RowForm]:
        """How a record is stored at each write level, the highest first."""
        return [
            self._form(msgspec.structs.replace(record, **absent) if absent else record, since)
            for since, absent in self._absences
        ]

    def _form(self, record: Any, since: int) -> RowForm:
        keys = [None if key is None else key.encode() for key in self.keys_of(record)]
        return RowForm(since, _ENCODER.encode(record), keys)

    def column(self, name: str, *, ordered: bool) -> IndexColumn:
        """The index called `name`. Raises LookupError if there is none of this kind."""
        found = self._by_name.get(name)
        if found is None or found.shape.ordered != ordered:
            known = [f"{row.shape.name}{' (ordered)' * row.shape.ordered}" for row in self.columns]
            raise LookupError(f"{self.name}: expected one of {', '.join(known)}; got {name!r}")
        return found


class RowChange(NamedTuple):
    """A change of one record: its table, what is done, and its row as the statement takes it.

    was     the version that is changed or removed; of one that is filled in, its serial
    forms   how it is stored, by write level, the highest first
    """

    operation: str
    table: RecordTable
    world: int
    identity: bytes
    version: int
    was: int
    forms: Sequence[RowForm] = ()


@cache
def find_records(table: str, column: str) -> str:
    """Reads the first records with one key, the oldest first, with the bodies that are short. As a
    rule that is all of them, and it costs no more than to read them without a bound.
    """
    return (
        f"select serial, {_if_within(f'{FOUND_EACH}')}, id {_with_key(table, column)}"
        f" order by serial limit {FOUND_FIRST}"
    )


@cache
def find_more(table: str, column: str) -> str:
    """Reads some of the records with one key that come after a serial, the oldest first, as far as
    the bodies are within a length.
    """
    return _within(
        f"select serial, body, id, {LENGTH} length {_with_key(table, column)}"
        f" and serial > $3::int8 order by serial limit {FOUND_PART}",
        "$4",
        "serial",
    )


@cache
def find_ids(table: str, column: str) -> str:
    """Reads the ids of the records with one key, the oldest first."""
    return f"select id {_with_key(table, column)} order by serial"


@cache
def count_records(table: str, column: str) -> str:
    """Counts the records with one key."""
    return f"select count(*) {_with_key(table, column)}"


@cache
def read_part(table: str, column: str) -> str:
    """Reads some records of a range that come after a key and a serial, as far as the bodies are
    within a length.
    """
    order = f"{column}, serial"
    return _within(
        f"select {order}, body, id, {LENGTH} length from {table} where world = $1::int4"
        f" and ({order}) > ($2::bytea, $3::int8) and {column} < $4::bytea"
        f" order by {order} limit $5::int8",
        "$6",
        order,
    )


@cache
def read_copied(table: str) -> str:
    """Reads some records of a world that come after an id, with their serials, as far as the bodies
    are within a length.
    """
    order = "id, serial"
    return _within(
        f"select {order}, body, {LENGTH} length from {table} where world = $1::int4"
        " and id > $2::text order by id limit $3::int8",
        "$4",
        order,
    )


@cache
def count_range(table: str, column: str) -> str:
    """Counts the records of a range."""
    return f"select count(*) {_in_range(table, column)}"


@cache
def read_page(table: str, column: str) -> str:
    """Reads some of the records of a range, as far as the bodies are within a length."""
    order = f"{column}, serial"
    return _within(
        f"select {order}, body, id, {LENGTH} length {_in_range(table, column)} order by {order}"
        " offset $4::int8 limit $5::int8",
        "$6",
        order,
    )


@cache
def read_first(table: str, column: str) -> str:
    """Reads the first record of an ordered index, its body if it is within a length."""
    return (
        f"select {_if_within('$2')}, id from {table}"
        f" where world = $1::int4 and {column} is not null order by {column}, serial limit 1"
    )


def column_of(index: Index) -> str:
    """The column of an index, as SQL names it."""
    return f'"k_{index.name}"'


@cache
def tables_of(kinds: tuple[Kind, ...] = KINDS) -> dict[type, RecordTable]:
    """The table of each kind, by the record's class."""
    return {kind.record: RecordTable(kind, codecs(kinds)[kind.record]) for kind in kinds}


def planned_change(
    planned: dict[tuple[type, str], tuple[int, Any]], record: Any, before: int
) -> tuple[int, int | None]:
    """The version that is stored, and the one that this change finds: None where there is none."""
    key = type(record), record.id
    if key in planned:
        was, last = planned[key]
        return was, None if last is None else last.version
    return before, before or None


def refuse_other_version(record: Any, expected: int | None) -> None:
    """Raise ConflictError for a record of another version than the one expected, or of none."""
    if record.version != expected or record.version < 1:
        name = type(record).__name__
        raise ConflictError(
            f"{name} {record.id}: expected version {expected}, got {record.version}"
        )


def _absences_of(record: Any, since: Mapping[str, int]) -> list[tuple[int, dict[str, Any]]]:
    """From which write level on which fields are not stored yet, with what stands for them."""
    defaults = {
        each.name: each.default_factory() if each.default is msgspec.NODEFAULT else each.default
        for each in msgspec.structs.fields(record)
        if each.name in since
    }
    return [
        (level, {name: value for name, value in defaults.items() if since[name] > level})
        for level in sorted({0, *since.values()}, reverse=True)
    ]


def _changes_of(name: str, columns: Sequence[IndexColumn]) -> tuple[str, str, str, str]:
    """Insert, update and delete many records at once, and fill in some with their serials. Where a
    record has not the version that it should have, the division by zero ends the transaction.
    """
    given = "".join(f", ${number}::bytea[]" for number, _ in enumerate(columns, 6))
    keys = "".join(f", {each.column}" for each in columns)
    new_keys = "".join(f", {each.column} = u.{each.column}" for each in columns)
    source = f"{PUT}{given}) u(world, id, version, body, was{keys})"
    found = "t.world = u.world and t.id = u.id and t.version = u.was"
    checked = "select 1 / (count(*) = cardinality($1))::int from done"
    return (
        f"insert into {name} (world, id, version, body{keys})"
        f" select world, id, version, body{keys} from {source}",
        f"with done as (update {name} t set version = u.version, body = u.body{new_keys}"
        f" from {source} where {found} returning 1) {checked}",
        f"with done as (delete from {name} t using unnest($1::int4[], $2::text[], $3::int4[])"
        f" u(world, id, was) where {found} returning 1) {checked}",
        f"insert into {name} (world, id, version, body, serial{keys}) select * from"
        f" unnest($1::int4[], $2::text[], $3::int4[], $4::json[], $5::int8[]{given})",
    )


def _within(found: str, most: str, order: str = "") -> str:
    """Reads what is found, the bodies as far as they are within a length: those behind have none.
    A long read has the first in any case.
    """
    shown, by = (f"{order}, ", f"order by {order}") if order else ("", "")
    return (
        f"select {shown}case when sum(length) over w <= {most}::int8 or row_number() over w = 1"
        f" and {most}::int8 >= {LONG_BYTES} then body end, id from ({found}) found"
        f" window w as ({by} rows unbounded preceding) {by}"
    )


def _if_within(most: str) -> str:
    """The body of one record if it is within a length; a long read has it in any case."""
    return f"case when {LENGTH} <= {most}::int8 or {most}::int8 >= {LONG_BYTES} then body end"


def _with_key(table: str, column: str) -> str:
    return f"from {table} where world = $1::int4 and {column} = $2::bytea"


def _in_range(table: str, column: str) -> str:
    return f"from {table} where world = $1::int4 and {column} >= $2::bytea and {column} < $3::bytea"

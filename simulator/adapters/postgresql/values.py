"""Values as PostgreSQL reads and writes them in binary: numbers, arrays of them and of bytes."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from struct import Struct

from simulator.adapters.postgresql.wire import Row, Rows

# Type numbers that never change: they are part of PostgreSQL's protocol.
TYPES = {"int4": 23, "int8": 20, "text": 25, "bytea": 17, "json": 114}

_INT4, _INT8 = Struct("!i"), Struct("!q")
# Dimensions, whether there may be NULLs, type; then length and lower bound of the one dimension.
_HEAD, _EMPTY = Struct("!iiIii"), Struct("!iiI")
_NULL = b"\xff\xff\xff\xff"


def int4(number: int) -> bytes:
    """A number of four bytes."""
    return _INT4.pack(number)


def int8(number: int) -> bytes:
    """A number of eight bytes."""
    return _INT8.pack(number)


def number_in(value: bytes) -> int:
    """The number of four or eight bytes."""
    return int.from_bytes(value, "big", signed=True)


def is_text(value: str) -> bool:
    """Whether it can be a text: PostgreSQL has none with NUL, so nothing is stored under one."""
    return "\0" not in value


def array(kind: str, items: Sequence[bytes | None]) -> bytes:
    """An array of one of TYPES; None is NULL."""
    if not items:
        return _EMPTY.pack(0, 0, TYPES[kind])
    parts = [_HEAD.pack(1, 1, TYPES[kind], len(items), 1)]
    for item in items:
        if item is None:
            parts.append(_NULL)
        else:
            parts.append(_INT4.pack(len(item)))
            parts.append(item)
    return b"".join(parts)


def int4s(numbers: Iterable[int]) -> bytes:
    """An array of numbers of four bytes."""
    return array("int4", [_INT4.pack(number) for number in numbers])


def int8s(numbers: Iterable[int]) -> bytes:
    """An array of numbers of eight bytes."""
    return array("int8", [_INT8.pack(number) for number in numbers])


def with_bodies(rows: Rows) -> Rows:
    """Those that came with their bodies: the first ones."""
    return [*takewhile(lambda row: row[-2] is not None, rows)]


def is_cut(rows: Rows) -> bool:
    """Whether any of them, the first, the last or one between, came without its body."""
    return any(row[-2] is None for row in rows)


def place_of(row: Row) -> tuple[bytes, int]:
    """The place in an ordered index of a row that begins with it."""
    key, serial = row[:2]
    assert key is not None and serial is not None, "neither is NULL in an index"
    return bytes(key), number_in(serial)


def count_in(row: Row) -> int:
    """The count that is all of a row."""
    number = row[0]
    assert number is not None, "a count is never NULL"
    return number_in(number)

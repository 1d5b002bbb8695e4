"""Values as PostgreSQL reads and writes them in binary: numbers, arrays of them and of bytes."""

from collections.abc import Iterable, Sequence
from struct import Struct

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

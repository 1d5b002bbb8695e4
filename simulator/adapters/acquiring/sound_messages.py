"""Card messages without a fault, written and read in one pass over the rows of the field table.

What is not sound gives None: the library judges it then, and says which field is wrong and where.
It takes four times as long (docs/makers/performance.md). Source: ISO 8583:1987.
"""

from binascii import a2b_hex
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from simulator.domain.acquiring.fields import (
    ANS,
    FIELDS,
    TWO_BYTES,
    B,
    CardField,
    fault_in,
    is_checked,
)

KIND_BYTES, MAP_BYTES, BITS = 4, 8, 128
# The first bit of a bitmap says that a second one follows.
SECOND_MAP = 1 << (BITS - 1)
BITMAPS_KEPT = 256


class FieldForm(NamedTuple):
    """What a field takes on the line: its bit in both bitmaps, how its content and its length are
    written, its size in bytes, and its row where not every character may stand in it.
    """

    key: str
    bit: int
    encoding: str
    length: int
    size: int
    checked: CardField | None


def encoding_of(row: CardField) -> str:
    """How the content of a field is written: UTF-8 where text of the merchant travels."""
    return "b" if row.content == B else "utf-8" if row.content == ANS else "ascii"


LAYOUT = tuple(
    FieldForm(
        key=row.key,
        bit=1 << (BITS - row.number),
        encoding=encoding_of(row),
        length=row.length,
        size=row.size,
        checked=row if is_checked(row) else None,
    )
    for row in FIELDS
)
NAMED = sum(form.bit for form in LAYOUT)


def write_sound(header: bytes, message: Mapping[str, str]) -> bytes | None:
    """The bytes of a message behind `header`, without its length; None where it is not sound."""
    parts, bits, left = [b"", b""], 0, len(message) - 1
    try:
        kind = message["t"].encode("ascii")
        for key, bit, encoding, length, size, _ in LAYOUT:
            if key not in message:
                continue
            value = message[key]
            content = a2b_hex(value) if encoding == "b" else value.encode(encoding)
            long = len(content)
            if long > size or (not length and long != size):
                return None
            parts.append(_length_of(long, length))
            parts.append(content)
            bits |= bit
            left -= 1
    except (KeyError, ValueError):
        return None
    if left or len(kind) != KIND_BYTES:
        return None
    parts[0], parts[1] = header + kind, _bitmaps_of(bits)
    return b"".join(parts)


def read_sound(raw: bytes, header: int) -> dict[str, str] | None:
    """The message in bytes that stand behind a header of `header` bytes; None where it is not
    sound.
    """
    at = header + KIND_BYTES
    kind, bitmap = raw[header:at], raw[at : at + MAP_BYTES]
    if bitmap[:1] >= b"\x80":
        bitmap = raw[at : at + 2 * MAP_BYTES]
    fields = _fields_in(bitmap)
    at += len(bitmap)
    if fields is None:
        return None
    try:
        message = {"t": kind.decode("ascii")}
        for key, _, encoding, length, size, checked in fields:
            if length:
                size, at = _length_in(raw[at : at + abs(length)], length, size), at + abs(length)
            content, at = raw[at : at + size], at + size
            value = content.hex().upper() if encoding == "b" else content.decode(encoding)
            if not value or (checked is not None and fault_in(checked, value)):
                return None
            message[key] = value
    except ValueError:
        return None
    # What is cut off ends before, and what is too long after, the end of its last field.
    return message if at == len(raw) else None


def _length_of(long: int, length: int) -> bytes:
    if length == TWO_BYTES:
        return long.to_bytes(-TWO_BYTES, "big")
    return b"%0*d" % (length, long) if length else b""


def _length_in(written: bytes, length: int, size: int) -> int:
    """The length of a field of at most `size` bytes. Raises ValueError."""
    if length == TWO_BYTES:
        long = int.from_bytes(written, "big")
    elif written.isdigit():
        long = int(written)
    else:
        raise ValueError("expected digits")
    if long > size:
        raise ValueError("too long")
    return long


def _bitmaps_of(bits: int) -> bytes:
    both = BITS // 8
    if bits & ((1 << (BITS // 2)) - 1):
        return (bits | SECOND_MAP).to_bytes(both, "big")
    return bits.to_bytes(both, "big")[:MAP_BYTES]


@lru_cache(BITMAPS_KEPT)
def _fields_in(bitmap: bytes) -> tuple[FieldForm, ...] | None:
    """The fields that a bitmap names, or both; None where it is cut off or names another."""
    if len(bitmap) not in (MAP_BYTES, 2 * MAP_BYTES):
        return None
    bits = int.from_bytes(bitmap.ljust(2 * MAP_BYTES, b"\0"), "big")
    if len(bitmap) > MAP_BYTES:
        bits &= ~SECOND_MAP
    return tuple(form for form in LAYOUT if form.bit & bits) if bits & ~NAMED == 0 else None

"""The data of messages: fields (BMP) with fixed or variable length, digits as BCD, TLV objects.

A field has no length of its own unless its row says so; one without a row ends the reading.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from pos_emulator.tlv import Node, TlvError, TlvLimits, parse

TLV = 0x06
TLV_LIMITS = TlvLimits(size_bytes=4096, depth=6, count=256)


class FieldError(ValueError):
    """Data that are no fields; the message says which, and no value."""


class Form(Enum):
    """How long a field is: as its row says, two or three digits before it, a length of BER."""

    FIXED = 0
    LLVAR = 2
    LLLVAR = 3
    BER = -1


class BmpRow(NamedTuple):
    """A field: what it holds, its form, and its size in bytes if that is fixed."""

    name: str
    form: Form
    size: int = 0


# fmt: off
FIELDS: Mapping[int, BmpRow] = {
    0x01: BmpRow("time-out",                    Form.FIXED, 1),
    0x02: BmpRow("status informations at most", Form.FIXED, 1),
    0x03: BmpRow("service byte",                Form.FIXED, 1),
    0x04: BmpRow("amount",                      Form.FIXED, 6),
    0x05: BmpRow("number of the pump",          Form.FIXED, 1),
    TLV:  BmpRow("TLV objects",                 Form.BER),
    0x0B: BmpRow("trace number",                Form.FIXED, 3),
    0x0C: BmpRow("time",                        Form.FIXED, 3),
    0x0D: BmpRow("date",                        Form.FIXED, 2),
    0x0E: BmpRow("expiry",                      Form.FIXED, 2),
    0x17: BmpRow("card sequence number",        Form.FIXED, 2),
    0x19: BmpRow("kind of payment",             Form.FIXED, 1),
    0x22: BmpRow("card number",                 Form.LLVAR),
    0x23: BmpRow("track 2",                     Form.LLVAR),
    0x24: BmpRow("track 3",                     Form.LLLVAR),
    0x27: BmpRow("result code",                 Form.FIXED, 1),
    0x29: BmpRow("terminal id",                 Form.FIXED, 4),
    0x2A: BmpRow("contract number",             Form.FIXED, 15),
    0x2D: BmpRow("track 1",                     Form.LLVAR),
    0x2E: BmpRow("synchronous chip data",       Form.LLLVAR),
    0x37: BmpRow("trace number of the first",   Form.FIXED, 3),
    0x3A: BmpRow("card verification code",      Form.FIXED, 2),
    0x3B: BmpRow("authorization code",          Form.FIXED, 8),
    0x3C: BmpRow("additional text",             Form.LLLVAR),
    0x3D: BmpRow("password",                    Form.FIXED, 3),
    0x49: BmpRow("currency",                    Form.FIXED, 2),
    0x60: BmpRow("single totals",               Form.LLLVAR),
    0x87: BmpRow("receipt number",              Form.FIXED, 2),
    0x88: BmpRow("turnover number",             Form.FIXED, 3),
    0x8A: BmpRow("kind of card",                Form.FIXED, 1),
    0x8B: BmpRow("name of the card",            Form.LLVAR),
    0x8C: BmpRow("kind of card at the host",    Form.FIXED, 1),
    0x92: BmpRow("offline chip data",           Form.LLLVAR),
    0x9A: BmpRow("purse",                       Form.LLLVAR),
    0xA0: BmpRow("result code of the host",     Form.FIXED, 1),
    0xA7: BmpRow("file of the chip",            Form.LLVAR),
    0xAA: BmpRow("date with year",              Form.FIXED, 3),
    0xAF: BmpRow("file information",            Form.LLLVAR),
    0xBA: BmpRow("parameter of the AID",        Form.FIXED, 5),
}
# fmt: on


def parse_fields(data: bytes) -> dict[int, bytes]:
    """The value of each field, by its number. Raises FieldError for one that is unknown, cut off
    or there twice.
    """
    found: dict[int, bytes] = {}
    at = 0
    while at < len(data):
        number = data[at]
        row = FIELDS.get(number)
        if row is None or number in found:
            reason = "a field without a row" if row is None else "a field twice"
            raise FieldError(f"field {number:02X} at byte {at}: {reason}")
        start, end = _place(data, at + 1, row)
        if end > len(data):
            raise FieldError(f"field {number:02X} at byte {at}: cut off")
        found[number] = data[start:end]
        at = end
    return found


def write_field(number: int, value: bytes) -> bytes:
    """Number, length where the row says so, and value. Raises FieldError for another size."""
    row = FIELDS[number]
    if row.form is Form.FIXED and len(value) != row.size:
        raise FieldError(f"field {number:02X}: expected {row.size} bytes, got {len(value)}")
    return bytes((number,)) + _length(len(value), row.form) + value


def write_fields(values: Mapping[int, bytes]) -> bytes:
    """Fields in this order."""
    return b"".join(write_field(number, value) for number, value in values.items())


def variable(value: bytes, form: Form) -> bytes:
    """A value with its length before it, outside of a field."""
    return _length(len(value), form) + value


def bcd(digits: str | int, size: int) -> bytes:
    """Digits, two a byte, with zeros before them. Raises FieldError where they do not fit."""
    text = str(digits).zfill(2 * size)
    if len(text) != 2 * size or not re.fullmatch("[0-9]+", text):
        raise FieldError(f"expected at most {2 * size} digits")
    return bytes.fromhex(text)


def digits_of(value: bytes) -> str:
    """The digits of BCD. Raises FieldError for anything else."""
    text = value.hex()
    if not text.isdecimal():
        raise FieldError("expected digits, two a byte")
    return text


def objects_of(fields: Mapping[int, bytes]) -> tuple[Node, ...]:
    """The TLV objects of a message. Raises FieldError."""
    try:
        return parse(fields.get(TLV, b""), TLV_LIMITS)
    except TlvError as error:
        raise FieldError(f"field {TLV:02X}: {error}") from None


def _place(data: bytes, at: int, row: BmpRow) -> tuple[int, int]:
    """Where a value begins and ends. Raises FieldError."""
    if row.form is Form.FIXED:
        return at, at + row.size
    if row.form is Form.BER:
        return _ber_place(data, at)
    count = row.form.value
    length = data[at : at + count]
    # Each digit of a length stands in a byte of its own: F0 F8 is 8.
    if len(length) < count or any(not 0xF0 <= each <= 0xF9 for each in length):
        raise FieldError(f"at byte {at}: expected a length of {count} digits, each F0 to F9")
    return at + count, at + count + int("".join(str(each & 0x0F) for each in length))


def _ber_place(data: bytes, at: int) -> tuple[int, int]:
    first = data[at : at + 1]
    more = {0x81: 1, 0x82: 2}.get(first[0] if first else 0, 0)
    if not first or (first[0] > 0x7F and not more) or len(data) < at + 1 + more:
        raise FieldError(f"at byte {at}: expected a length of one to three bytes")
    start = at + 1 + more
    return start, start + (int.from_bytes(data[at + 1 : start], "big") if more else first[0])


def _length(size: int, form: Form) -> bytes:
    if form is Form.FIXED:
        return b""
    if form is Form.BER:
        short = size.to_bytes(1, "big") if size < 0x80 else b""
        return short or (b"\x81" + bytes((size,)) if size < 0x100 else b"\x82" + _big(size))
    if size >= 10**form.value:
        raise FieldError(f"expected at most {form.value} digits of length, got {size} bytes")
    return bytes(0xF0 | int(each) for each in f"{size:0{form.value}d}")


def _big(size: int) -> bytes:
    return size.to_bytes(2, "big")

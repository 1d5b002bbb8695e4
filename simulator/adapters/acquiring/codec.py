"""Card messages as bytes and back, by the rows of the field table.

A message begins with a header of five bytes (TPDU) and its type; ASCII, lengths in digits, UTF-8
where text of the merchant travels. Source: ISO 8583:1987. Choice: D-183.
"""

from collections.abc import Mapping
from typing import Any

from iso8583 import DecodeError, EncodeError, decode, encode

from simulator.adapters.acquiring.sound_messages import encoding_of, read_sound, write_sound
from simulator.domain.acquiring.fields import (
    BY_KEY,
    FIELDS,
    FRAME_BYTES_MAX,
    TWO_BYTES,
    CardField,
    fault_in,
    is_checked,
)

TPDU = "6000010000"
HEADER = bytes.fromhex(TPDU)
TPDU_BYTES = len(HEADER)
LENGTH_BYTES = 2
NO_FIELDS = frozenset({"h", "p", "1"})
KNOWN = NO_FIELDS | {"t"} | BY_KEY.keys()
# Whose content the codec does not judge.
CHECKED = {key: row for key, row in BY_KEY.items() if is_checked(row)}


class InvalidMessageError(Exception):
    """A message that breaks the format: the field and the position in bytes, never a value.

    `read` is what was understood before.
    """

    def __init__(self, field: str, position: int, why: str, read: Mapping[str, str]):
        super().__init__(f"field {field} at {position}: {why}")
        self.field, self.position, self.read = field, position, read


def encoded(message: Mapping[str, str]) -> bytes:
    """The bytes of a message, without the length in front. Raises InvalidMessageError."""
    raw = write_sound(HEADER, message)
    if raw is None:
        raw = encoded_by_library(message)
    if len(raw) > FRAME_BYTES_MAX:
        raise InvalidMessageError("h", 0, f"{len(raw)} bytes, at most {FRAME_BYTES_MAX}", {})
    return raw


def decoded(raw: bytes) -> dict[str, str]:
    """The message in bytes that stood behind a length. Raises InvalidMessageError."""
    message = read_sound(raw, TPDU_BYTES)
    return decoded_by_library(raw) if message is None else message


def encoded_by_library(message: Mapping[str, str]) -> bytes:
    """The same as `encoded`, of any length, for a message that need not be sound."""
    try:
        raw, _ = encode({"h": TPDU, "p": "", **message}, SPEC)
    except EncodeError as error:
        raise InvalidMessageError(str(error.field), 0, error.msg, {}) from None
    return bytes(raw)


def decoded_by_library(raw: bytes) -> dict[str, str]:
    """The same as `decoded`, for a message that need not be sound."""
    try:
        message, parts = decode(raw, SPEC)
    except DecodeError as error:
        raise InvalidMessageError(
            str(error.field), error.pos, error.msg, _sound(error.doc_dec)
        ) from None
    for key, value in message.items():
        if key not in KNOWN:
            raise InvalidMessageError(
                key, _position(parts, key), "expected no such field", _sound(message)
            )
        row = CHECKED.get(key)
        if row is not None and fault_in(row, value):
            why = f"expected {row.content} characters"
            raise InvalidMessageError(key, _position(parts, key), why, _sound(message))
    return _fields(message)


def framed(raw: bytes) -> bytes:
    """A message with its length in front: two bytes, big end first."""
    return len(raw).to_bytes(LENGTH_BYTES, "big") + raw


def _fields(message: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in message.items() if value and key not in NO_FIELDS}


def _sound(message: Mapping[str, str]) -> dict[str, str]:
    """The fields that hold what they may: what a refusal can repeat."""
    return {key: value for key, value in _fields(message).items() if _is_sound(key, value)}


def _is_sound(key: str, value: str) -> bool:
    row = CHECKED.get(key)
    return key in KNOWN and not (row is not None and fault_in(row, value))


def _position(parts: Mapping[str, Mapping[str, bytes]], field: str) -> int:
    """Where a field of a decoded message begins."""
    before = list(parts)[: list(parts).index(field)]
    return sum(len(parts[key]["len"]) + len(parts[key]["data"]) for key in before)


def _row_of(field: CardField) -> dict[str, Any]:
    in_bytes = field.length == TWO_BYTES
    return {
        "data_enc": encoding_of(field),
        "len_enc": "b" if in_bytes else "ascii",
        "len_type": abs(field.length),
        "max_len": field.size,
        "desc": field.name,
    }


def _spec() -> dict[str, dict[str, Any]]:
    fixed = {"len_enc": "ascii", "len_type": 0}
    spec: dict[str, dict[str, Any]] = {
        "h": {**fixed, "data_enc": "b", "max_len": TPDU_BYTES, "desc": "TPDU"},
        "t": {**fixed, "data_enc": "ascii", "max_len": 4, "desc": "message type"},
        "p": {**fixed, "data_enc": "b", "max_len": 8, "desc": "bitmap, primary"},
        "1": {**fixed, "data_enc": "b", "max_len": 8, "desc": "bitmap, secondary"},
    }
    unused = (number for number in range(2, 129) if str(number) not in BY_KEY)
    # A field that no row names cannot be: the sender is answered which one.
    spec |= {
        str(number): {**fixed, "data_enc": "ascii", "max_len": 0, "desc": "not used"}
        for number in unused
    }
    return spec | {row.key: _row_of(row) for row in FIELDS}


SPEC = _spec()

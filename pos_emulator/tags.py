"""What each EMV tag is called and how its value is written, from `tags.csv`.

Formats are those of EMV Book 3, annex A: n (digits, filled with zeros on the left), cn (digits,
filled with F on the right), an and ans (characters), b (bytes), t (holds other objects).
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pos_emulator.bits import CRYPTOGRAMS, CVM_RESULTS, bit_names, cvm_words


class Tag(NamedTuple):
    """A row of `tags.csv`."""

    tag: str
    name: str
    format: str


# Values from which an account, a person or a PIN can be read. 9F46 recovers to the number with
# public keys alone.
SECRET: Mapping[str, str] = {
    "56": "track 1",
    "57": "track 2",
    "5A": "account number",
    "5F20": "name of the cardholder",
    "99": "PIN block",
    "9F0B": "name of the cardholder",
    "9F1F": "track 1",
    "9F20": "track 2",
    "9F46": "certificate that holds the account number",
    "9F6B": "track 2",
}


@cache
def tags() -> Mapping[str, Tag]:
    """Every known tag."""
    text = files("pos_emulator").joinpath("tags.csv").read_text(encoding="utf-8")
    return {row["tag"]: Tag(**row) for row in csv.DictReader(text.splitlines())}


def name_of(tag: str) -> str:
    """The name of a tag, or that it is unknown."""
    known = tags().get(tag)
    return known.name if known else "unknown data object"


def format_of(tag: str) -> str:
    """The format of a tag's value; b for an unknown tag."""
    known = tags().get(tag)
    return known.format if known else "b"


def fitted(tag: str, value: bytes, length: int) -> bytes:
    """The value cut or filled to the length that a data object list asks for.

    Source: EMV Book 3, 5.4.
    """
    kind = format_of(tag)
    if kind == "n":
        return value[-length:].rjust(length, b"\x00") if length else b""
    return value[:length].ljust(length, b"\xff" if kind == "cn" else b"\x00")


def in_words(tag: str, value: bytes) -> str:
    """What a value says, for people; nothing that a secret tag holds.

    Bits and codes come as words, text as text, all else as hexadecimal digits.
    """
    if tag in SECRET:
        return f"({SECRET[tag]}, {len(value)} bytes)"
    bits = bit_names(tag, value)
    if bits:
        return f"{value.hex().upper()} ({', '.join(bits)})"
    if tag == "9F27" and len(value) == 1:
        return f"{value.hex().upper()} ({CRYPTOGRAMS.get(value[0] & 0xC0, 'reserved')})"
    if tag == "9F34" and len(value) == 3:
        words = cvm_words(value[0], value[1])
        return f"{value.hex().upper()} ({words}: {CVM_RESULTS.get(value[2], 'unknown')})"
    if tag == "8E" and len(value) >= 8 and len(value) % 2 == 0:
        rules = (cvm_words(value[at], value[at + 1]) for at in range(8, len(value), 2))
        return f"{value.hex().upper()} ({'; '.join(rules)})"
    if format_of(tag) in ("an", "ans") and value.isascii() and value.decode().isprintable():
        return value.decode()
    return value.hex().upper()

"""Data object lists: what a card asks of the terminal, as pairs of tag and length.

Source: EMV Book 3, 5.4.
"""

from collections.abc import Iterable, Mapping

from pos_emulator.tags import fitted
from pos_emulator.tlv import TlvError, read_tag

LENGTH_MAX = 255

Dol = tuple[tuple[str, int], ...]


def parse_dol(data: bytes) -> Dol:
    """The pairs of a list. Raises TlvError if it is cut off or asks for more than 255 bytes."""
    pairs = []
    at = 0
    while at < len(data):
        tag, at = read_tag(data, at)
        if at >= len(data):
            raise TlvError(at, f"the length of {tag} is missing")
        pairs.append((tag, data[at]))
        at += 1
    if sum(length for _, length in pairs) > LENGTH_MAX:
        raise TlvError(0, f"the list asks for more than {LENGTH_MAX} bytes")
    return tuple(pairs)


def encode_dol(pairs: Iterable[tuple[str, int]]) -> bytes:
    """The bytes of a list."""
    return b"".join(bytes.fromhex(tag) + bytes([length]) for tag, length in pairs)


def fill_dol(dol: Dol, values: Mapping[str, bytes]) -> bytes:
    """The values a list asks for, one after the other; zeros for those that are missing."""
    return b"".join(
        fitted(tag, values[tag], length) if tag in values else bytes(length) for tag, length in dol
    )


def split_dol(dol: Dol, data: bytes) -> Mapping[str, bytes]:
    """The values of the tags in `data`. Raises TlvError if the lengths differ."""
    if len(data) != length_of(dol):
        raise TlvError(len(data), f"{length_of(dol)} bytes were asked for")
    values = {}
    at = 0
    for tag, length in dol:
        values[tag] = data[at : at + length]
        at += length
    return values


def length_of(dol: Dol) -> int:
    """How many bytes a list asks for."""
    return sum(length for _, length in dol)

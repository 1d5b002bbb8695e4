"""BER-TLV, as chips write it: tags in order, repeated ones too, and templates within templates.

Source: EMV book 3, annex B.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

MORE_BYTES, NEXT_BYTE = 0x1F, 0x80
# The first digits of tags whose bit 0x20 is set.
TEMPLATE_DIGITS = "2367ABEF"
TAG_BYTES_MAX, LENGTH_BYTES_MAX, DEPTH_MAX = 4, 2, 8


class Element(NamedTuple):
    """A tag, in upper case hex, and its value."""

    tag: str
    value: bytes


def elements_of(data: bytes) -> list[Element]:
    """The elements that fill `data`, in order. Raises ValueError where they do not."""
    found = []
    at, end = 0, len(data)
    while at < end:
        start, at = at, _after_tag(data, at)
        tag = data[start:at].hex().upper()
        # Nearly all lengths are of one byte.
        if at < end and data[at] < NEXT_BYTE:
            length, at = data[at], at + 1
        else:
            length, at = _length_at(data, at)
        start, at = at, at + length
        if at > end:
            raise ValueError("a value is cut short")
        found.append(Element(tag, data[start:at]))
    return found


def written(elements: Iterable[Element]) -> bytes:
    """Elements as bytes."""
    return b"".join([
        bytes.fromhex(tag) + _length_of(value) + value for tag, value in elements
    ])  # fmt: skip


def without(data: bytes, tags: Collection[str], depth: int = DEPTH_MAX) -> list[Element]:
    """The elements of `data` without those of `tags`, at whatever depth. Raises ValueError."""
    if depth == 0:
        raise ValueError("templates are nested too deeply")
    return [
        Element(each.tag, written(without(each.value, tags, depth - 1)))
        if each.tag[0] in TEMPLATE_DIGITS
        else each
        for each in elements_of(data)
        if each.tag not in tags
    ]


def _after_tag(data: bytes, at: int) -> int:
    end = at + 1
    if data[at] & MORE_BYTES != MORE_BYTES:
        return end
    # Nearly all longer tags have two bytes.
    if end < len(data) and data[end] < NEXT_BYTE:
        return end + 1
    while end < len(data) and data[end] & NEXT_BYTE:
        end += 1
    end += 1
    if end > len(data) or end - at > TAG_BYTES_MAX:
        raise ValueError("a tag is cut short or too long")
    return end


def _length_at(data: bytes, at: int) -> tuple[int, int]:
    """A length, and where its value begins."""
    if at >= len(data):
        raise ValueError("a length is missing")
    first = data[at]
    if first < NEXT_BYTE:
        return first, at + 1
    count = first - NEXT_BYTE
    end = at + 1 + count
    if not 0 < count <= LENGTH_BYTES_MAX or end > len(data):
        raise ValueError("a length is cut short or too long")
    return int.from_bytes(data[at + 1 : end], "big"), end


def _length_of(value: bytes) -> bytes:
    size = len(value)
    if size < NEXT_BYTE:
        return bytes((size,))
    return b"\x81" + bytes((size,)) if size < 0x100 else b"\x82" + size.to_bytes(2, "big")

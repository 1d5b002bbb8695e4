"""BER-TLV, as chips write it: tags in order, repeated ones too, and templates within templates.

Source: EMV book 3, annex B.
"""

from collections.abc import Collection, Iterable

MORE_BYTES, NEXT_BYTE = 0x1F, 0x80
TEMPLATE = 0x20
TAG_BYTES_MAX, LENGTH_BYTES_MAX, DEPTH_MAX = 4, 2, 8

# A tag and its value. There are some twenty in each payment, so it is no class.
Element = tuple[bytes, bytes]


def elements_of(data: bytes) -> list[Element]:
    """The elements that fill `data`, in order. Raises ValueError where they do not."""
    found = []
    at, end = 0, len(data)
    while at < end:
        start = at
        # Nearly all tags have one byte or two, and nearly all lengths one.
        if data[at] & MORE_BYTES != MORE_BYTES:
            at += 1
        elif at + 1 < end and data[at + 1] < NEXT_BYTE:
            at += 2
        else:
            at = _after_tag(data, at)
        tag = data[start:at]
        if at < end and data[at] < NEXT_BYTE:
            length, at = data[at], at + 1
        else:
            length, at = _length_at(data, at)
        start, at = at, at + length
        if at > end:
            raise ValueError("a value is cut short")
        found.append((tag, data[start:at]))
    return found


def values_of(data: bytes) -> dict[str, bytes]:
    """The values that fill `data` by their tags in upper case hex; of one that is there twice the
    last. Raises ValueError.
    """
    return {tag.hex().upper(): value for tag, value in elements_of(data)}


def written(elements: Iterable[Element]) -> bytes:
    """Elements as bytes."""
    return b"".join([tag + _length_of(value) + value for tag, value in elements])


def without(
    elements: list[Element], tags: Collection[bytes], depth: int = DEPTH_MAX
) -> list[Element]:
    """Elements less those of `tags`, at whatever depth; the same list where nothing is taken out.
    Raises ValueError.
    """
    if depth == 0:
        raise ValueError("templates are nested too deeply")
    if not any(tag in tags or tag[0] & TEMPLATE for tag, _ in elements):
        return elements
    return [
        (tag, written(without(elements_of(value), tags, depth - 1)))
        if tag[0] & TEMPLATE
        else (tag, value)
        for tag, value in elements
        if tag not in tags
    ]


def _after_tag(data: bytes, at: int) -> int:
    """Where a tag of several bytes ends."""
    end = at + 1
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

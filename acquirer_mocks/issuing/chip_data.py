"""The data objects of field 55, read and written: BER-TLV. Source: EMV Book 3, annex B."""

from collections.abc import Iterator, Mapping

MORE_TAG_BYTES, LONG_FORM = 0x1F, 0x80
LENGTH_BYTES_MAX = 2


def data_objects(chip: str) -> dict[str, bytes]:
    """The data objects of hex TLV by tag, in capitals; the first of a tag that is there twice.

    Raises ValueError, which names a position and no value.
    """
    try:
        data = bytes.fromhex(chip)
    except ValueError:
        raise ValueError("chip data: expected hex digits in pairs") from None
    objects: dict[str, bytes] = {}
    for tag, value in _read(data):
        objects.setdefault(tag, value)
    return objects


def written(objects: Mapping[str, bytes]) -> str:
    """Data objects as hex TLV, in their order."""
    return b"".join(data_object(tag, value) for tag, value in objects.items()).hex().upper()


def data_object(tag: str, value: bytes) -> bytes:
    """One data object: tag, length, value. `value` has at most 65,535 bytes."""
    size = len(value)
    if size < LONG_FORM:
        length = bytes([size])
    elif size < 256:
        length = bytes([0x81, size])
    else:
        length = b"\x82" + size.to_bytes(2, "big")
    return bytes.fromhex(tag) + length + value


def _read(data: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(data):
        start = at
        try:
            at = _end_of_tag(data, at)
            tag = data[start:at].hex().upper()
            size, at = _size(data, at)
        except IndexError:
            raise ValueError(f"chip data: cut off after byte {start}") from None
        if at + size > len(data):
            raise ValueError(f"chip data: {tag} at byte {start} is longer than what is left")
        yield tag, data[at : at + size]
        at += size


def _end_of_tag(data: bytes, at: int) -> int:
    if data[at] & MORE_TAG_BYTES == MORE_TAG_BYTES:
        at += 1
        while data[at] & LONG_FORM:
            at += 1
    return at + 1


def _size(data: bytes, at: int) -> tuple[int, int]:
    """The length of a value, and where the value begins."""
    first = data[at]
    if first < LONG_FORM:
        return first, at + 1
    count = first - LONG_FORM
    if not 1 <= count <= LENGTH_BYTES_MAX:
        raise ValueError(f"chip data: length at byte {at} is not one of EMV")
    end = at + 1 + count
    if end > len(data):
        raise IndexError
    return int.from_bytes(data[at + 1 : end], "big"), end

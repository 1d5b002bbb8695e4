"""The data objects of field 55, read and written: BER-TLV. Source: EMV Book 3, annex B."""

from collections.abc import Mapping

from simulator.domain.terminals import tlv


def data_objects(chip: str) -> dict[str, bytes]:
    """The data objects of hex TLV by tag, in capitals.

    Raises ValueError, which names no value: also for a tag that is there twice, of which others may
    have read the other one.
    """
    try:
        data = bytes.fromhex(chip)
    except ValueError:
        raise ValueError("chip data: expected hex digits in pairs") from None
    try:
        elements = tlv.elements_of(data)
    except ValueError as error:
        raise ValueError(f"chip data: {error}") from None
    found = {tag.hex().upper(): value for tag, value in elements}
    if len(found) < len(elements):
        raise ValueError("chip data: a tag is there twice")
    return found


def written(objects: Mapping[str, bytes]) -> str:
    """Data objects as hex TLV, in their order."""
    return b"".join(data_object(tag, value) for tag, value in objects.items()).hex().upper()


def data_object(tag: str, value: bytes) -> bytes:
    """One data object: tag, length, value. `value` has at most 65,535 bytes."""
    return tlv.written([(bytes.fromhex(tag), value)])

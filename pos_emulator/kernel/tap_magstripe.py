"""Magstripe mode of a tap: the card gives a track 2 with digits that hold for this payment alone.

The digits of the dynamic code, the transaction counter and the unpredictable number go to places
that the card names; a place is a bit of a mask, bit 1 for the last digit.
Source: EMV contactless Book C-2, 3.1 and 6.
"""

from collections.abc import Iterable

from pos_emulator.apdu import CardCommand
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.reading import entries_of, parsed
from pos_emulator.kernel.records import CardResult, EndError, EntryMode
from pos_emulator.tlv import leaves

NEEDED = ("9F65", "9F66", "9F67", "9F6B")
# The issuer derives the key of the code by it.
SEQUENCE = "5F34"
CHECKSUM_P1, CHECKSUM_P2 = 0x8E, 0x80
NUMBER_DIGITS = 8


def read_magstripe_mode(dialog: Dialog) -> None:
    """Read track 2 and fill its digits. Raises EndError if the card's data are not complete."""
    objects = _read(dialog)
    if any(tag not in objects for tag in NEEDED):
        raise EndError(CardResult.CARD_ERROR, "the card's data for magstripe mode are not complete")
    dialog.entry_mode = EntryMode.NFC_MAGSTRIPE
    if SEQUENCE in objects:
        dialog.values[SEQUENCE] = objects[SEQUENCE]
    places, code_places = _places(objects["9F66"]), _places(objects["9F65"])
    counter_digits = int.from_bytes(objects["9F67"], "big")
    count = len(places) - counter_digits
    if not 0 <= count <= NUMBER_DIGITS:
        raise EndError(CardResult.CARD_ERROR, "the card's data for magstripe mode are damaged")
    number = int.from_bytes(dialog.values["9F37"], "big") % 10**count
    code, counter = _checksum(dialog, number)
    digits = f"{counter:08d}"[8 - counter_digits :] if counter_digits else ""
    digits += f"{number:0{count}d}" if count else ""
    dialog.values["57"] = filled_track(
        objects["9F6B"], zip(places, digits, strict=True),
        zip(code_places, f"{code:08d}"[8 - len(code_places) :], strict=True),
        count,
    )  # fmt: skip


def filled_track(
    template: bytes,
    numbers: Iterable[tuple[int, str]],
    code: Iterable[tuple[int, str]],
    count: int,
) -> bytes:
    """Track 2 with digits at their places, counted from the end; the last says how many digits of
    the unpredictable number are in it. Raises EndError if a place is not in the track.
    """
    text = template.hex().upper().rstrip("F")
    head, separator, tail = text.partition("D")
    digits = list(tail)
    for place, digit in [*numbers, *code, (1, str(count))]:
        if not separator or place > len(digits) - 7:
            raise EndError(CardResult.CARD_ERROR, "the card's data for magstripe mode are damaged")
        digits[-place] = digit
    track = head + separator + "".join(digits)
    return bytes.fromhex(track + "F" * (len(track) % 2))


def _read(dialog: Dialog) -> dict[str, bytes]:
    objects: dict[str, bytes] = {}
    for entry in entries_of(dialog.values.get("94", b"")):
        for number in range(entry.first, entry.last + 1):
            response = dialog.send(CardCommand(0x00, 0xB2, number, entry.file << 3 | 4, expected=0))
            if not response.is_ok:
                raise EndError(CardResult.CARD_ERROR, "a record cannot be read")
            objects |= {node.tag: node.value for node in leaves(parsed(response.data))}
    return objects


def _checksum(dialog: Dialog, number: int) -> tuple[int, int]:
    """The dynamic code and the transaction counter, for this number."""
    data = bytes.fromhex(f"{number:08d}")
    response = dialog.send(CardCommand(0x80, 0x2A, CHECKSUM_P1, CHECKSUM_P2, data, 0))
    objects = {node.tag: node.value for node in leaves(parsed(response.data))}
    if not response.is_ok or len(objects.get("9F61", b"")) != 2 or "9F36" not in objects:
        raise EndError(CardResult.CARD_ERROR, "the card gives no dynamic code")
    dialog.values["9F36"] = objects["9F36"]
    return int.from_bytes(objects["9F61"], "big"), int.from_bytes(objects["9F36"], "big")


def _places(mask: bytes) -> list[int]:
    """The places that a mask names, the leftmost first."""
    bits = int.from_bytes(mask, "big")
    return [place for place in range(len(mask) * 8, 0, -1) if bits >> place - 1 & 1]

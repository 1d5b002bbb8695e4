"""Starts the application and reads its records.

Source: EMV Book 3, 10.1 and 10.2.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.dol import parse_dol
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import CardResult, EndError
from pos_emulator.tlv import Node, TlvError, find, leaves, object_bytes, parse

MANDATORY = ("5A", "5F24", "8C", "8D")
TEMPLATED_FILES = range(1, 11)
FILES = range(1, 31)
STATIC_TAGS = b"\x82"


class FileEntry(NamedTuple):
    """Records of a file to be read, and how many of them count for authentication."""

    file: int
    first: int
    last: int
    signed: int


def start_application(dialog: Dialog) -> bool:
    """GET PROCESSING OPTIONS; False if the card refuses this application for this payment."""
    response = send_options(dialog)
    if response.sw == apdu.CONDITIONS_NOT_MET:
        return False
    if not response.is_ok:
        raise EndError(CardResult.CARD_ERROR, "the card does not start the application")
    nodes = parsed(response.data)
    if nodes and nodes[0].tag == "80":
        content = nodes[0].value
        dialog.take((("82", content[:2]), ("94", content[2:])))
    else:
        dialog.take((node.tag, node.value) for node in leaves(nodes))
    if len(dialog.values.get("82", b"")) != 2 or "94" not in dialog.values:
        raise EndError(CardResult.CARD_ERROR, "profile or file locator is missing")
    return True


def send_options(dialog: Dialog) -> CardResponse:
    """GET PROCESSING OPTIONS with the values that the card asks for."""
    try:
        wanted = parse_dol(dialog.values.get("9F38", b""))
    except TlvError:
        raise EndError(CardResult.CARD_ERROR, "the card's list of options is damaged") from None
    dialog.sent = dialog.fill(wanted)
    data = object_bytes("83", dialog.sent)
    return dialog.send(CardCommand(0x80, 0xA8, 0, 0, data, 0))


def read_application(dialog: Dialog) -> None:
    """Every record that the file locator names. Raises EndError if the data cannot be used."""
    for entry in entries_of(dialog.values["94"]):
        for number in range(entry.first, entry.last + 1):
            read_record(dialog, entry, number)
    missing = [tag for tag in MANDATORY if tag not in dialog.values]
    if missing:
        raise EndError(CardResult.CARD_ERROR, f"the card has no {', '.join(missing)}")


def read_record(dialog: Dialog, entry: FileEntry, number: int) -> None:
    """One record: its objects, and its part of what the issuer signed."""
    response = dialog.send(CardCommand(0x00, 0xB2, number, entry.file << 3 | 4, expected=0))
    if not response.is_ok:
        raise EndError(CardResult.CARD_ERROR, "a record cannot be read")
    nodes = parsed(response.data)
    if entry.file in TEMPLATED_FILES and [node.tag for node in nodes] != ["70"]:
        raise EndError(CardResult.CARD_ERROR, "a record has no template")
    found = list(leaves(nodes))
    refuse_repeats(dialog, found)
    dialog.take((node.tag, node.value) for node in found)
    if number < entry.first + entry.signed:
        is_templated = entry.file in TEMPLATED_FILES
        dialog.static_data += nodes[0].value if is_templated else response.data


def refuse_repeats(dialog: Dialog, found: list[Node]) -> None:
    """Raise EndError if a data object stands on the card more than once."""
    counts = Counter(node.tag for node in found)
    repeated = [tag for tag, count in counts.items() if count > 1 or tag in dialog.read_tags]
    if repeated:
        raise EndError(CardResult.CARD_ERROR, f"the card has {repeated[0]} more than once")
    dialog.read_tags.update(counts)


def signed_static_data(dialog: Dialog) -> bytes | None:
    """What the issuer signed; None if the card wants more in it than EMV allows."""
    tags = dialog.values.get("9F4A")
    if tags is None:
        return dialog.static_data
    return dialog.static_data + dialog.values["82"] if tags == STATIC_TAGS else None


def entries_of(locator: bytes) -> Iterator[FileEntry]:
    """The entries of a file locator (94). Raises EndError if it is damaged."""
    if not locator or len(locator) % 4:
        raise EndError(CardResult.CARD_ERROR, "the file locator is damaged")
    for at in range(0, len(locator), 4):
        entry = FileEntry(locator[at] >> 3, *locator[at + 1 : at + 4])
        is_sound = (
            entry.file in FILES
            and not locator[at] & 0x07
            and 0 < entry.first <= entry.last
            and entry.signed <= entry.last - entry.first + 1
        )
        if not is_sound:
            raise EndError(CardResult.CARD_ERROR, "the file locator is damaged")
        yield entry


def parsed(data: bytes) -> tuple[Node, ...]:
    """The data objects of a response. Raises EndError if they are none."""
    try:
        return parse(data)
    except TlvError:
        raise EndError(CardResult.CARD_ERROR, "the card's data cannot be read") from None


def first_value(data: bytes, tag: str) -> bytes | None:
    """The value of a tag in a response; None if it is missing."""
    return find(parsed(data), tag)

"""Commands of the issuer to a card, as templates 71 and 72 of an answer; one row a command.

Each is signed with the card's key for script integrity. Source: EMV Book 3, 6.5 and 10.10; Book 2,
9. Choice: D-435.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from acquirer_mocks.issuing.chip_data import data_object
from acquirer_mocks.issuing.cryptograms import COUNTER, CardKeys, Objects, command_code

BEFORE, AFTER = "71", "72"
COMMAND, SCRIPT_ID = "86", "9F18"
MAC_SIZE = 8


class Command(NamedTuple):
    """A command: the template it is in, before or after the card's second cryptogram; class,
    instruction and parameters; and its data, which may depend on the card.
    """

    template: str
    header: str
    data: Callable[[Objects], bytes] = lambda _card: b""


# fmt: off
COMMANDS: Mapping[str, Command] = {
    # name                       template  header
    "unblock-pin":         Command(AFTER,  "84240000"),
    "block-application":   Command(AFTER,  "841E0000"),
    "unblock-application": Command(AFTER,  "84180000"),
    "block-card":          Command(AFTER,  "84160000"),
    # The counter of payments offline in a row begins at the last that was online (9F13).
    "reset-counters":      Command(BEFORE, "84DA9F13", lambda card: card[COUNTER]),
}
# fmt: on
# "put-data 9F14 05" writes a data object.
PUT_DATA = "put-data"


def command_named(name: str) -> Command:
    """The command of a name, as rows have it or "put-data TAG VALUE" in hex. Raises KeyError."""
    words = name.split(" ")
    if words[0] != PUT_DATA:
        return COMMANDS[name]
    try:
        _, tag, value = words
        data = bytes.fromhex(value)
        header = f"84DA{int(tag, 16):04X}"
    except ValueError:
        raise KeyError(name) from None
    return Command(BEFORE, header, lambda _card: data)


def templates(
    keys: CardKeys, card: Objects, names: Sequence[str], *, script: bytes
) -> dict[str, bytes]:
    """Tags 71 and 72 with the commands of these names; `script` are 4 bytes that name them."""
    inside: dict[str, bytes] = {}
    ordered = sorted((command_named(name) for name in names), key=lambda row: row.template)
    for place, row in enumerate(ordered):
        signed = _signed(keys, card, row, place)
        begin = inside.get(row.template) or data_object(SCRIPT_ID, script)
        inside[row.template] = begin + data_object(COMMAND, signed)
    return inside


def _signed(keys: CardKeys, card: Objects, row: Command, place: int) -> bytes:
    data = row.data(card)
    header = bytes.fromhex(row.header) + bytes([len(data) + MAC_SIZE])
    return header + data + command_code(keys, card, place=place, header=header, data=data)

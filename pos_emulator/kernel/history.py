"""What happened between terminal and card, in words that may be shown.

Values of secret tags are left out of every form, the hexadecimal one too; so are the data of
VERIFY, and of a response that is no TLV.
"""

from collections.abc import Iterable, Iterator

from pos_emulator.apdu import CardCommand, CardResponse, instruction_name, status_words
from pos_emulator.kernel.records import CardEvent
from pos_emulator.tags import SECRET, in_words, name_of
from pos_emulator.tlv import Node, TlvError, parse, walk

HIDDEN = "··"
NO_DATA_SHOWN = frozenset({0x20, 0x2A})
SELECT, READ_RECORD, GET_DATA = 0xA4, 0xB2, 0xCA
SHOWN_ANYWAY = frozenset({0x84, GET_DATA})


def exchange_event(command: CardCommand, response: CardResponse, note: str = "") -> CardEvent:
    """One command and its response."""
    name = f"{instruction_name(command)}{_object_of(command)}"
    text = f"{name}: {status_words(response.sw)}" + (f"; {note}" if note else "")
    return CardEvent(
        step=name,
        text=text,
        command=_command_digits(command),
        response=f"{_response_digits(command, response)}{response.sw:04X}",
        objects=tuple(_objects(response.data)),
    )


def _object_of(command: CardCommand) -> str:
    """What a command is about, where its name alone would stand there many times: the name that is
    selected, the record that is read, the object that is asked for.
    """
    if command.ins == SELECT and command.data:
        is_text = command.data.isascii() and command.data.decode("latin-1").isprintable()
        return f" {command.data.decode('ascii') if is_text else command.data.hex().upper()}"
    if command.ins == READ_RECORD:
        return f" {command.p1} of file {command.p2 >> 3}"
    return f" {command.p1:02X}{command.p2:02X}" if command.ins == GET_DATA else ""


def _command_digits(command: CardCommand) -> str:
    header = command.header.hex().upper()
    if not command.data:
        return header
    size = f"{len(command.data):02X}"
    if command.ins in NO_DATA_SHOWN:
        return header + size + HIDDEN * len(command.data)
    return header + size + command.data.hex().upper()


def _response_digits(command: CardCommand, response: CardResponse) -> str:
    try:
        return "".join(_masked(parse(response.data)))
    except TlvError:
        is_shown = command.ins in SHOWN_ANYWAY
        return response.data.hex().upper() if is_shown else HIDDEN * len(response.data)


def _masked(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        if node.is_constructed:
            yield node.tag + "(" + "".join(_masked(node.children)) + ")"
        elif node.tag in SECRET:
            yield f"{node.tag}{len(node.value):02X}" + HIDDEN * len(node.value)
        else:
            yield f"{node.tag}{len(node.value):02X}{node.value.hex().upper()}"


def _objects(data: bytes) -> Iterator[str]:
    try:
        nodes = parse(data)
    except TlvError:
        return
    for node in walk(nodes):
        value = "" if node.is_constructed else f" = {in_words(node.tag, node.value)}"
        yield f"{node.tag} {name_of(node.tag)}{value}"

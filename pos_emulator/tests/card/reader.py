"""A reader for tests of the card alone: sends commands written in hexadecimal digits."""

from dataclasses import replace

from pos_emulator.apdu import CardResponse, parse_response
from pos_emulator.card.machine import answer
from pos_emulator.card.personalization import personalize
from pos_emulator.card.records import Chip, ChipState, Interface, Memory, fresh_memory, power_on
from pos_emulator.dol import encode_dol, fill_dol
from pos_emulator.tlv import object_bytes

VALUES = {
    "9F02": bytes.fromhex("000000006000"), "9F03": bytes(6), "9F1A": b"\x02\x76",
    "95": bytes(5), "5F2A": b"\x09\x78", "9A": bytes.fromhex("261123"), "9C": b"\x00",
    "9F37": bytes.fromhex("01020304"), "9F66": bytes.fromhex("36000000"), "8A": b"00",
}  # fmt: skip


class Reader:
    """A chip under power, and what was exchanged with it."""

    def __init__(self, chip: Chip | str, interface: Interface = Interface.CONTACT) -> None:
        self.chip = personalize(chip) if isinstance(chip, str) else chip
        self.memory: Memory = fresh_memory(self.chip)
        self.reset(interface)

    def reset(self, interface: Interface = Interface.CONTACT) -> None:
        self.state: ChipState = power_on(self.chip, self.memory, interface)

    def send(self, *written: str | bytes) -> CardResponse:
        command = b"".join(bytes.fromhex(x) if isinstance(x, str) else x for x in written)
        self.state, response = answer(self.state, command)
        self.memory = self.state.memory
        return parse_response(response)

    def data(self, header: str, content: bytes) -> CardResponse:
        return self.send(header, bytes([len(content)]), content)

    def select(self, index: int = 0) -> CardResponse:
        return self.data("00A40400", self.chip.applications[index].aid)

    def start(self, **values: bytes) -> CardResponse:
        """Select and GET PROCESSING OPTIONS."""
        self.select()
        options = self.state.options
        assert options is not None
        filled = fill_dol(options.pdol, VALUES | values)
        return self.data("80A80000", object_bytes("83", filled))

    def generate(self, kind: str, *, second: bool = False, **values: bytes) -> CardResponse:
        dol = self.chip.cdol2 if second else self.chip.cdol1
        return self.data(f"80AE{kind}00", fill_dol(dol, VALUES | values))

    def remember(self, **changes: object) -> None:
        self.memory = replace(self.memory, **changes)
        self.reset()


def dol_text(*pairs: tuple[str, int]) -> str:
    return encode_dol(pairs).hex()

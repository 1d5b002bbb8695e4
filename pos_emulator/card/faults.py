"""What may go wrong with a card, on request and at a named step."""

from dataclasses import dataclass
from enum import Enum

from pos_emulator.apdu import CardCommand

AC1, AC2 = "AC1", "AC2"
STEPS = {
    0xA4: "SELECT", 0xA8: "GPO", 0xB2: "READ", 0xCA: "GET DATA", 0x20: "VERIFY",
    0x84: "CHALLENGE", 0x88: "DDA", 0x82: "EXTERNAL AUTHENTICATE", 0x2A: "CHECKSUM",
    0xC0: "GET RESPONSE",
}  # fmt: skip
SCRIPT = "SCRIPT"


class CardFaultKind(Enum):
    """What happens."""

    DEAD = "the chip never answers"
    MUTE = "the chip does not answer this command"
    ERROR = "the chip answers 6F00, once"
    REMOVED = "the card is pulled before it gets this command"
    TORN = "the card is pulled after it has saved its memory and before it answers"
    REFUSES_ISSUER = "the chip takes a genuine issuer for a false one"


@dataclass(frozen=True)
class Fault:
    """A fault and its step: a name of `STEPS`, SCRIPT, AC1, AC2, or the number of a command."""

    kind: CardFaultKind
    at: str | int = ""


def step_of(command: CardCommand, cryptograms: int) -> str:
    """The name of a command's step; `cryptograms` were asked for before."""
    if command.ins == 0xAE and command.cla == 0x80:
        return AC1 if cryptograms == 0 else AC2
    if command.cla == 0x84:
        return SCRIPT
    return STEPS.get(command.ins, f"{command.ins:02X}")


def fault_named(name: str) -> Fault:
    """The fault of a card profile. Raises KeyError for an unknown name."""
    return Fault({"mute": CardFaultKind.DEAD}[name])

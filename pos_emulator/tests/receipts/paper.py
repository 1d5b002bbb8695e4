"""A printer of receipts as its makers describe it: what the bytes put on the paper.

Written from the published table of ESC/POS commands and code pages, and not by the library that
writes receipts: a command that is not in the table, or is cut off, ends the print.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

ESC, GS, LF = 0x1B, 0x1D, 0x0A
# How many bytes follow a command. Source: ESC/POS command reference, commands by code.
# fmt: off
ARGUMENTS: Mapping[tuple[int, int], int] = {
    (ESC, 0x40): 0,   # @ initialize
    (ESC, 0x21): 1,   # ! print mode: bit 3 bold, bit 4 double height, bit 5 double width
    (ESC, 0x2D): 1,   # - underline
    (ESC, 0x32): 0,   # 2 default line spacing
    (ESC, 0x45): 1,   # E bold
    (ESC, 0x47): 1,   # G double strike
    (ESC, 0x4D): 1,   # M font
    (ESC, 0x61): 1,   # a justification
    (ESC, 0x64): 1,   # d print and feed lines
    (ESC, 0x74): 1,   # t code page
    (ESC, 0x7B): 1,   # { upside down
    (GS, 0x21): 1,    # ! size of characters
    (GS, 0x42): 1,    # B white on black
    (GS, 0x56): 1,    # V cut; 65 and 66 have one byte more
}
CODE_PAGES: Mapping[int, str] = {
    0: "cp437", 2: "cp850", 3: "cp860", 4: "cp863", 5: "cp865", 13: "cp857", 14: "cp737",
    15: "iso8859_7",
    16: "cp1252", 17: "cp866", 18: "cp852", 19: "cp858",
}
# fmt: on
BOLD_BIT = 0x08


@dataclass
class Paper:
    """What was printed: lines, those that are bold (all their characters), and how often it was
    cut.
    """

    lines: list[str] = field(default_factory=list)
    bold: list[str] = field(default_factory=list)
    cuts: int = 0
    resets: int = 0


@dataclass
class Printer:
    """The state of a printer between two bytes."""

    paper: Paper = field(default_factory=Paper)
    page: str = "cp437"
    is_bold: bool = False
    row: list[tuple[str, bool]] = field(default_factory=list)

    def obey(self, command: tuple[int, int], argument: int) -> None:
        """Carry out a command that prints nothing itself."""
        if command == (ESC, 0x40):
            self.page, self.is_bold = "cp437", False
            self.paper.resets += 1
        elif command == (ESC, 0x45):
            self.is_bold = bool(argument & 1)
        elif command == (ESC, 0x21):
            self.is_bold = bool(argument & BOLD_BIT)
        elif command == (ESC, 0x74):
            self.page = CODE_PAGES[argument]
        elif command == (ESC, 0x64):
            self.end_line()
            self.paper.lines += [""] * (argument - 1)
        elif command == (GS, 0x56):
            self.paper.cuts += 1

    def print_byte(self, byte: int) -> None:
        """Put a character on the line. Raises ValueError for one that steers a printer."""
        if byte < 0x20 or byte == 0x7F:
            raise ValueError(f"{byte:02x} is no character")
        self.row.append((bytes([byte]).decode(self.page), self.is_bold))

    def end_line(self) -> None:
        """Print the line and begin the next."""
        text = "".join(each for each, _ in self.row)
        self.paper.lines.append(text)
        if text.strip() and all(is_bold for _, is_bold in self.row):
            self.paper.bold.append(text)
        self.row = []


def paper_of(receipt: bytes) -> Paper:
    """What a printer makes of these bytes. Raises KeyError for a command that is not in the table,
    ValueError for a byte that is no character, StopIteration where a command is cut off.
    """
    printer, rest = Printer(), iter(receipt)
    for byte in rest:
        if byte == LF:
            printer.end_line()
        elif byte in (ESC, GS):
            command = (byte, next(rest))
            argument = next(rest) if ARGUMENTS[command] else 0
            if command == (GS, 0x56) and argument in (65, 66):
                next(rest)
            printer.obey(command, argument)
        else:
            printer.print_byte(byte)
    return printer.paper

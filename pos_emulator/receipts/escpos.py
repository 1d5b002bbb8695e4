"""A receipt as the bytes that printers of receipts take (ESC/POS), by the library python-escpos."""

from collections.abc import Iterable

from pos_emulator.receipts.document import PrintedLine, Style
from pos_emulator.receipts.errors import imported
from pos_emulator.receipts.text import rows_of

HEAVY = (Style.BOLD, Style.TITLE)


def render_escpos(lines: Iterable[PrintedLine]) -> bytes:
    """Return a receipt for a printer with 40 columns or more, which cuts the paper at the end.

    A character that no code page of the printer has is printed as `?`. Raises MissingExtraError.
    """
    # Imported on demand: the library reads the tables of all printers, a quarter of a second.
    printer = imported("escpos.printer").Dummy()
    printer.hw("INIT")
    for line in lines:
        printer.set(bold=line.style in HEAVY)
        for row in rows_of(line):
            printer.textln(row.rstrip())
    printer.cut()
    return bytes(printer.output)

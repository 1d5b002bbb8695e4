"""A receipt as text of 40 columns."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from pos_emulator.receipts.document import PrintedLine, Style

COLUMNS = 40


def render_text(lines: Iterable[PrintedLine]) -> str:
    """Return a receipt as lines of at most 40 characters; what is longer is broken."""
    rows = (row.rstrip() for line in lines for row in rows_of(line))
    return "".join(f"{row}\n" for row in rows)


def rows_of(line: PrintedLine) -> Iterator[str]:
    """Return the rows of one line: a value that does not fit beside its name stands below it."""
    if line.style is Style.RULE:
        yield "-" * COLUMNS
    elif line.style is Style.BLANK:
        yield ""
    elif line.style is Style.TITLE:
        yield from (row.center(COLUMNS) for row in wrap(line.left, COLUMNS))
    elif len(line.left) + len(line.right) < COLUMNS:
        yield line.left + line.right.rjust(COLUMNS - len(line.left))
    else:
        yield from wrap(line.left, COLUMNS)
        yield from (row.rjust(COLUMNS) for row in wrap(line.right, COLUMNS))

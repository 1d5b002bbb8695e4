"""A receipt as a picture: a strip of paper in SVG, which needs no other file."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from pos_emulator.receipts.document import PrintedLine, Style
from pos_emulator.receipts.text import COLUMNS, rows_of

CHARACTER, ROW, MARGIN = 8, 18, 16
FONT = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13"'
HEAVY = (Style.BOLD, Style.TITLE)


def render_svg(lines: Iterable[PrintedLine], title: str) -> str:
    """Return a receipt as SVG; `title` is what a screen reader says first."""
    rows = [(row, line.style) for line in lines for row in rows_of(line)]
    width, height = COLUMNS * CHARACTER + 2 * MARGIN, len(rows) * ROW + 2 * MARGIN
    drawn = "\n".join(_row(number, row, style) for number, (row, style) in enumerate(rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(title)}>\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<g {FONT} fill="#000" xml:space="preserve">\n{drawn}\n</g>\n</svg>\n'
    )


def _row(number: int, row: str, style: Style) -> str:
    top = MARGIN + number * ROW
    if style is Style.RULE:
        right, middle = MARGIN + COLUMNS * CHARACTER, top + ROW // 2
        return f'<path d="M{MARGIN} {middle}H{right}" stroke="#000" stroke-dasharray="4 3"/>'
    weight = ' font-weight="bold"' if style in HEAVY else ""
    text = row.rstrip()
    length = f' textLength="{len(text) * CHARACTER}"' if text else ""
    return f'<text x="{MARGIN}" y="{top + 13}"{weight}{length}>{escape(text)}</text>'

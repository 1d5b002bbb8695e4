"""A receipt as PDF, on paper 80 mm wide and as long as it needs, by the library reportlab."""

from collections.abc import Iterable
from io import BytesIO

from pos_emulator.receipts.document import PrintedLine, Style
from pos_emulator.receipts.errors import imported
from pos_emulator.receipts.text import COLUMNS, rows_of

# In points, 1/72 of an inch. Each character of Courier is 0.6 of its size wide.
WIDTH, MARGIN, ROW = 226.8, 11.3, 10.5
SIZE = (WIDTH - 2 * MARGIN) / COLUMNS / 0.6
FONT, HEAVY_FONT = "Courier", "Courier-Bold"
# Every reader of PDF has this font; it has the characters of this code page.
CHARACTERS = "cp1252"
HEAVY = (Style.BOLD, Style.TITLE)


def render_pdf(lines: Iterable[PrintedLine], title: str) -> bytes:
    """Return a receipt as a PDF of one page, the same bytes for the same receipt.

    `title` is that of the document. A character that the font lacks is printed as `?`. Raises
    MissingExtraError.
    """
    rows = [(row, line.style) for line in lines for row in rows_of(line)]
    height = len(rows) * ROW + 2 * MARGIN
    written = BytesIO()
    page = imported("reportlab.pdfgen.canvas").Canvas(
        written, pagesize=(WIDTH, height), invariant=True
    )
    page.setTitle(title)
    for number, (row, style) in enumerate(rows, 1):
        page.setFont(HEAVY_FONT if style in HEAVY else FONT, SIZE)
        text = row.rstrip().encode(CHARACTERS, "replace").decode(CHARACTERS)
        page.drawString(MARGIN, height - MARGIN - number * ROW, text)
    page.showPage()
    page.save()
    return written.getvalue()

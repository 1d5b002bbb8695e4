"""A printed document in the forms in which the page hands it out."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from pos_emulator.counter.desk import Paper
from pos_emulator.receipts.document import PrintedLine
from pos_emulator.receipts.escpos import render_escpos
from pos_emulator.receipts.pdf import render_pdf
from pos_emulator.receipts.svg import render_svg
from pos_emulator.receipts.text import render_text


class PaperForm(NamedTuple):
    """A form: what it is called on the page, its media type, and what makes it of lines and a
    title.
    """

    title: str
    media_type: str
    render: Callable[[Iterable[PrintedLine], str], bytes]


# fmt: off
FORMS: Mapping[str, PaperForm] = {
    "svg": PaperForm("Picture", "image/svg+xml",
                     lambda lines, title: render_svg(lines, title).encode()),
    "pdf": PaperForm("PDF", "application/pdf", render_pdf),
    "txt": PaperForm("Text", "text/plain; charset=utf-8",
                     lambda lines, title: render_text(lines).encode()),
    "escpos": PaperForm("ESC/POS", "application/octet-stream",
                        lambda lines, title: render_escpos(lines)),
}
# fmt: on


def paper_as(paper: Paper, form: str) -> tuple[str, bytes]:
    """Media type and content of a document in a form of FORMS. Raises MissingExtraError."""
    title = f"Receipt {paper.receipt}, {paper.name}" if paper.receipt else paper.name
    return FORMS[form].media_type, FORMS[form].render(paper.lines, title)

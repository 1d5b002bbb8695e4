"""What a printer and a reader of PDF make of a receipt."""

import re
from dataclasses import replace
from io import BytesIO

import pytest
from escpos.printer import Dummy
from pypdf import PdfReader

from pos_emulator.receipts.document import ReceiptCopy, document_of
from pos_emulator.receipts.errors import MissingExtraError, imported
from pos_emulator.receipts.escpos import render_escpos
from pos_emulator.receipts.pdf import render_pdf
from pos_emulator.receipts.text import render_text
from pos_emulator.tests.receipts.test_receipts import RECEIPT

MERCHANT = document_of(RECEIPT, ReceiptCopy.MERCHANT)
# Commands as makers of printers publish them: initialize, code page, bold, align, feed, cut.
COMMANDS = re.compile(rb"\x1b@|\x1b[tEad].|\x1b\x21.|\x1dV\x00", re.DOTALL)


def printed(receipt: bytes) -> str:
    """What stands on the paper: the bytes without commands, in the first code page."""
    return COMMANDS.sub(b"", receipt).decode("cp437")


def test_a_printer_prints_every_line_and_cuts_the_paper() -> None:
    receipt = render_escpos(MERCHANT)

    assert printed(receipt) == render_text(MERCHANT)
    assert receipt.startswith(b"\x1b@")
    assert receipt.endswith(b"\x1dV\x00")
    assert receipt.count(b"\x1bE\x01") >= 2, "amount and status are bold"


def test_a_printer_gets_the_euro_sign_in_a_code_page_that_has_it() -> None:
    receipt = render_escpos(
        document_of(replace(RECEIPT, merchant="Café 5 €"), ReceiptCopy.MERCHANT)
    )
    judge = Dummy()
    judge.text("€")

    assert b"Caf\x82 5 " in receipt
    assert bytes(judge.output) in receipt


@pytest.mark.parametrize("name", ["Shop\x1b@\x1dV\x00", "Shop\x10\x04\x01", "Shop\n\r\x0c"])
def test_a_name_steers_no_printer(name: str) -> None:
    receipt = render_escpos(document_of(replace(RECEIPT, merchant=name), ReceiptCopy.MERCHANT))

    assert receipt.count(b"\x1b@") == 1
    assert receipt.count(b"\x1dV") == 1
    assert b"\x10" not in receipt
    assert b"\x0c" not in receipt


def test_a_reader_of_pdf_finds_every_line() -> None:
    reader = PdfReader(BytesIO(render_pdf(MERCHANT, "Receipt 0042")), strict=True)
    (page,) = reader.pages
    words = render_text(MERCHANT).split()

    assert page.extract_text().split() == words
    assert reader.metadata is not None
    assert reader.metadata.title == "Receipt 0042"
    assert (round(float(page.mediabox.width) / 72 * 25.4), page.mediabox.left) == (80, 0)


def test_the_same_receipt_is_the_same_pdf() -> None:
    assert render_pdf(MERCHANT, "Receipt") == render_pdf(MERCHANT, "Receipt")


@pytest.mark.parametrize("name", ["مقهى", "Łódź", "(brackets) \\ and %", "a" * 400])
def test_a_pdf_takes_any_name(name: str) -> None:
    lines = document_of(replace(RECEIPT, merchant=name), ReceiptCopy.MERCHANT)
    text = PdfReader(BytesIO(render_pdf(lines, name)), strict=True).pages[0].extract_text()

    shown = name.encode("cp1252", "replace").decode("cp1252")
    assert "".join(shown.split()) in "".join(text.split())


def test_a_library_that_is_missing_is_named() -> None:
    with pytest.raises(MissingExtraError, match=r"no_such_library to be.*\nNext: .+\[pos\]"):
        imported("no_such_library")

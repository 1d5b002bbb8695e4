"""What a printer that knows nothing of our writer puts on the paper."""

from dataclasses import replace

import pytest

from pos_emulator.receipts.document import ReceiptCopy, document_of
from pos_emulator.receipts.escpos import render_escpos
from pos_emulator.receipts.text import COLUMNS, render_text
from pos_emulator.tests.receipts.paper import Paper, paper_of
from pos_emulator.tests.receipts.test_receipts import RECEIPT


def printed(copy: ReceiptCopy = ReceiptCopy.MERCHANT, **changes: object) -> Paper:
    return paper_of(render_escpos(document_of(replace(RECEIPT, **changes), copy)))


@pytest.mark.parametrize("copy", list(ReceiptCopy))
def test_the_paper_has_every_line_once_and_is_cut_once(copy: ReceiptCopy) -> None:
    paper = printed(copy)

    expected = render_text(document_of(RECEIPT, copy)).splitlines()
    assert [each.rstrip() for each in paper.lines if each.strip()] == [
        each.rstrip() for each in expected if each.strip()
    ]
    assert (paper.cuts, paper.resets) == (1, 1)
    assert max(map(len, paper.lines)) <= COLUMNS


def test_status_and_amount_are_bold_and_the_cryptogram_is_not() -> None:
    bold = "\n".join(printed(status="CALLISSUER").bold)

    assert "CALLISSUER" in bold
    assert "EUR" in bold
    assert RECEIPT.cryptogram not in bold


@pytest.mark.parametrize("name", ["Café 5 €", "Grüße", "Łódź", "Ωmega", "Kraków € 5"])
def test_letters_of_other_alphabets_stand_on_the_paper(name: str) -> None:
    assert name in {each.strip() for each in printed(merchant=name).lines}


@pytest.mark.parametrize("name", ["Shop\x1b@\x1dV\x00", "Shop\x10\x04\x01", "Shop\n\r\x0c", "\x7f"])
def test_a_name_puts_no_command_between_the_lines(name: str) -> None:
    paper = printed(merchant=name)

    assert (paper.cuts, paper.resets) == (1, 1)


@pytest.mark.parametrize("receipt", [b"\x1bp\x00\x19\xfa", b"\x1d(k", b"\x07", b"a\x00"])
def test_what_is_in_no_table_ends_the_print(receipt: bytes) -> None:
    with pytest.raises((KeyError, ValueError)):
        paper_of(receipt)

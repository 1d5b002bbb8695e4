"""Receipts say what happened, in 40 columns, and never a whole card number."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.receipts.document import (
    PaymentReceipt,
    PrintedLine,
    ReceiptCopy,
    ReceiptError,
    Style,
    Verification,
    amount_text,
    document_of,
)
from pos_emulator.receipts.svg import render_svg
from pos_emulator.receipts.text import COLUMNS, render_text

RECEIPT = PaymentReceipt(
    merchant="Corner Shop & Sons",
    terminal_id="10291604",
    merchant_id="000000000012345",
    receipt_number="0042",
    trace_number="000123",
    at=datetime(2026, 11, 23, 9, 5, 7, tzinfo=UTC),
    kind="SALE",
    entry_mode="CONTACTLESS",
    brand="VISA",
    card="5726",
    amount=Decimal("1234.50"),
    currency="EUR",
    status="APPROVED",
    verification=Verification.PIN,
    label="VISA DEBIT",
    aid="A0000000031010",
    sequence="01",
    cryptogram="29CCA15AE665FA2E",
    tvr="8000048000",
    tsi="E800",
    authorization_code="A1B2C3",
)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=90)


def test_the_cardholder_gets_this():
    assert (
        render_text(document_of(RECEIPT, ReceiptCopy.CARDHOLDER))
        == """\
           Corner Shop & Sons

TERMINAL                        10291604
MERCHANT                 000000000012345
RECEIPT                             0042
TRACE                             000123
2026-11-23                      09:05:07
----------------------------------------
VISA DEBIT                   CONTACTLESS
BRAND                               VISA
CARD                           **** 5726
SEQUENCE                              01
AID                       A0000000031010
CRYPTOGRAM              29CCA15AE665FA2E
TVR                           8000048000
TSI                                 E800
----------------------------------------
SALE                        EUR 1,234.50

PIN VERIFIED

                APPROVED
AUTHORIZATION                     A1B2C3

            CARDHOLDER COPY
"""
    )


def test_a_signature_is_asked_for_on_the_merchants_copy_alone():
    signed = replace(RECEIPT, verification=Verification.SIGNATURE)

    assert "SIGNATURE" in render_text(document_of(signed, ReceiptCopy.MERCHANT))
    assert "SIGNATURE" not in render_text(document_of(signed, ReceiptCopy.CARDHOLDER))


def test_what_the_card_does_not_have_is_left_out():
    swiped = replace(RECEIPT, aid="", cryptogram="", tvr="", tsi="", sequence="", label="")

    text = render_text(document_of(swiped, ReceiptCopy.MERCHANT))
    assert not [name for name in ("AID", "CRYPTOGRAM", "TVR", "TSI", "SEQUENCE") if name in text]
    assert "VISA  " in text


@pytest.mark.parametrize("status", ["DECLINED", "CALLISSUER", "PARTIAL"])
def test_the_status_text_stands_in_place_of_approved(status: str):
    text = render_text(document_of(replace(RECEIPT, status=status), ReceiptCopy.MERCHANT))

    assert status.center(COLUMNS).rstrip() in text.splitlines()
    assert "APPROVED" not in text


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [("12.00", "EUR", "EUR 12.00"), ("1200", "JPY", "JPY 1,200"), ("1.5", "KWD", "KWD 1.500"),
     ("0", "USD", "USD 0.00"), ("12.00", "JPY", "JPY 12")],
)  # fmt: skip
def test_an_amount_has_the_decimals_of_its_currency(amount: str, currency: str, text: str):
    assert amount_text(Decimal(amount), currency) == text


@pytest.mark.parametrize(
    ("amount", "currency"), [("1.005", "EUR"), ("0.5", "JPY"), ("1", "XXQ"), ("NaN", "EUR")]
)
def test_an_amount_that_the_currency_does_not_have_is_refused(amount: str, currency: str):
    with pytest.raises(ReceiptError):
        amount_text(Decimal(amount), currency)


@pytest.mark.parametrize("card", ["", "726", "45726", "4761739001010119", "57a6", "٥٧٢٦"])
def test_four_digits_of_a_card_are_shown_and_no_more(card: str):
    with pytest.raises(ReceiptError) as refusal:
        document_of(replace(RECEIPT, card=card), ReceiptCopy.MERCHANT)

    assert not card or card not in str(refusal.value)
    assert "5726" not in repr(RECEIPT)


@given(merchant=TEXTS, status=TEXTS, label=TEXTS)
@settings(deadline=None)
def test_any_text_fits_the_paper_and_the_picture(merchant: str, status: str, label: str):
    receipt = replace(RECEIPT, merchant=merchant, status=status, label=label)

    lines = document_of(receipt, ReceiptCopy.MERCHANT)
    text = render_text(lines)
    picture = render_svg(lines, f"Receipt of {receipt.receipt_number}")

    assert max(map(len, text.split("\n"))) <= COLUMNS
    assert not any(ord(each) < 32 and each != "\n" for each in text)
    assert ElementTree.fromstring(picture).get("role") == "img"


def test_the_picture_shows_each_row_of_the_text():
    lines = document_of(RECEIPT, ReceiptCopy.MERCHANT)

    drawn = ElementTree.fromstring(render_svg(lines, "Receipt 0042"))

    shown = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    rows = [row for row in render_text(lines).splitlines() if not row.startswith("-")]
    assert [text or "" for text in shown] == rows


def test_a_value_that_does_not_fit_beside_its_name_stands_below_it():
    text = render_text([PrintedLine("NAME", "x" * 50, Style.PLAIN)])

    assert text.splitlines() == ["NAME", "x" * 40, ("x" * 10).rjust(40)]

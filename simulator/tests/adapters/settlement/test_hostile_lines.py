"""Lines of files that add up, and say what no line may: numbers of cards, amounts below zero."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.domain.core.money import Money
from simulator.domain.settlement.booking import FileFacts, record_of
from simulator.domain.settlement.lines import SettlementFileError, SettlementLine
from simulator.domain.settlement.records import MerchantOnRecord, cells_of
from simulator.domain.settlement.reporting import reported_record
from simulator.tests.adapters.settlement.test_reading import (
    EVERY,
    FIXED,
    STATEMENT,
    TABLE,
    folder,
    lines_of,
)

__all__ = ["folder"]
NUMBER = "5454545454545454"
WORD = re.compile(rb"[A-Za-z0-9]{2,}")
PLACES_MAX = 120
LINE = SettlementLine(
    place=1, id="S1", batch="1", merchant_number="a" * 32, type="CB", is_credit=False,
    money=Money(Decimal("1.00"), "EUR"), gross=Money(Decimal("1.00"), "EUR"), rate=Decimal(1),
    settlement_date=date(2030, 1, 3), reason="000.100.203",
)  # fmt: skip
TO = MerchantOnRecord(psp="p", merchant="m", merchant_account="a", number="n")
FACTS = FileFacts("SGCSV", "Sandgate Clearing", datetime(2030, 1, 3, tzinfo=UTC))


@EVERY
def test_no_error_repeats_a_card_number_wherever_it_stands(folder: Path, name: str) -> None:
    path = folder / name
    content = path.read_bytes()
    words = [found.span() for found in WORD.finditer(content)]
    refused = 0
    for start, end in words[:: max(1, len(words) // PLACES_MAX)]:
        path.write_bytes(content[:start] + NUMBER.encode() + content[end:])
        try:
            lines_of(path)
        except SettlementFileError as error:
            refused += 1
            assert NUMBER not in str(error)
    assert refused > PLACES_MAX // 3


@pytest.mark.parametrize("name", ["reason_text", "merchant_transaction_id", "brand"])
def test_no_record_repeats_a_card_number_of_a_free_text(name: str) -> None:
    line = replace(LINE, **{name: f"a {NUMBER}"})

    record = record_of(line, None, None, None, to=TO, facts=FACTS)

    assert NUMBER not in "".join(cells_of(record))
    assert NUMBER not in str(reported_record(record))
    assert "545454******5454" in str(reported_record(record))


def negative_table(content: bytes) -> bytes:
    return content.replace(b",92.00,", b",-92.00,")


def negative_statement(content: bytes) -> bytes:
    return content.replace(b">92.00<", b">-92.00<")


def eleven_digits(content: bytes) -> bytes:
    return content.replace(b",92.00,", b",92000000000.00,")


def wide_yen(content: bytes) -> bytes:
    """Thirteen digits of a currency without decimals."""
    return content.replace(b"0000000001000JPY", b"9990000001000JPY")


@pytest.mark.parametrize(
    ("name", "alter", "said"),
    [
        (TABLE, negative_table, "0 to below"),
        (TABLE, eleven_digits, "0 to below"),
        (STATEMENT, negative_statement, "0 to below"),
        (FIXED, wide_yen, "0 to below"),
    ],
)
def test_amounts_that_no_column_takes_are_refused(
    folder: Path, name: str, alter: Callable[[bytes], bytes], said: str
) -> None:
    """Source: RCN-08; the direction of money is in another column."""
    path = folder / name
    altered = alter(path.read_bytes())
    assert altered != path.read_bytes()
    path.write_bytes(altered)
    summary = path.with_suffix(".summary.csv")
    if summary.exists():
        before = summary.read_bytes()
        digest = re.search(rb"[0-9a-f]{64}", before)
        assert digest is not None
        summary.write_bytes(before.replace(digest[0], sha256(altered).hexdigest().encode()))

    with pytest.raises(SettlementFileError, match=said):
        lines_of(path)

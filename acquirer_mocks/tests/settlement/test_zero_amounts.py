"""A line of zero has the direction of what it is: the amount itself has no sign."""

from datetime import date, datetime
from io import BytesIO

import pytest
from lxml import etree

from acquirer_mocks.settlement.lines import FileBatch, FileHead, FileLine, Sums
from acquirer_mocks.settlement.writers.camt import write_camt

DAY, NOW = date(2030, 1, 3), datetime(2030, 1, 3, 23)
HEAD = FileHead("bank.xml", "Sandgate Bank", "UTC", DAY, DAY, 1, NOW, NOW, NOW)


def statement_of(kind: str, *, is_credit: bool) -> etree._Element:
    """A file with one line of zero."""
    line = FileLine(
        type=kind, is_credit=is_credit, amount=0, currency="EUR", gross=0,
        settlement_currency="EUR", settlement_date=DAY, id="1", number=1,
    )  # fmt: skip
    sums, target = Sums(), BytesIO()
    sums.add(line)
    write_camt(target, HEAD, [FileBatch("1", "merchant", "EUR", sums, (), [line])])
    return etree.fromstring(target.getvalue())


@pytest.mark.parametrize(
    ("kind", "is_credit", "sign"),
    [("RF", False, "DBIT"), ("CB", True, "CRDT"), ("CB", False, "DBIT"), ("DB", True, "CRDT"),
     ("CAPTURE_FEE", False, "DBIT"), ("MONTHLY", False, "DBIT")],
)  # fmt: skip
def test_a_transaction_of_zero_has_the_direction_of_its_kind(
    kind: str, is_credit: bool, sign: str
) -> None:
    found = statement_of(kind, is_credit=is_credit)

    assert [each.text for each in found.iterfind(".//{*}TxDtls/{*}CdtDbtInd")] == [sign]


def test_an_entry_of_fees_that_come_to_zero_is_a_debit_and_counts_as_one() -> None:
    found = statement_of("CAPTURE_FEE", is_credit=False)

    (entry,) = found.iterfind(".//{*}Ntry")
    summary = found.find(".//{*}TxsSummry")
    assert entry.findtext("{*}CdtDbtInd") == "DBIT"
    assert summary.findtext("{*}TtlDbtNtries/{*}NbOfNtries") == "1"
    assert summary.findtext("{*}TtlCdtNtries/{*}NbOfNtries") == "0"

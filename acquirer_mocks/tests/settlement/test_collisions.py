"""Two payments with one reference: what a file cannot distinguish, its key knows."""

from pathlib import Path

import pytest

from acquirer_mocks.tests.settlement.movements import (
    INSTITUTES,
    ONE,
    TWO,
    file_of,
    key_of,
    movement,
    run,
)
from acquirer_mocks.tests.settlement.readings import read
from simulator.domain.ports.clearing import ClearingContract, ClearingEntry, SettlementFaults

SHARED = "000000000042"


def truths(folder: Path, entries: list[ClearingEntry], institute: str) -> list[tuple[str, int]]:
    """Status and number of payments of each transaction of the first merchant."""
    written = run(folder, entries, institute=institute)
    lines = [row for row in key_of(folder, written) if row["kind"] == "line"]
    return [
        (row["truth"]["status"], len(row["truth"]["payments"]))
        for row in lines
        if row["truth"]["recordType"] == "SETTLED"
    ]


@pytest.mark.parametrize(
    ("institute", "expected"),
    [
        (INSTITUTES[0], ("MATCHED", 1)),
        (INSTITUTES[1], ("MULTIPLE_MATCHES", 2)),
        (INSTITUTES[2], ("MATCHED", 1)),
    ],
)
def test_a_shared_reference_is_ambiguous_where_a_format_has_no_other(
    tmp_path: Path, institute: str, expected: tuple[str, int]
) -> None:
    entries = [movement(1, reference=SHARED), movement(2), movement(3, reference=SHARED)]

    assert truths(tmp_path, entries, institute) == [expected, ("MATCHED", 1), expected]


@pytest.mark.parametrize(
    "more", [{"amount": "92.01 EUR"}, {"amount": "92.00 USD"}, {"merchant_number": TWO}]
)
def test_another_amount_currency_or_merchant_is_no_shared_reference(tmp_path: Path, more) -> None:
    entries = [movement(1, reference=SHARED), movement(2, **({"reference": SHARED} | more))]

    assert {status for status, _ in truths(tmp_path, entries, INSTITUTES[1])} == {"MATCHED"}


def test_a_payment_that_comes_twice_is_one_payment(tmp_path: Path) -> None:
    faults = SettlementFaults(counts={"line_twice": 1})

    written = run(tmp_path, [movement(1)], institute=INSTITUTES[1], faults=faults)

    lines = [row for row in key_of(tmp_path, written) if row["kind"] == "line"]
    assert {row["truth"]["status"] for row in lines} == {"MATCHED"}


@pytest.mark.parametrize("institute", INSTITUTES)
def test_what_cannot_be_written_in_13_digits_is_absent(tmp_path: Path, institute: str) -> None:
    entries = [movement(1, "DB", "9999999999.99 EUR"), movement(2)]
    rupiah = {ONE: ClearingContract(merchant_number=ONE, settlement_currency="IDR")}

    written = run(tmp_path, entries, institute=institute, contracts=rupiah)

    absent = [row for row in key_of(tmp_path, written) if row["kind"] == "absent"]
    sales = [line for line in read(file_of(tmp_path, written)) if line.type == "DB"]
    assert [(row["payment"], row["planted"]) for row in absent] == [(f"{1:032x}", None)]
    assert [line.amount for line in sales] == [92]


def test_a_fault_that_could_not_be_written_is_not_planted(tmp_path: Path) -> None:
    faults = SettlementFaults(counts={"amount_large": 1})

    written = run(tmp_path, [movement(1, "DB", "9999999999.99 KWD")], faults=faults)

    assert [row["planted"] for row in key_of(tmp_path, written) if row["planted"]] == []

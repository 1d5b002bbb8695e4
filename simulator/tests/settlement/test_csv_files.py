"""Reconciliation files, read by the reader of the conformance suite, which shares no code."""

import csv
import hashlib
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import read_records
from simulator.adapters.settlement.csv_files import (
    CsvName,
    TooManyFilesError,
    WrittenCsv,
    deliver_parts,
    write_parts,
)
from simulator.domain.core.money import Money
from simulator.domain.settlement.records import (
    COLUMNS,
    AccountOnRecord,
    MerchantOnRecord,
    ReconciliationRecord,
    cells_of,
    header,
)

NAME = CsvName("8a" * 16, "Sandgate Clearing", date(2030, 1, 3))
STEM = f"{'8a' * 16}_sandgate-clearing_2030-01-03"
MERCHANT = MerchantOnRecord(
    psp="psp", division="division", merchant="merchant", merchant_account="8a" * 16, number="12345"
)
SALE = ReconciliationRecord(
    type="SETTLED",
    transaction_type="DEBIT",
    cashflow="POS",
    to=MERCHANT,
    money=Money(Decimal("92.00"), "EUR"),
    settled=Money(Decimal("92.00"), "EUR"),
    fee=Money(Decimal("1.20"), "EUR"),
    rate=Decimal("1.000000"),
    settlement_date=date(2030, 1, 3),
    file_format="SGCSV",
    institute="Sandgate Clearing",
    settlement_id="tx-1",
    payment="p1",
    connector_ids=("000000000001", "123456"),
    account=AccountOnRecord(brand="VISA", last4="1111", holder="Jones; Jane"),
    requested_at=datetime(2030, 1, 2, 23, 30),
    matching="MATCHED",
    matched=("p1",),
    why="the gateway id is the same",
)
PAYOUT = ReconciliationRecord(
    type="FEE",
    transaction_type="BATCH",
    cashflow="POS",
    to=MERCHANT,
    money=Money(Decimal("90.80"), "EUR"),
    settled=Money(Decimal("90.80"), "EUR"),
    rate=Decimal(1),
    settlement_date=date(2030, 1, 3),
    file_format="SGCSV",
    institute="Sandgate Clearing",
)


def write_csv(
    records: Iterable[ReconciliationRecord], folder: Path, name: CsvName, **limits: int
) -> list[WrittenCsv]:
    """Files that clients see at once."""
    written = write_parts(records, folder, name, **limits)
    deliver_parts(written, folder, name)
    return written


def test_the_columns_are_those_of_the_catalogue_in_its_order() -> None:
    assert tuple(COLUMNS) == header()
    assert len(header()) == 36


def test_a_file_obeys_the_rules_of_the_conformance_suite(tmp_path: Path) -> None:
    (written,) = write_csv([SALE, PAYOUT], tmp_path, NAME)

    records = list(read_records(written.path))

    assert list(broken_rules(records)) == []
    assert written.lines == len(records) == 2
    sale = records[0]
    assert (sale["AccountHolder"], sale["TxRequestTime"]) == ("Jones; Jane", "2030-01-02 23:30:00")
    assert (sale["ConnectorTxId2"], sale["ConnectorTxId3"]) == ("123456", "")
    assert "the gateway id" not in written.path.read_text("utf-8")


def test_several_matches_are_separated_by_commas_and_rates_rounded_half_up(tmp_path: Path) -> None:
    record = replace(
        SALE, matching="MULTIPLE_MATCHES", matched=("p1", "p2"), rate=Decimal("1.005000")
    )

    cells = dict(zip(header(), cells_of(record), strict=True))

    assert (cells["MatchedTransactions"], cells["SettlementFxRate"]) == ("p1,p2", "1.01")


def test_the_checksum_is_beside_the_file_and_nothing_else_is_left(tmp_path: Path) -> None:
    (written,) = write_csv([SALE], tmp_path, NAME)

    assert {each.name for each in tmp_path.iterdir()} == {
        f"{STEM}_001.csv",
        f"{STEM}_001.csv.sha256",
    }
    digest = hashlib.sha256(written.path.read_bytes()).hexdigest()
    noted = (tmp_path / f"{STEM}_001.csv.sha256").read_text()
    assert noted == f"{digest}  {written.path.name}\n" and written.sha256 == digest


def test_a_correction_is_the_next_number_and_a_delivered_file_stays(tmp_path: Path) -> None:
    (first,) = write_csv([SALE], tmp_path, NAME)
    before = first.path.read_bytes()

    (second,) = write_csv([PAYOUT], tmp_path, NAME)

    assert second.path.name == f"{STEM}_002.csv"
    assert first.path.read_bytes() == before


def test_a_long_day_is_split_and_no_record_makes_no_file(tmp_path: Path) -> None:
    written = write_csv([SALE] * 5, tmp_path, NAME, lines_max=2)

    assert [each.lines for each in written] == [2, 2, 1]
    assert sum(len(list(read_records(each.path))) for each in written) == 5
    assert write_csv([], tmp_path, NAME) == []


def files_with_lines(folder: Path) -> dict[str, list[str]]:
    """What clients see: each file with its lines; each has its checksum beside it."""
    found = {each.name: each.read_bytes() for each in folder.iterdir()}
    seen = {name: content for name, content in found.items() if name.endswith(".csv")}
    sums = {f"{name}.sha256": f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
            for name, content in seen.items()}  # fmt: skip
    assert found == {**seen, **sums}
    return {name: content.decode().splitlines()[1:] for name, content in sorted(seen.items())}


FIVE = [replace(SALE, settlement_id=f"tx-{number}") for number in range(5)]
THREE_FILES = [f"{STEM}_{number:03}.csv" for number in (1, 2, 3)]


@pytest.mark.parametrize("stopped_at", [1, 2, 3])
@pytest.mark.parametrize("end", [".sha256", ""], ids=["its checksum", "the file"])
def test_a_try_that_ended_between_its_files_is_gone_on_with(
    tmp_path: Path, stopped_at: int, end: str
) -> None:
    """Whether the disk was full or the process was killed."""
    expected = tmp_path / "expected"
    write_csv(FIVE, expected, NAME, lines_max=2)
    folder = tmp_path / "folder"
    in_the_way = folder / f"{STEM}_{stopped_at:03}.csv{end}"
    written = write_parts(FIVE, folder, NAME, lines_max=2)
    if end:
        in_the_way.mkdir()
    else:
        written[stopped_at - 1].part.unlink()
    with pytest.raises(OSError):
        deliver_parts(written, folder, NAME)
    if end:
        in_the_way.rmdir()

    again = write_parts(FIVE, folder, NAME, lines_max=2)

    assert deliver_parts(again, folder, NAME) == THREE_FILES
    assert files_with_lines(folder) == files_with_lines(expected)


def test_files_that_were_all_delivered_before_the_run_ended_stay_as_they_are(
    tmp_path: Path,
) -> None:
    write_csv(FIVE, tmp_path, NAME, lines_max=2)
    before = {each.name: each.stat().st_ino for each in tmp_path.iterdir()}

    again = write_parts(FIVE, tmp_path, NAME, lines_max=2)

    assert deliver_parts(again, tmp_path, NAME) == THREE_FILES
    assert {each.name: each.stat().st_ino for each in tmp_path.iterdir()} == before


def test_what_was_delivered_by_another_run_is_delivered_again_where_it_comes_again(
    tmp_path: Path,
) -> None:
    write_csv(FIVE, tmp_path, NAME, lines_max=2)
    again = write_parts(FIVE[:2], tmp_path, NAME)

    names = deliver_parts(again, tmp_path, NAME, delivered=THREE_FILES)

    assert names == [f"{STEM}_004.csv"]


def test_a_file_that_is_cut_off_is_never_seen(tmp_path: Path) -> None:
    def broken() -> Iterator[ReconciliationRecord]:
        yield from [SALE] * 300
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write_csv(broken(), tmp_path, NAME)

    assert [each.name for each in tmp_path.iterdir()] == [f".{STEM}_001.csv.part"]
    (written,) = write_csv([SALE], tmp_path, NAME)
    assert written.path.name == f"{STEM}_001.csv" and written.lines == 1


def test_others_have_their_turn_in_a_long_file(tmp_path: Path) -> None:
    pauses = count()

    write_csv([SALE] * 1000, tmp_path, NAME, pause=lambda: next(pauses))

    assert next(pauses) >= 10


def test_a_day_has_999_files_at_most(tmp_path: Path) -> None:
    for number in range(1, 1000):
        (tmp_path / f"{STEM}_{number:03}.csv").touch()

    with pytest.raises(TooManyFilesError, match="expected at most 999"):
        write_csv([SALE], tmp_path, NAME)


@settings(max_examples=50)
@given(text=st.text(max_size=40), amount=st.decimals(0, 10**9, places=2))
def test_whatever_a_merchant_sends_comes_back_as_one_line(
    tmp_path_factory: pytest.TempPathFactory, text: str, amount: Decimal
) -> None:
    folder = tmp_path_factory.mktemp("any")
    record = replace(SALE, descriptor=text, money=Money(amount, "EUR"))

    (written,) = write_csv([record], folder, NAME)
    (read,) = read_records(written.path)

    assert read["Descriptor"] == "".join(each if each.isprintable() else " " for each in text)
    assert read.amount("Amount") == amount


def test_lines_are_those_of_the_csv_module_with_quotes_and_without(tmp_path: Path) -> None:
    names = ("Jane Jones", "Jones; Jane", 'Jane "JJ" Jones', '"', ";", "Jane, Jones", " Jane ", "")
    records = [replace(SALE, descriptor=each) for each in names]
    text = StringIO(newline="")
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(
        [header(), *map(cells_of, records)]
    )

    (written,) = write_csv(records, tmp_path, NAME)

    assert written.path.read_bytes() == text.getvalue().encode()

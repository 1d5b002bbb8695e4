"""What a run writes, read back by an independent reading: sums, controls, schema, samples.

camt.053.001.08.xsd beside this file is the schema of ISO 20022 as the Python package camt053 0.0.23
(Apache-2.0 OR MIT) has it.
"""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from acquirer_mocks.settlement.clearing import SimulatedInstitutes
from acquirer_mocks.tests.settlement.movements import (
    CONTRACTS,
    DAY,
    INSTITUTES,
    ONE,
    TWO,
    every_kind,
    file_of,
    movement,
    run,
)
from acquirer_mocks.tests.settlement.readings import Read, read, table_rows
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    DayOrder,
    SettlementFaults,
    SettlementOrderError,
)
from simulator.tests.kit.trees import ROOT

SCHEMA = Path(__file__).with_name("camt.053.001.08.xsd")
SAMPLES = ROOT / "simulator/tests/adapters/settlement/samples"
FIRST_OF_MONTH = date(2026, 12, 1)
MOVING = {"DB", "CP", "RB", "RC", "RF", "CD", "CB", "CR"}


@cache
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMA))


def is_valid(path: Path) -> bool:
    found = schema().validate(etree.parse(path))
    assert found, schema().error_log
    return bool(found)


def nets_of(lines: list[Read]) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """By merchant: what the lines add up to, and what the payouts transfer."""
    nets: dict[str, Decimal] = defaultdict(Decimal)
    payouts: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines:
        into = payouts if line.type == "BATCH" else nets
        into[line.merchant] += line.gross - line.fee
    return nets, payouts


@pytest.mark.parametrize("institute", INSTITUTES)
def test_the_payout_is_what_the_lines_add_up_to(tmp_path: Path, institute: str) -> None:
    written = run(tmp_path, institute=institute)

    nets, payouts = nets_of(read(file_of(tmp_path, written)))

    assert nets == payouts
    assert {each.merchant_number: each.net.amount for each in written.payouts} == payouts


@pytest.mark.parametrize("institute", INSTITUTES)
def test_every_movement_of_money_has_one_line(tmp_path: Path, institute: str) -> None:
    lines = read(file_of(tmp_path, run(tmp_path, institute=institute)))

    found = [(line.type, line.amount, line.currency) for line in lines if line.type in MOVING]
    expected = [
        (each.kind, each.money.amount, each.money.currency)
        for each in every_kind()
        if each.kind in MOVING
    ]

    assert sorted(found) == sorted(expected)


def test_every_type_of_fee_occurs(tmp_path: Path) -> None:
    first_of_month = date(2030, 1, 2)
    for institute in INSTITUTES:
        lines = read(file_of(tmp_path, run(tmp_path, institute=institute, day=first_of_month)))

        assert {line.type for line in lines} - MOVING == {
            "AUTH_FEE", "CAPTURE_FEE", "CANCEL_FEE", "REFUND_FEE", "MONTHLY", "SUBMERCHANT",
            "PAYMENT_FACILITATOR", "BATCH",
        }  # fmt: skip


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_file_does_not_depend_on_the_order_of_merchants(tmp_path: Path, institute: str) -> None:
    mixed = sorted(every_kind(), key=lambda each: each.merchant_number, reverse=True)

    first = file_of(tmp_path / "1", run(tmp_path / "1", institute=institute))
    second = file_of(tmp_path / "2", run(tmp_path / "2", mixed, institute=institute))

    assert first.read_bytes() == second.read_bytes()


def test_the_records_of_sgfix_add_up(tmp_path: Path) -> None:
    path = file_of(tmp_path, run(tmp_path, institute=INSTITUTES[1]))
    check_sgfix(path)


def test_the_sample_of_sgfix_adds_up() -> None:
    check_sgfix(SAMPLES / "sandgate_acquiring_2030-01-03_001.sgfix")


def check_sgfix(path: Path) -> None:
    """Counts and sums of the trailers, from the positions in the layout."""
    rows = path.read_bytes().decode("ascii").split("\n")
    assert rows.pop() == ""
    assert {len(row) for row in rows} == {200}
    debits = credits = lines = control = batches = 0
    for row in rows:
        lines += row[:2] in ("20", "30", "40")
        if row[:2] == "20":
            debits += int(row[105:118]) * (row[88] == "D")
            credits += int(row[105:118]) * (row[88] == "C")
        debits += int(row[79:92]) if row[:2] == "30" else 0
        if row[:2] == "80":
            assert (int(row[12:20]), int(row[20:38]), int(row[38:56])) == (lines, debits, credits)
            assert int(row[57:75]) == abs(credits - debits)
            control, batches = control + debits + credits, batches + 1
            debits = credits = lines = 0
    last = rows[-1]
    assert (last[:2], int(last[2:8]), int(last[8:18])) == ("99", batches, len(rows))
    assert int(last[18:38]) == control


def test_the_summary_guards_the_csv(tmp_path: Path) -> None:
    path = file_of(tmp_path, run(tmp_path))
    check_summary(path)


def test_the_summary_of_the_sample_guards_it() -> None:
    check_summary(SAMPLES / "sandgate_clearing_2030-01-03_001.csv")


def check_summary(path: Path) -> None:
    """Hash, counts and sums of each batch."""
    rows, lines = table_rows(path.with_suffix(".summary.csv")), read(path)
    merchants = {row["MerchantNumber"] for row in rows}
    assert merchants == {line.merchant for line in lines}
    for row in rows:
        mine = [line for line in lines if line.merchant == row["MerchantNumber"]]
        moved = [line.gross for line in mine if line.type != "BATCH"]
        fees = sum(line.fee for line in mine)
        assert row["Sha256"] == sha256(path.read_bytes()).hexdigest()
        assert int(row["Lines"]) == len(mine)
        assert Decimal(row["Credit"]) == sum(each for each in moved if each > 0)
        assert Decimal(row["Debit"]) == -sum(each for each in moved if each < 0)
        assert (Decimal(row["Fee"]), Decimal(row["Net"])) == (fees, sum(moved) - fees)


def test_net_is_gross_less_fee_on_every_row(tmp_path: Path) -> None:
    for row in table_rows(file_of(tmp_path, run(tmp_path))):
        gross = Decimal(row["GrossCredit"] or 0) - Decimal(row["GrossDebit"] or 0)
        net = Decimal(row["NetCredit"] or 0) - Decimal(row["NetDebit"] or 0)
        parts = [Decimal(row[name] or 0) for name in ("Interchange", "Scheme", "Markup")]

        assert sum(parts) == Decimal(row["Fee"] or 0)
        assert net == gross - Decimal(row["Fee"] or 0)


def test_a_statement_is_valid_by_the_schema(tmp_path: Path) -> None:
    path = file_of(tmp_path, run(tmp_path, institute=INSTITUTES[2]))

    assert is_valid(path)
    assert "1111111111111111" not in path.read_text("utf-8")


def test_the_sample_of_a_statement_is_valid_by_the_schema() -> None:
    assert is_valid(SAMPLES / "sandgate_bank_2030-01-03_001.xml")


def test_the_statement_of_a_day_without_movements_is_valid(tmp_path: Path) -> None:
    path = file_of(tmp_path, run(tmp_path, [], institute=INSTITUTES[2]))

    assert is_valid(path)
    assert read(path) == []


@pytest.mark.parametrize("institute", INSTITUTES[:2])
def test_a_day_without_movements_has_a_file(tmp_path: Path, institute: str) -> None:
    assert read(file_of(tmp_path, run(tmp_path, [], institute=institute))) == []


def test_balances_and_entries_of_a_statement_agree(tmp_path: Path) -> None:
    failing = {ONE: ClearingContract(merchant_number=ONE, fails_payout=True), TWO: CONTRACTS[TWO]}
    first = run(tmp_path, institute=INSTITUTES[2], contracts=failing)
    second = run(tmp_path, institute=INSTITUTES[2], day=date(2030, 1, 4), carried=first.carried)
    for path in (file_of(tmp_path, first), file_of(tmp_path, second),
                 SAMPLES / "sandgate_bank_2030-01-03_001.xml"):  # fmt: skip
        is_valid(path)
        for statement in etree.parse(path).iterfind(".//{*}Stmt"):
            check_statement(statement)


def signed(element: etree._Element) -> Decimal:
    sign = 1 if element.findtext("{*}CdtDbtInd") == "CRDT" else -1
    return sign * Decimal(element.findtext("{*}Amt") or "")


def check_statement(statement: etree._Element) -> None:
    opening, closing = map(signed, statement.iterfind("{*}Bal"))
    booked = [
        signed(each)
        for each in statement.iterfind("{*}Ntry")
        if each.findtext("{*}Sts/{*}Cd") == "BOOK"
    ]
    total = statement.find("{*}TxsSummry/{*}TtlNtries")
    assert total is not None
    net = total.find("{*}TtlNetNtry")
    assert net is not None

    assert closing == opening + sum(booked)
    assert int(total.findtext("{*}NbOfNtries") or "") == len(booked)
    assert Decimal(total.findtext("{*}Sum") or "") == sum(abs(each) for each in booked)
    assert signed(net) == sum(booked)
    for entry in statement.iterfind("{*}Ntry"):
        found = entry.iterfind(".//{*}TxDtls/{*}Chrgs/{*}TtlChrgsAndTaxAmt")
        charges = sum((Decimal(each.text or "") for each in found), Decimal(0))
        assert signed(entry) == sum(map(signed, entry.iterfind(".//{*}TxDtls"))) - charges


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_failed_payout_is_repeated_in_the_next_file(tmp_path: Path, institute: str) -> None:
    failing = {ONE: ClearingContract(merchant_number=ONE, fails_payout=True)}
    first = run(tmp_path, [movement(1)], institute=institute, contracts=failing)
    second = run(tmp_path, [], institute=institute, day=date(2030, 1, 4), carried=first.carried)

    failed = read(file_of(tmp_path, first))[-1]
    (repeated,) = read(file_of(tmp_path, second))

    assert (failed.type, failed.status) == ("BATCH", "FAILED")
    assert (repeated.type, repeated.status) == ("BATCH", "SUCCESS")
    assert (repeated.gross, repeated.batch) == (failed.gross, "3001030001")
    assert repeated.id != failed.id
    assert second.carried == CarriedOver()


def test_a_refund_alone_makes_the_merchant_owe(tmp_path: Path) -> None:
    for institute in INSTITUTES:
        written = run(tmp_path, [movement(1, "RF")], institute=institute)

        nets, payouts = nets_of(read(file_of(tmp_path, written)))

        assert nets == payouts
        assert payouts[ONE] < 0


def test_odd_characters_stay_inside_their_field(tmp_path: Path) -> None:
    odd = movement(1, merchant_transaction_id='a"b,c\r\n\x01;é<>&', reason_text="é" * 200)
    for institute in INSTITUTES:
        path = file_of(tmp_path, run(tmp_path, [odd], institute=institute))

        assert [line.type for line in read(path)] == (
            ["DB", "CAPTURE_FEE", "BATCH"] if path.suffix == ".sgfix" else ["DB", "BATCH"]
        )
    assert is_valid(path)


def test_nothing_but_whole_files_has_a_name_without_a_dot(tmp_path: Path) -> None:
    written = run(tmp_path)

    assert {path.name for path in (tmp_path / "drop").iterdir()} == set(written.files)
    assert {path.name for path in (tmp_path / "keys").iterdir()} == set(written.keys)


def test_a_run_lets_others_go_first(tmp_path: Path) -> None:
    pauses: list[int] = []

    run(tmp_path, (movement(each) for each in range(1, 1001)), pause=lambda: pauses.append(1))

    assert len(pauses) >= 10


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"day": date(2030, 1, 5)}, "expected a bank day of ECB; received 2030-01-05"),
        ({"contracts": {}}, "expected a contract for each merchant number"),
        (
            {"contracts": {"../x": ClearingContract(merchant_number="../x")}},
            "5 to 32 letters and digits; received '../x'",
        ),
    ],
)
def test_a_run_that_cannot_be_made_says_why(tmp_path: Path, more, message: str) -> None:
    with pytest.raises(SettlementOrderError, match=message):
        run(tmp_path, **more)

    assert list((tmp_path / "drop").iterdir()) == []


def test_a_correction_of_the_day_has_the_next_number_and_other_ids(tmp_path: Path) -> None:
    broken = run(tmp_path, faults=SettlementFaults(file="cut"))
    corrected = run(tmp_path, number=2)

    lines = read(file_of(tmp_path, corrected))

    assert broken.files[-1].endswith("_001.csv")
    assert corrected.files[-1].endswith(f"{DAY}_002.csv")
    assert all(line.id.startswith("SGC30010302") for line in lines)


def test_others_have_their_turn_after_the_key_of_each_merchant_number(tmp_path: Path) -> None:
    numbers = [f"merchant{number:04}" for number in range(30)]
    contracts = {each: ClearingContract(merchant_number=each) for each in numbers}
    entries = [
        replace(movement(number), merchant_number=each) for number, each in enumerate(numbers, 1)
    ]
    pauses: list[int] = []

    run(tmp_path, entries, contracts=contracts, pause=lambda: pauses.append(1))

    assert len(pauses) >= len(numbers)


@pytest.mark.parametrize(
    ("day", "standing", "moving", "is_here"),
    [
        (DAY, 500, 1, True),
        (DAY, 500, 49, True),
        (DAY, 50, 50, False),
        (FIRST_OF_MONTH, 40, 1, True),
        (FIRST_OF_MONTH, 60, 1, False),
    ],
)
def test_a_day_of_many_merchant_numbers_is_written_by_another_process(
    tmp_path: Path, day: date, standing: int, moving: int, *, is_here: bool
) -> None:
    numbers = [f"merchant{number:04}" for number in range(standing)]
    pauses: list[int] = []
    order = DayOrder(
        drop=str(tmp_path),
        key=str(tmp_path),
        contracts={each: ClearingContract(merchant_number=each) for each in numbers},
        expected=moving,
        pause=lambda: pauses.append(1),
    )
    sale = replace(movement(1), merchant_number=numbers[0])

    written = SimulatedInstitutes().write_day(INSTITUTES[0], day, [sale], order)

    assert len(written.keys) == (1 if day == DAY else standing)
    assert bool(pauses) == is_here

"""Planted faults: each does what its words say, the file stays whole, and the key knows it."""

from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from acquirer_mocks.settlement.fault_plan import FILE_WORDS, LINE_FAULTS, read_faults
from acquirer_mocks.tests.settlement.movements import (
    CONTRACTS,
    DAY,
    INSTITUTES,
    ONE,
    TWO,
    every_kind,
    file_of,
    key_of,
    movement,
    run,
)
from acquirer_mocks.tests.settlement.readings import Read, read
from features.reconciling.key import read_key
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingEntry,
    SettlementFaults,
)
from simulator.tests.kit.trees import ROOT

NEXT = date(2030, 1, 4)
MOVING = {"DB", "CP", "RB", "RC", "RF", "CD", "CB", "CR"}


def one(fault: str) -> SettlementFaults:
    return SettlementFaults(counts={fault: 1})


def planted_run(
    folder: Path, fault: str, entries: list[ClearingEntry], institute: str = INSTITUTES[0]
) -> tuple[list[Read], list[dict]]:
    """The transactions of the first merchant, and its key."""
    written = run(folder, entries, institute=institute, faults=one(fault))
    lines = read(file_of(folder, written))
    assert sum(line.gross - line.fee for line in lines if line.type != "BATCH") == sum(
        line.gross for line in lines if line.type == "BATCH"
    )
    mine = [line for line in lines if line.merchant == ONE and line.type in MOVING]
    return mine, key_of(folder, written)


def planted(key: list[dict]) -> list[str]:
    return [row["planted"] for row in key if row["planted"]]


def payout_in(key: list[dict]) -> Decimal:
    (row,) = [row for row in key if row["kind"] == "payout"]
    return Decimal(row["amount"]) * (1 if row["cashflow"] == "POS" else -1)


# What one sale of 92.00 EUR comes to at each institute, less its fee.
OWED = {
    "Sandgate Clearing": Decimal("91.27"),
    "Sandgate Acquiring": Decimal("91.21"),
    "Sandgate Bank": Decimal("90.06"),
}
ENTRIES = {
    "exponent_jpy": [movement(1, "DB", "1000.00 JPY")],
    "exponent_kwd": [movement(1, "DB", "7.50 KWD")],
    "fx_rounding": [movement(1, "DB", "12.34 USD")],
    "fx_yesterday": [movement(1, "DB", "50.00 USD")],
}


# The line as it is planted: amount, currency, what the gross differs by from the truth in its key.
@pytest.mark.parametrize(
    ("fault", "amount", "currency"),
    [
        ("amount_cent", "92.01", "EUR"),
        ("amount_large", "920.00", "EUR"),
        ("fee_wrong", "92.00", "EUR"),
        ("tariff_changed", "92.00", "EUR"),
        ("fx_rounding", "12.34", "USD"),
        ("fx_yesterday", "50.00", "USD"),
        ("exponent_jpy", "100000", "JPY"),
        ("exponent_kwd", "0.750", "KWD"),
        ("currency_swapped", "92.00", "USD"),
        ("reference_unknown", "92.00", "EUR"),
        ("date_holiday", "92.00", "EUR"),
    ],
)
@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_changed_line_stands_beside_its_truth(
    tmp_path: Path, fault: str, amount: str, currency: str, institute: str
) -> None:
    entries = ENTRIES.get(fault, [movement(1)])

    (line,), key = planted_run(tmp_path, fault, entries, institute)

    truth = next(row["truth"] for row in key if row["planted"])
    assert (line.amount, line.currency) == (Decimal(amount), currency)
    assert planted(key) == [fault]
    if truth["recordType"] == "FEE":
        # SGFIX has the fee of a day on a line of its own.
        assert (truth["transactionType"], truth["payments"]) == ("CAPTURE_FEE", [])
    else:
        assert Decimal(truth["amount"]) == entries[0].money.amount
        assert truth["payments"] == [entries[0].payment]


def test_a_wrong_fee_is_ten_cents_more_than_the_truth(tmp_path: Path) -> None:
    (line,), key = planted_run(tmp_path, "fee_wrong", [movement(1)])

    assert line.fee - Decimal(key[0]["truth"]["fee"]) == Decimal("0.10")


def test_a_changed_tariff_is_half_a_percent_more(tmp_path: Path) -> None:
    (line,), key = planted_run(tmp_path, "tariff_changed", [movement(1)])

    assert line.fee - Decimal(key[0]["truth"]["fee"]) == Decimal("0.46")


def test_a_rounding_the_other_way_is_one_cent(tmp_path: Path) -> None:
    (line,), key = planted_run(tmp_path, "fx_rounding", ENTRIES["fx_rounding"])

    assert abs(line.gross - Decimal(key[0]["truth"]["settlementAmount"])) == Decimal("0.01")


def test_what_comes_out_even_is_never_rounded_the_other_way(tmp_path: Path) -> None:
    _, key = planted_run(tmp_path, "fx_rounding", [movement(1)])

    assert planted(key) == []


def test_a_date_on_a_holiday_is_before_the_right_one(tmp_path: Path) -> None:
    (line,), key = planted_run(tmp_path, "date_holiday", [movement(1)])

    assert (line.date, key[0]["truth"]["date"]) == ("2030-01-01", "2030-01-04")


def test_a_missing_line_is_absent_and_still_owed(tmp_path: Path) -> None:
    lines, key = planted_run(tmp_path, "missing", [movement(1), movement(2)])

    (absent,) = [row for row in key if row["kind"] == "absent"]
    assert [line.type for line in lines] == ["DB"]
    assert (absent["payment"], absent["amount"]) == (f"{1:032x}", "92.00")
    assert payout_in(key) == 2 * Decimal("91.27")


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_line_twice_is_paid_twice_and_owed_once(tmp_path: Path, institute: str) -> None:
    lines, key = planted_run(tmp_path, "line_twice", [movement(1)], institute)

    assert len(lines) == 2
    assert planted(key) == ["line_twice"]
    assert payout_in(key) == OWED[institute]


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_second_settlement_is_in_the_next_file(tmp_path: Path, institute: str) -> None:
    first = run(tmp_path, [movement(1)], faults=one("settled_twice"), institute=institute)
    second = run(tmp_path, [], day=NEXT, carried=first.carried, institute=institute)

    assert planted(key_of(tmp_path, first)) == []
    assert planted(key_of(tmp_path, second)) == ["settled_twice"]
    assert payout_in(key_of(tmp_path, second)) == 0
    assert second.carried == CarriedOver()


def test_a_deferred_movement_is_in_the_next_file_and_no_fault(tmp_path: Path) -> None:
    first = run(tmp_path, [movement(1)], faults=one("deferred"))
    second = run(tmp_path, [], day=NEXT, carried=first.carried)

    assert read(file_of(tmp_path, first)) == []
    assert [line.type for line in read(file_of(tmp_path, second))] == ["DB", "BATCH"]
    assert planted(key_of(tmp_path, second)) == []


def test_references_of_another_payment_are_of_one_before(tmp_path: Path) -> None:
    lines, key = planted_run(tmp_path, "reference_other", [movement(1), movement(2)])

    (row,) = [row for row in key if row["planted"]]
    assert len(lines) == 2
    assert row["truth"]["payments"] == [f"{2:032x}"]


@pytest.mark.parametrize("institute", INSTITUTES)
def test_captures_of_one_payment_become_one_line(tmp_path: Path, institute: str) -> None:
    parts = [movement(each, "CP", f"{each}0.00 EUR", about="a", is_part=True) for each in (1, 2, 3)]

    (line,), key = planted_run(tmp_path, "captures_summed", parts, institute)

    truth = next(row["truth"] for row in key if row["planted"])
    assert line.amount == 60
    assert truth["payments"] == [each.payment for each in parts]


def test_a_capture_without_its_like_stays_as_it_is(tmp_path: Path) -> None:
    (line,), key = planted_run(
        tmp_path, "captures_summed", [movement(1, "CP", about="a", is_part=True)]
    )

    assert (line.type, planted(key)) == ("CP", [])


def test_a_chargeback_comes_before_its_payment_settles(tmp_path: Path) -> None:
    first = run(tmp_path, [movement(1)], faults=one("chargeback_early"))
    second = run(tmp_path, [], day=NEXT, carried=first.carried)

    (row,) = [row for row in key_of(tmp_path, first) if row["planted"]]
    assert row["truth"]["recordType"] == "CHARGEBACK"
    assert row["truth"]["payments"] == [f"{1:032x}"]
    assert [line.type for line in read(file_of(tmp_path, second))] == ["DB", "BATCH"]


def test_a_late_chargeback_comes_after_120_days(tmp_path: Path) -> None:
    first = run(tmp_path, [movement(1)], faults=one("chargeback_late"))
    before = run(tmp_path, [], day=NEXT, carried=first.carried)
    # The 120th day is a Friday.
    due = run(tmp_path, [], day=DAY + timedelta(days=120), carried=before.carried)

    assert read(file_of(tmp_path, before)) == []
    assert [line.type for line in read(file_of(tmp_path, due))] == ["CB", "BATCH"]
    assert planted(key_of(tmp_path, due)) == ["chargeback_late"]


def test_a_chargeback_of_a_refunded_payment_names_that_payment(tmp_path: Path) -> None:
    refund = movement(2, "RF", "10.00 EUR", about=f"{1:032x}")

    lines, key = planted_run(tmp_path, "chargeback_late", [refund])

    (row,) = [row for row in key if row["planted"]]
    assert [line.type for line in lines] == ["RF", "CB"]
    assert row["truth"]["payments"] == [f"{1:032x}"]


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_line_of_another_merchant_is_in_no_file_of_this_one(
    tmp_path: Path, institute: str
) -> None:
    entries = [movement(1, merchant_number=TWO), movement(2)]

    lines, key = planted_run(tmp_path, "other_merchant", entries, institute)

    (row,) = [row for row in key if row["planted"]]
    assert len(lines) == 2
    assert (row["file"], row["truth"]["payments"]) == ("", [f"{1:032x}"])
    assert payout_in(key) == OWED[institute]


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_clean_day_has_nothing_planted(tmp_path: Path, institute: str) -> None:
    written = run(tmp_path, institute=institute, faults=read_faults("mix: clean"))

    for merchant in CONTRACTS:
        key = key_of(tmp_path, written, merchant)
        assert planted(key) == []
        assert {row["truth"]["status"] for row in key if row["kind"] == "line"} == {"MATCHED"}


@pytest.mark.parametrize("institute", INSTITUTES)
def test_the_checker_reads_every_key(tmp_path: Path, institute: str) -> None:
    written = run(tmp_path, institute=institute, faults=one("missing"))

    keys = [read_key(tmp_path / "keys" / name) for name in written.keys]

    assert sum(len(key.lines) for key in keys) == written.lines
    assert sum(len(key.absent) for key in keys) == 1


def many(count: int) -> list[ClearingEntry]:
    currencies = ("EUR", "JPY", "KWD", "USD")
    return [
        movement(
            each,
            ("DB", "CP", "RF")[each % 3],
            f"{each % 97 + 1}.00 {currencies[each % 4]}",
            merchant_number=(ONE, TWO)[each // 2 % 2],
            about=f"{each // 9:032x}",
        )
        for each in range(1, count + 1)
    ]


def test_the_default_mix_plants_every_fault_and_its_seed_repeats_it(tmp_path: Path) -> None:
    faults = read_faults("{mix: default, seed: 7, shares: {captures_summed: 0.02}}")

    keys = []
    for name in ("first", "again"):
        written = run(tmp_path / name, many(6_000), faults=faults)
        keys.append([key_of(tmp_path / name, written, each) for each in CONTRACTS])

    found = Counter(planted(keys[0][0]) + planted(keys[0][1]))
    assert keys[0] == keys[1]
    # A second settlement is planted in the next file.
    assert set(LINE_FAULTS) - set(found) == {"settled_twice"}
    assert all(2 <= count <= 200 for count in found.values())


def test_a_share_is_one_of_the_movements_it_can_be_planted_in(tmp_path: Path) -> None:
    written = run(tmp_path, many(4_000), faults=read_faults("shares: {exponent_jpy: 0.1}"))

    found = sum(len(planted(key_of(tmp_path, written, each))) for each in CONTRACTS)

    assert 60 < found < 140


def test_a_late_file_is_delivered_with_the_next_one_and_before_it(tmp_path: Path) -> None:
    first = run(tmp_path, faults=SettlementFaults(file="late"))
    seen = [path.name for path in (tmp_path / "drop").iterdir() if path.name[0] != "."]
    second = run(tmp_path, [], day=NEXT, carried=first.carried)

    assert (first.files, seen) == ((), [])
    for names, day in ((second.released, DAY), (second.files, NEXT)):
        assert [name[-7:] for name in names] == ["ary.csv", "001.csv"]
        assert all(f"_{day}_" in name for name in names)
    assert len(read(tmp_path / "drop" / second.released[1])) == first.lines


@pytest.mark.parametrize("trouble", ["empty", "cut", "trailer"])
@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_file_that_is_refused_has_a_key_that_says_why(
    tmp_path: Path, institute: str, trouble: str
) -> None:
    clean = file_of(tmp_path / "clean", run(tmp_path / "clean", institute=institute))
    written = run(tmp_path, institute=institute, faults=SettlementFaults(file=trouble))

    found, sound = file_of(tmp_path, written).read_bytes(), clean.read_bytes()
    (row,) = key_of(tmp_path, written)

    assert {"empty": found == b"", "cut": sound.startswith(found), "trailer": True}[trouble]
    assert (row["planted"], row["why"]) == ("file_trouble", FILE_WORDS[trouble])
    if trouble == "trailer" and institute != INSTITUTES[0]:
        assert len(found) == len(sound) and found != sound


def test_a_summary_that_does_not_add_up_differs_in_its_net_alone(tmp_path: Path) -> None:
    written = run(tmp_path, faults=SettlementFaults(file="trailer"))
    clean = run(tmp_path / "clean")

    wrong, right = (
        (folder / "drop" / each.files[0]).read_text("utf-8-sig").splitlines()
        for folder, each in ((tmp_path, written), (tmp_path / "clean", clean))
    )

    assert [line.rpartition(",")[0] for line in wrong] == [
        line.rpartition(",")[0] for line in right
    ]
    assert wrong != right


def test_every_kind_is_a_payment_type_the_files_know() -> None:
    assert {each.kind for each in every_kind()} == MOVING | {"PA", "RV"}


def test_the_page_lists_every_fault() -> None:
    page = (ROOT / "docs/reference/settlement-files.md").read_text("utf-8")

    listed = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]

    assert listed[-len(LINE_FAULTS) - 1 :] == [*LINE_FAULTS, "file"]

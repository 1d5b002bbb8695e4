"""The checker finds each of twenty broken programs, and raises no alarm about a careful one."""

from pathlib import Path

import pytest

from features.reconciling.checker import measure
from features.reconciling.key import AnswerKey, KeyedTruth, read_key
from features.reconciling.result import ResultColumns, ResultRow, read_result
from features.reconciling.tests.day import clean_day, faulty_day
from features.reconciling.tests.programs import run_program

FAULTS = (
    "missing", "line_twice", "settled_twice", "amount_cent", "amount_large", "fee_wrong",
    "tariff_changed", "fx_rounding", "fx_yesterday", "exponent_jpy", "exponent_kwd",
    "currency_swapped", "reference_unknown", "reference_other", "captures_summed",
    "chargeback_early", "chargeback_late", "file_trouble", "date_holiday", "other_merchant",
)  # fmt: skip


def test_a_careful_program_is_perfect_on_a_day_with_every_fault(tmp_path: Path) -> None:
    day = faulty_day()
    key = read_key(day.write_key(tmp_path / "KEY.jsonl"))

    measured = measure(key, read_result(run_program(day, tmp_path / "r.csv"), ResultColumns()))

    assert measured.misses == []
    assert (measured.precision, measured.recall) == (1, 1)
    assert (measured.match_precision, measured.match_recall) == (1, 1)
    assert {name: each.planted for name, each in measured.classes.items()} == dict.fromkeys(
        FAULTS, 1
    )


def test_a_careful_program_is_perfect_on_a_clean_day(tmp_path: Path) -> None:
    day = clean_day()
    key = read_key(day.write_key(tmp_path / "KEY.jsonl"))

    measured = measure(key, read_result(run_program(day, tmp_path / "r.csv"), ResultColumns()))

    assert measured.is_perfect and measured.classes == {}
    assert measured.pairs_right == len(day.lines)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_does_not_look_for_a_fault_is_caught(tmp_path: Path, fault: str) -> None:
    day = faulty_day()
    key = read_key(day.write_key(tmp_path / "KEY.jsonl"))
    result = run_program(day, tmp_path / "r.csv", without=fault)

    measured = measure(key, read_result(result, ResultColumns()))

    assert {name for name, each in measured.classes.items() if each.missed} == {fault}
    assert all(miss.fault == fault for miss in measured.misses)
    assert measured.recall == pytest.approx(19 / 20)
    assert measured.precision == 1


def found(line: str, *payments: str, verdict: str = "MATCHED", difference: str = "") -> ResultRow:
    """A row of a result."""
    return ResultRow(line, frozenset(payments), verdict, difference)


@pytest.mark.parametrize(
    ("row", "kind"),
    (
        (found("tx-0000", "pay-0", difference="too much"), "false alarm"),
        (found("tx-0000", "pay-0", verdict="NOT_MATCHED"), "false alarm"),
        (found("tx-0000", "pay-1"), "wrong payments"),
        (found("tx-0000", "pay-0", "pay-1"), "wrong payments"),
        (found("tx-0000"), "wrong payments"),
        (found("tx-9999", "pay-0"), "false alarm"),
        (found("", "pay-0", verdict="MISSING"), "false alarm"),
    ),
)
def test_what_is_wrong_in_a_result_of_a_clean_day_is_named(
    tmp_path: Path, row: ResultRow, kind: str
) -> None:
    day = clean_day()
    key = read_key(day.write_key(tmp_path / "KEY.jsonl"))
    right = [found(each.id, each.payment) for each in day.lines if each.id != row.line]

    measured = measure(key, [*right, row])

    assert (measured.misses[0].kind, measured.miss_count) == (kind, 1)


def test_a_line_that_is_not_judged_is_a_miss(tmp_path: Path) -> None:
    day = clean_day()
    key = read_key(day.write_key(tmp_path / "KEY.jsonl"))

    measured = measure(key, [found(each.id, each.payment) for each in day.lines[1:]])

    assert [miss.kind for miss in measured.misses] == ["not judged"]
    assert measured.match_recall == pytest.approx(29 / 30)


@pytest.mark.parametrize(
    ("verdict", "kinds"), [("MISSING", []), ("MATCHED", ["not found", "false alarm"])]
)
def test_a_missing_file_is_found_by_an_alarm_about_a_payment_alone(
    verdict: str, kinds: list[str]
) -> None:
    trouble = KeyedTruth(frozenset(), "file_trouble", "cut off", is_alarming=True)
    key = AnswerKey(files={"other.xml": trouble})

    measured = measure(key, [found("", "pay-0", verdict=verdict)])

    assert [miss.kind for miss in measured.misses] == kinds
    assert measured.is_perfect is (verdict == "MISSING")

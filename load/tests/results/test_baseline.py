"""Two runs are compared figure by figure, and what makes them unlike is said."""

import json
from pathlib import Path

import pytest

from load.report.document import create_document
from load.report.rows import comparison_rows
from load.results.baseline import BaselineError, compare_runs, read_baseline
from load.tests.records import (
    BUSY,
    CLEAN,
    FAULTY,
    RUN,
    create_outcome,
    create_plan,
    create_record,
)

SLOWER = [create_record(f"{n}", at=n / 10, duration_s=2 * n / 1000) for n in range(1, 101)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The report of an earlier run."""
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(create_document(create_outcome(RUN, CLEAN))), encoding="utf-8")
    return path


def test_a_slower_run_shows_by_how_much(file: Path) -> None:
    compared = compare_runs(create_outcome(SLOWER, CLEAN), read_baseline(file))

    rows = {(row[0], row[1]): row[2:] for row in comparison_rows(compared.figures)}
    assert rows["all", "p95 ms"] == ("95.0", "190.0", "+100.0%")
    assert rows["create_payment", "p95 ms"] == ("95.0", "190.0", "+100.0%")
    assert compared.cautions == []


def test_runs_of_other_plans_or_machines_are_compared_with_care(file: Path) -> None:
    plan = create_plan(users=7, virtual_users=("merchant",))
    outcome = create_outcome(RUN, CLEAN, plan=plan, run={"machine": {"processor": "x", "cores": 1}})

    cautions = compare_runs(outcome, read_baseline(file)).cautions

    assert [line.split()[3:5] for line in cautions] == [
        ["virtual", "users"], ["users", "was"], ["processor", "was"], ["cores", "was"],
    ]  # fmt: skip


def test_a_withheld_run_is_not_compared(file: Path) -> None:
    baseline = read_baseline(file)

    for outcome in (create_outcome(RUN, FAULTY), create_outcome(RUN, CLEAN, samples=BUSY)):
        assert compare_runs(outcome, baseline).figures == ()


def test_an_operation_of_one_run_alone_is_left_out(file: Path) -> None:
    report = json.loads(file.read_bytes())
    report["operations"] = {"other": report["overall"]}
    file.write_text(json.dumps(report), encoding="utf-8")

    compared = compare_runs(create_outcome(RUN, CLEAN), read_baseline(file))

    assert {each.where for each in compared.figures} == {"all"}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"overall": {}, "operations": {}}', '{"overall": {"p95_ms": "1"}}', "\ud800"],
)
def test_a_file_that_is_no_report_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))

    with pytest.raises(BaselineError, match="--baseline .*no.json: expected a report that"):
        read_baseline(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="--baseline .*none.json: expected a report that"):
        read_baseline(tmp_path / "none.json")


def test_a_figure_that_was_zero_has_no_change(file: Path) -> None:
    report = json.loads(file.read_bytes())
    report["overall"]["p50_ms"] = 0
    file.write_text(json.dumps(report), encoding="utf-8")

    compared = compare_runs(create_outcome(RUN, CLEAN), read_baseline(file))

    assert ("all", "p50 ms", "0.0", "50.0", "-") in comparison_rows(compared.figures)


# Nested as deep as the file allows, numbers that no figure is, members of other types.
HOSTILE = (
    '{"summary":' + "[" * 100_000,
    '{"overall": {"throughput": 1}, "operations": {}, "run": ' + '{"a":' * 100_000,
    '{"overall": {"throughput": 1' + "0" * 400 + '}, "operations": {}}',
    '{"overall": {"throughput": 1' + "0" * 9000 + '}, "operations": {}}',
    '{"overall": {"throughput": 1}, "operations": {}, "plan": {"users": 1' + "0" * 9000 + "}}",
    '{"overall": {"throughput": 1}, "operations": {}, "run": {"machine": 5}}',
    '{"overall": {"throughput": 1}, "operations": {}, "run": {"machine": [1]}}',
    '{"overall": {"throughput": 1}, "operations": {}, "plan": {"users": '
    + "[" * 900
    + "]" * 900
    + "}}",
    '{"overall": {"throughput": 1}, "operations": {}, "plan": {"users": ['
    + "[9]," * 90_000
    + "9]}}",
)


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_refused_or_compared(tmp_path: Path, content: str) -> None:
    path = tmp_path / "hostile.json"
    path.write_text(content)

    try:
        compared = compare_runs(create_outcome(RUN, CLEAN), read_baseline(path))
    except BaselineError as error:
        assert "expected a report that sandgate load --json wrote" in str(error)
        assert len(str(error)) < 1000
    else:
        assert comparison_rows(compared.figures)
        assert all(len(each) < 1000 for each in compared.cautions)

"""`sandgate coverage`, as it is called."""

import json
from pathlib import Path

import pytest

from features.commands import coverage
from features.conformance.cases import load_cases
from reports.events import LEVELS_MAX
from reports.requirements import expectations, requirements
from reports.tests.streams import called, deep_stream, events_of, one_of_each, passed, stream_of


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    return stream_of(events_of(one_of_each()), tmp_path)


def test_coverage_of_a_run_that_lacks_requirements_ends_with_1(stream):
    ran = called(coverage.main, stream, "--format", "json")
    found = json.loads(ran.stdout)

    assert ran.exit_code == 1
    assert found["counts"]["failed"] == 3
    assert [row["id"] for row in found["expectations"]] == [row.id for row in expectations()]
    assert sum(found["expectation_counts"].values()) == len(expectations())
    assert found["counts"]["missing"] > 100
    assert [row["id"] for row in found["requirements"]] == [row.id for row in requirements()]


def test_coverage_of_a_whole_run_ends_with_0(tmp_path):
    """As if every test case had passed."""
    every = [row.id for row in requirements()]
    cases = [
        passed(
            id=case.id,
            title=case.title,
            requirements=list(case.requirements),
            expectations=list(case.expectations),
        )
        for case in load_cases()
    ]
    stream = stream_of(events_of(cases), tmp_path)

    ran = called(coverage.main, stream)

    assert ran.exit_code == 0, ran.stdout[-500:]
    assert f"{len(every)} requirements: " in ran.stdout
    assert f"{len(expectations())} expectations: " in ran.stdout
    assert "\u2717 missing" not in ran.stdout


def test_coverage_without_a_stream_says_how_to_get_one():
    ran = called(coverage.main)

    assert ran.exit_code == 0, ran.stdout[-500:]
    assert "sandgate check TARGET.toml" in ran.stdout
    assert "has-cases" in ran.stdout and "\u2713 proven" not in ran.stdout


def test_coverage_of_features_of_a_users_own_reads_those(tmp_path):
    (tmp_path / "own.feature").write_text(
        "Feature: Own\n  @req:END-01\n  Scenario: One\n    Then x\n"
    )

    found = json.loads(called(coverage.main, "--format", "json", "--features", tmp_path).stdout)
    wrong = called(coverage.main, "--features", tmp_path / "none")

    assert found["counts"]["has-cases"] == 1
    assert (wrong.exit_code, "expected a folder" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("levels", [LEVELS_MAX + 1, 970, 2_000])
def test_a_body_that_is_nested_too_deeply_is_no_event(levels, tmp_path):
    """It ended in a traceback."""
    ran = called(coverage.main, deep_stream(levels, tmp_path))

    assert ran.exit_code == 2
    assert "stream.jsonl: line 2: expected an event of a stream, got: one nested" in ran.stderr
    assert ran.stderr.count("\n") == 1

"""The table of requirements and patterns is full, true, and what its page shows."""

from pathlib import Path

import pytest

from features.gherkin.files import read_feature
from features.patterns.page import render_cell, render_page
from features.patterns.recognition import PATTERNS, patterns_of
from features.patterns.table import all_cells, read_reasons, reasons_by_cell, scenarios_by_cell
from features.spec.tables import requirements

STORED = Path(__file__).parents[3] / "docs" / "makers" / "patterns.md"
REASON_SHORTEST = 30
OUTLINE = """\
Feature: One
  Scenario Outline: A rule
    When the merchant debits <amount> EUR with {kind}
    Then {then}

    Examples:
      | kind | amount | why  |
      | a    | 1.00   | this |
      | {b}  | {two}  | that |
"""


def test_each_cell_has_scenarios_or_a_reason() -> None:
    known = {*scenarios_by_cell(), *reasons_by_cell()}
    assert [f"{cell.requirement} {cell.pattern}" for cell in all_cells() if cell not in known] == []


def test_a_cell_with_scenarios_has_no_reason() -> None:
    both = set(scenarios_by_cell()) & set(reasons_by_cell())
    assert sorted(f"{cell.requirement} {cell.pattern}" for cell in both) == []


def test_a_cell_has_one_reason() -> None:
    doubled = [cell for cell, reasons in reasons_by_cell().items() if len(reasons) > 1]
    assert doubled == []


def test_a_reason_is_for_a_pattern_and_requirements_that_exist() -> None:
    for each in read_reasons():
        assert each.pattern in PATTERNS
        assert set(each.requirements) <= set(requirements())
        assert len(each.requirements) == len(set(each.requirements))
        assert len(each.reason) >= REASON_SHORTEST


def test_the_stored_page_is_the_printed_one() -> None:
    command = "python -m features.patterns > docs/makers/patterns.md"
    assert STORED.read_text(encoding="utf-8") == render_page(), f"run {command}"


def test_a_cell_shows_its_scenarios_or_its_reason() -> None:
    assert "A card is charged in its last month and not in the next\n" in render_cell(
        "CARD-02", "limit"
    )
    assert render_cell("HOST-02", "values").startswith("does not apply: there is a test host")
    assert render_cell("HOST-99", "values") == "HOST-99 values: no such cell\n"


@pytest.mark.parametrize(
    ("kind", "two", "then", "expected"),
    [
        ("b", "2.00", "the payment succeeds", {"place", "values", "done"}),
        ("a", "2.00", "the payment succeeds", {"values", "done"}),
        ("b", "1.00", "the payment is refused", {"place"}),
        ("a", "1.00", "the request is refused as not found", set()),
        ("a", "1.00", "2 of them succeed and the others are throttled", {"done"}),
        ("a", "1.00", "the acquirer received DB of 1.00 EUR", {"done", "witness"}),
        ("a", "1.00", "1 notification has arrived", {"done", "event"}),
    ],
)
def test_patterns_are_read_from_examples_and_steps(
    tmp_path: Path, kind: str, two: str, then: str, expected: set[str]
) -> None:
    file = tmp_path / "one.feature"
    file.write_text(OUTLINE.format(kind="<kind>", b=kind, two=two, then=then), encoding="utf-8")
    (scenario,) = read_feature(file).scenarios.values()

    assert patterns_of(scenario) == expected


def test_a_tag_names_what_cannot_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "one.feature"
    steps = "When the other merchant reads it\n    Then the request is refused"
    file.write_text(f"Feature: One\n  @pattern:limit\n  Scenario: A rule\n    {steps}\n", "utf-8")
    (scenario,) = read_feature(file).scenarios.values()

    assert patterns_of(scenario) == {"limit", "other"}

"""Feature files of a user: what cannot be judged in one is refused, with its line."""

from pathlib import Path

import pytest
from pytest_bdd.feature import get_features

from features.conformance.cases import FOLDER, load_cases, select_cases
from features.gherkin.files import FeatureFileError, read_features

WHEN = "    When the merchant debits 92.00 EUR\n"
THEN = "    Then the payment succeeds\n"
STEP = WHEN + THEN
TWICE = f"Feature: A\n  Scenario: One\n{STEP}  Rule: B\n  Scenario: One\n{STEP}"
NO_ROW = f"Feature: A\n  Scenario Outline: One\n{STEP}    Examples:\n"
NO_COLUMN = (
    "Feature: A\n  Scenario Outline: One\n    When the merchant debits <sum> EUR\n"
    f"{THEN}    Examples:\n      | amount |\n      | 92.00  |\n"
)
TAGGED_ROWS = (
    f"Feature: A\n  Scenario Outline: One\n{STEP}    @tea @parametrize\n    Examples:\n"
    "      | sum |\n      | 92  |\n"
)
CARD = "4200000000000000"
NO_MEANING = "expected a tag that pytest gives no meaning"


def cases_of(folder: Path, feature: bytes) -> list[str]:
    (folder / "own.feature").write_bytes(feature)
    return [case.id for case in load_cases(folder)]


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        (TWICE, ":6: expected a title of its own, got: 'One', which line 2 has"),
        (NO_ROW, ":2: expected a row of examples, got: none in 'One'"),
        (NO_ROW + "      | sum |\n", ":2: expected a row of examples, got: none in 'One'"),
        (NO_COLUMN, ":3: expected a column 'sum' in the Examples of 'One', got: only amount"),
        (NO_ROW.partition("    Examples")[0], ":2: expected a row of examples"),
        (f"Feature: A\n  Scenario one\n{STEP}", ":1: expected a scenario, got: none; it begins"),
        ("\nFeature: A\n  Rule: B\n", ":2: expected a scenario, got: none"),
        ("", ":1: expected a feature, got none"),
        ("# nothing yet\n", ":1: expected a feature, got none"),
        (f"\xef\xbb\xbfFeature: A\n  Scenario: One\n{STEP}{THEN}", ":1: expected UTF-8 without"),
        (f"Feature: A\n  Scenario: One\n{STEP}    Whenever\n", ":5: expected Gherkin, got: "),
        (f"Feature: A\n  Scenario: One\n    And more\n{THEN}", ":3: expected Gherkin, got: "),
        ("Feature: A\n  Scenario: One\n    Whenever\n", ":2: expected a step, got: none in 'One'"),
        ("Feature: A\n  Scenario: K\u00e4se\n", ":2: expected UTF-8, got: "),
        (f"@skip\nFeature: A\n  Scenario: One\n{STEP}", f":1: {NO_MEANING}, got: @skip"),
        (f"Feature: A\n  @xfail\n  Scenario: One\n{STEP}", f":2: {NO_MEANING}, got: @xfail"),
        (f"Feature: A\n @timeout\n Rule: B\n  Scenario: One\n{STEP}", f":2: {NO_MEANING}"),
        (TAGGED_ROWS, f":5: {NO_MEANING}, got: @parametrize"),
        (f"Feature: A\n  @_mine\n  Scenario: One\n{STEP}", f":2: {NO_MEANING}, got: @_mine"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_its_line(
    tmp_path: Path, feature: str, said: str
) -> None:
    with pytest.raises(FeatureFileError) as refused:
        cases_of(tmp_path, feature.encode("latin-1"))
    assert f"{tmp_path / 'own.feature'}{said}" in str(refused.value)


@pytest.mark.parametrize("name", ["f\udcff/own.feature", "folder/o\udcff.feature"])
def test_a_path_that_is_no_text_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(f"Feature: A\n  Scenario: One\n{STEP}")

    with pytest.raises(FeatureFileError, match="expected a path in UTF-8"):
        load_cases(path.parent)


def test_a_tag_that_means_nothing_to_pytest_is_a_matter_of_the_user(tmp_path: Path) -> None:
    feature = f"@shop\nFeature: A\n  @skip-none @slow\n  Scenario: One\n{STEP}"
    assert cases_of(tmp_path, feature.encode()) == ["One"]


@pytest.mark.parametrize(
    ("feature", "line"),
    [
        (f"Feature: A\n  Scenario: One\n{WHEN}", 2),
        (f"Feature: A\n  Scenario: One\n{WHEN}    And {THEN}    * {THEN}", 2),
        (f"Feature: A\n  Background:\n{STEP}  Scenario: One\n{WHEN}", 5),
        (f"Feature: A\n  Scenario: One\n{STEP}  Rule: B\n  Scenario: Two\n{WHEN}", 6),
        (f"Feature: A\n  Scenario Outline: One\n{WHEN}    Examples:\n    | a |\n    | 1 |\n", 2),
    ],
)
def test_a_scenario_that_judges_nothing_is_refused(tmp_path: Path, feature: str, line: int) -> None:
    """It passed."""
    with pytest.raises(
        FeatureFileError, match=rf"own.feature:{line}: expected a Then, got: none in '"
    ):
        cases_of(tmp_path, feature.encode())


@pytest.mark.parametrize(
    "steps",
    [STEP, f"{STEP}    And more\n", f"{STEP}    But more\n    * more\n", STEP + WHEN, THEN],
)
def test_one_then_is_enough_wherever_it_stands(tmp_path: Path, steps: str) -> None:
    feature = f"Feature: A\n  Background:\n{WHEN}  Scenario: One\n{steps}"
    assert cases_of(tmp_path, feature.encode()) == ["One"]


def test_a_then_is_known_in_other_languages(tmp_path: Path) -> None:
    feature = "# language: de\nFunktionalit\u00e4t: A\n  Szenario: One\n    Wenn x\n    Dann y\n"
    assert cases_of(tmp_path, feature.encode()) == ["One"]


def test_nothing_is_lost_of_the_features_that_are_shipped() -> None:
    assert read_features(FOLDER) == get_features([str(FOLDER)])


def test_a_title_with_a_card_number_is_found_by_what_reports_show(tmp_path: Path) -> None:
    cases_of(tmp_path, f"Feature: A\n  Scenario: Card {CARD}\n{STEP}".encode())
    known = load_cases(tmp_path)
    assert CARD not in known[0].id
    assert select_cases(known, [known[0].id]) == select_cases(known, [f"Card {CARD}"]) == known

"""Cases have addresses, and words choose among them; a word that chooses nothing is refused."""

import re
from functools import cache
from pathlib import Path

import pytest
from pytest_bdd.exceptions import StepDefinitionNotFoundError
from pytest_bdd.parser import Step

from features.conformance.cases import SuiteCase, UnknownCaseError, load_cases, select_cases
from features.gherkin.files import FeatureFileError
from features.plugin import pytest_bdd_step_func_lookup_error

SCENARIO = "  Scenario: {}\n    When the merchant debits 92.00 EUR\n    Then it succeeds\n"


@cache
def known() -> list[SuiteCase]:
    """Every test case: read when a test asks for them, not by every worker that collects."""
    return load_cases()


def test_no_two_cases_have_one_address() -> None:
    assert len({each.id for each in known()}) == len(known()) > 2_000


@pytest.mark.parametrize("name", ["PAY-01", "pay-01", "E09", "D-57"])
def test_a_requirement_an_expectation_and_a_decision_choose_what_is_about_them(name: str) -> None:
    found = select_cases(known(), [name])
    assert found
    assert all(name.upper() in each.ids for each in found)


@pytest.mark.parametrize(
    ("word", "begins"),
    [
        ("FIELD:billing.street1:too-long", "FIELD:billing.street1:too-long"),
        ("FIELD:billing.street1", "FIELD:billing.street1:"),
        ("field:billing.", "FIELD:billing."),
        ("FIELD:cart.items[n]", "FIELD:cart.items[n]"),
    ],
)
def test_a_boundary_is_chosen_by_its_address_or_the_beginning_of_it(word: str, begins: str) -> None:
    found = {each.id for each in select_cases(known(), [word])}
    assert found == {each.id for each in known() if each.id.startswith(begins)} != set()


def test_a_beginning_ends_where_a_name_does() -> None:
    with pytest.raises(UnknownCaseError):
        select_cases(known(), ["FIELD:billing.str"])


def test_a_title_chooses_every_row_and_an_address_one() -> None:
    title = "A malformed amount is refused"
    assert len(select_cases(known(), [title])) > 1
    assert [each.id for each in select_cases(known(), [f"{title} #2"])] == [f"{title} #2"]
    assert select_cases(known(), ["payment without a challenge is FINAL"])[0].title.endswith(
        "final at once"
    )


def test_words_choose_together_in_the_order_of_the_suite() -> None:
    one, two = known()[3], known()[8]
    assert select_cases(known(), [two.id, one.id, two.id]) == [one, two]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("PAY-0I", "no case is called 'PAY-0I'; the nearest are: PAY-"),
        ("PAY-1", "the nearest are: PAY-01"),
        ("e9", "the nearest are: E09"),
        ("FIELD:biling.street1", "the nearest are: FIELD:billing.street1"),
        ("capture", "'capture' is part of [0-9]+ titles; write more of it:\n"),
        ("zzzz", "no case is called 'zzzz'; `sandgate check --list` shows all"),
    ],
)
def test_a_word_that_chooses_nothing_is_refused_with_the_nearest(word: str, said: str) -> None:
    with pytest.raises(UnknownCaseError, match=said):
        select_cases(known(), [word])


def test_cases_of_a_folder_are_listed_with_that_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my shop"
    folder.mkdir()
    (folder / "a.feature").write_text("Feature: A\n" + SCENARIO.format("A debit"))
    with pytest.raises(UnknownCaseError) as refused:
        select_cases(load_cases(folder), ["zzzz"], folder=folder)
    listing = f"`sandgate check --features '{folder}' --list` shows all"
    assert str(refused.value) == f"no case is called 'zzzz'; {listing}"


def test_one_title_in_two_files_is_identified_by_the_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        feature = f"Feature: {name}\n" + SCENARIO.format("A debit") + SCENARIO.format(name)
        (tmp_path / f"{name}.feature").write_text(feature)
    assert {each.id for each in load_cases(tmp_path)} == {
        "a.feature: A debit", "b.feature: A debit", "a", "b",
    }  # fmt: skip


def test_a_row_of_an_outline_is_named_by_its_values(tmp_path: Path) -> None:
    outline = (
        "Feature: A\n  Scenario Outline: A <what> is refused <or not>\n"
        "    When the merchant debits <sum> EUR\n    Then it is accepted\n"
        "    Examples:\n      | what | sum |\n      | cent | 0.01 |\n      | card | 92.00 |\n"
    )
    (tmp_path / "a.feature").write_text(outline)
    known = load_cases(tmp_path)

    assert [each.title for each in known] == [
        "A cent is refused <or not>", "A card is refused <or not>",
    ]  # fmt: skip
    assert [each.id for each in known][0] == "A cent is refused <or not> #1"
    assert select_cases(known, ["A cent is refused <or not>"]) == known[:1]
    assert select_cases(known, ["A <what> is refused <or not>"]) == known


def test_a_step_that_is_undefined_is_said_in_one_line_with_the_nearest() -> None:
    step = Step("it succeeds", "then", 4, 4, "Then")
    error = StepDefinitionNotFoundError("as pytest-bdd says it")

    pytest_bdd_step_func_lookup_error(step, error)

    said = str(error)
    assert said.startswith("Then it succeeds (line 4); the nearest are 'Then ")
    assert said.endswith("; `sandgate steps` lists all of them")
    steps = re.findall("'(Then [^']+)'", said)
    assert steps and len(steps) == len(set(steps))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "expected at least one .feature file, got none"),
        ("Feature: A\n @needs:clok\n" + SCENARIO.format("B"), "did you mean clock?"),
        ("Scenario: without a feature\n", "expected Gherkin, got: "),
    ],
)
def test_a_folder_that_cannot_be_judged_by_is_refused(
    tmp_path: Path, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "bad.feature").write_text(content)
    with pytest.raises(FeatureFileError, match=said):
        load_cases(tmp_path)

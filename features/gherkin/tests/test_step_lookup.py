"""A step is found as pytest-bdd finds it: by its kind, its sentence, and who sees it.

Steps of users and undefined ones: features/commands/tests/test_check.py.
"""

import pytest
from pytest_bdd.parser import Step
from pytest_bdd.scenario import find_fixturedefs_for_step

from features.gherkin.step_lookup import StepLookup


def step(kind: str, sentence: str) -> Step:
    return Step(name=sentence, type=kind, line_number=1, indent=4, keyword=kind.capitalize())


@pytest.mark.parametrize(
    ("kind", "sentence", "count"),
    [
        ("given", "a debit of 92.00 EUR", 1),
        ("when", "the merchant captures 30.00 EUR of it", 1),
        ("when", "a debit of 92.00 EUR", 0),
        ("given", "a debit of tea", 0),
    ],
)
def test_the_definitions_of_the_kind_and_the_sentence_are_found(
    request: pytest.FixtureRequest, kind: str, sentence: str, count: int
) -> None:
    found = StepLookup().find(step(kind, sentence), request._fixturemanager, request.node)
    assert len(found) == count


def test_a_sentence_is_compared_once_a_file(request: pytest.FixtureRequest) -> None:
    lookup = StepLookup()
    debit = step("given", "a debit of 92.00 EUR")
    first = lookup.find(debit, request._fixturemanager, request.node)
    assert lookup.find(debit, request._fixturemanager, request.node) is first


def test_it_is_what_pytest_bdd_calls() -> None:
    assert find_fixturedefs_for_step.__qualname__ == "StepLookup.find"

"""Coverage: what may be called proven, and that no requirement is forgotten."""

import pytest

from reports.coverage import SuiteFacts, coverage_of, coverage_of_expectations
from reports.requirements import Requirement, requirements
from reports.run import RecordedRun, run_of
from reports.tests.streams import aside, events_of, failed, passed

EXPECTATION = Requirement("E51", "Expectations", "A description is the text of its code")
ROW = next(row for row in requirements() if row.id == "END-01")
FACTS = SuiteFacts([ROW], {"END-01": [passed().id]}, {"END-01": ("answers_202",)}, {})


def run_with(*cases, ends: bool = True) -> RecordedRun:
    return run_of(events_of(cases, ends=ends))


def state_and_why(run: RecordedRun | None, facts: SuiteFacts = FACTS) -> tuple[str, str]:
    [covered] = coverage_of(run, facts)
    return covered.state, covered.why


def test_what_passed_and_is_guarded_is_proven():
    assert state_and_why(run_with(passed())) == ("proven", "killed: answers_202")


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (passed(expectations=["E51"]), ("proven", "killed: explains")),
        (failed(expectations=["E51"]), ("failed", f"failed: {failed().id}")),
        (passed(requirements=["E51"]), ("missing", "not in this run: 1 case; run all of them")),
    ],
)
def test_an_expectation_is_proven_by_the_cases_that_name_it(case, expected):
    facts = SuiteFacts([], {"E51": [case.id]}, {"E51": ("explains",)}, {}, [EXPECTATION])
    [covered] = coverage_of_expectations(run_with(case), facts)

    assert (covered.state, covered.why) == expected


@pytest.mark.parametrize("run", [None, run_with(passed())])
def test_what_other_tests_show_is_not_missing_and_says_which(run):
    facts = SuiteFacts([], {}, {}, {}, [EXPECTATION], {"E51": "a browser"})
    [covered] = coverage_of_expectations(run, facts)

    assert (covered.state, covered.why) == ("beside", "a browser")


def test_what_passed_without_a_broken_gateway_is_unguarded():
    assert state_and_why(run_with(passed()), FACTS._replace(mutants={}))[0] == "unguarded"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (failed(requirements=["END-01"]), ("failed", f"failed: {failed().id}")),
        (aside("waived", "agreed", requirements=["END-01"]), ("failed", "waived: agreed")),
        (aside("not-checkable", "why", requirements=["END-01"]), ("not-checkable", "why")),
        (aside("not-judged", "D-1", requirements=["END-01"]), ("not-checkable", "D-1")),
    ],
)
def test_one_case_that_did_not_pass_outweighs_those_that_did(case, expected):
    assert state_and_why(run_with(passed(), case, passed(2))) == expected


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (run_with(passed(), ends=False), "cut off"),
        (run_with(passed(2)), f"this run lacks: {passed().id}"),
        (run_with(passed(requirements=["PAY-01"])), "not in this run: 1 case"),
    ],
    ids=["cut off", "a case lacks", "no case"],
)
def test_a_run_that_did_not_judge_all_of_it_leaves_it_missing(run, why):
    state, said = state_and_why(run)

    assert (state, why in said) == ("missing", True)


def test_without_a_run_it_has_cases_or_is_planned_or_is_missing():
    bare = FACTS._replace(cases={})

    assert state_and_why(None) == ("has-cases", "1 case")
    assert state_and_why(None, bare._replace(planned={"END-01": "later"})) == ("planned", "later")
    assert state_and_why(None, bare)[0] == "missing"
    assert state_and_why(run_with(), bare)[0] == "missing"


def test_what_is_planned_and_has_a_scenario_is_not_planned():
    assert state_and_why(None, FACTS._replace(planned={"END-01": "later"}))[0] == "has-cases"

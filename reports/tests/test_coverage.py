"""Coverage: what may be called proven, and that no requirement is forgotten."""

import pytest

from features.mutants.catalogue import mutants_by_requirement
from reports.coverage import Known, cases_in, counts_of, coverage_of, known_of
from reports.requirements import planned, requirements
from reports.run import Run, run_of
from reports.tests.streams import aside, events_of, failed, passed

# What may be planned. A row that leaves features/planned.csv never comes back.
PLANNED_AT_MOST = frozenset({
    "SVC-19", "SVC-23", "AUTH-05",
    "FORM-02", "FORM-03", "FORM-04", "FORM-07", "FORM-08", "FORM-09", "FORM-10", "FORM-11",
    "POS-02", "POS-03", "POS-04", "POS-05", "POS-07",
    "RCN-01", "RCN-02", "RCN-03", "RCN-04", "RCN-05", "RCN-06", "RCN-07", "RCN-08", "RCN-09",
    "RCN-10", "RCN-11",
})  # fmt: skip
ROW = next(row for row in requirements() if row.id == "END-01")
KNOWN = Known([ROW], {"END-01": [passed().id]}, {"END-01": ("answers_202",)}, {})


def run_with(*cases, ends: bool = True) -> Run:
    return run_of(events_of(cases, ends=ends))


def state_and_why(run: Run | None, known: Known = KNOWN) -> tuple[str, str]:
    [covered] = coverage_of(run, known)
    return covered.state, covered.why


def test_what_passed_and_is_guarded_is_proven():
    assert state_and_why(run_with(passed())) == ("proven", "caught: answers_202")


def test_what_passed_without_a_broken_gateway_is_unguarded():
    assert state_and_why(run_with(passed()), KNOWN._replace(guards={}))[0] == "unguarded"


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
    bare = KNOWN._replace(cases={})

    assert state_and_why(None) == ("has-cases", "1 case")
    assert state_and_why(None, bare._replace(planned={"END-01": "later"})) == ("planned", "later")
    assert state_and_why(None, bare)[0] == "missing"
    assert state_and_why(run_with(), bare)[0] == "missing"


def test_what_is_planned_and_has_a_scenario_is_not_planned():
    assert state_and_why(None, KNOWN._replace(planned={"END-01": "later"}))[0] == "has-cases"


def test_tags_of_a_feature_a_rule_and_a_scenario_count(tmp_path):
    (tmp_path / "own.feature").write_text(
        "@req:END-01\nFeature: Own\n  @req:PAY-01 @needs:clock\n  Scenario: One\n    Then x\n"
        "  @req:PAY-02\n  Rule: A rule\n    Scenario: Two\n      Then x\n"
    )

    assert cases_in(tmp_path) == {
        "END-01": ["One", "Two"], "PAY-01": ["One"], "PAY-02": ["Two"],
    }  # fmt: skip


def test_no_requirement_is_missing():
    covered = coverage_of(None, known_of())

    assert [each.id for each in covered if each.state == "missing"] == []
    assert sum(counts_of(covered).values()) == len(requirements())


def test_what_is_planned_only_shrinks():
    assert set(planned()) <= PLANNED_AT_MOST
    assert all(planned().values())


def test_what_has_a_scenario_is_taken_off_the_plan():
    assert set(planned()) & set(known_of().cases) == set()


def test_a_broken_gateway_is_made_for_a_requirement_that_exists():
    assert set(mutants_by_requirement()) <= {row.id for row in requirements()}

"""Coverage of the shipped suite: no requirement is forgotten."""

import re

from features.conformance.coverage import cases_by_requirement, suite_facts
from features.mutants.catalogue import mutants_by_requirement
from reports.coverage import counts_of, coverage_of, coverage_of_expectations
from reports.requirements import FEATURES, beside, planned, requirements

# What may be planned. A row that leaves features/planned.csv never comes back.
PLANNED_AT_MOST = frozenset({
    "SVC-23",
    "RCN-01", "RCN-02", "RCN-03", "RCN-04", "RCN-05", "RCN-06", "RCN-07", "RCN-08", "RCN-09",
    "RCN-10", "RCN-11",
})  # fmt: skip


def test_tags_of_a_feature_a_rule_and_a_scenario_count(tmp_path):
    (tmp_path / "own.feature").write_text(
        "@req:END-01\nFeature: Own\n  @req:PAY-01 @needs:clock\n  Scenario: One\n    Then x\n"
        "  @req:PAY-02\n  Rule: A rule\n    Scenario: Two\n      Then x\n"
    )

    assert cases_by_requirement(tmp_path) == {
        "END-01": ["One", "Two"], "PAY-01": ["One"], "PAY-02": ["Two"],
    }  # fmt: skip


def test_no_requirement_is_missing():
    covered = coverage_of(None, suite_facts())

    assert [each.id for each in covered if each.state == "missing"] == []
    assert sum(counts_of(covered).values()) == len(requirements())


def test_each_expectation_has_scenarios_or_other_tests_and_a_reason():
    facts = suite_facts()
    covered = coverage_of_expectations(None, facts)

    assert {each.state for each in covered} <= {"has-cases", "beside"}
    assert [each.id for each in covered if each.state == "beside"] == [*facts.beside]
    assert set(facts.beside) & set(facts.cases) == set()
    assert [f"E{number:02}" for number in range(1, 71)] == [
        each.id for each in covered if each.id.startswith("E")
    ]


def test_tests_that_are_named_beside_the_scenarios_exist():
    named = [path for reason in beside().values() for path in re.findall(r"\S+\.py", reason)]

    assert len(named) >= len(beside())
    assert [path for path in named if not (FEATURES.parent / path).exists()] == []


def test_what_is_planned_only_shrinks():
    assert set(planned()) <= PLANNED_AT_MOST
    assert all(planned().values())


def test_what_has_a_scenario_is_taken_off_the_plan():
    assert set(planned()) & set(suite_facts().cases) == set()


def test_a_mutant_is_made_for_a_requirement_that_exists():
    assert set(mutants_by_requirement()) <= {row.id for row in requirements()}

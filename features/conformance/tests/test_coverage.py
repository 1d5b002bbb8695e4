"""Coverage of the shipped suite: no requirement is forgotten."""

from features.conformance.coverage import cases_by_requirement, suite_facts
from features.mutants.catalogue import mutants_by_requirement
from reports.coverage import counts_of, coverage_of
from reports.requirements import planned, requirements

# What may be planned. A row that leaves features/planned.csv never comes back.
PLANNED_AT_MOST = frozenset({
    "SVC-19", "SVC-23", "AUTH-05",
    "FORM-02", "FORM-03", "FORM-04", "FORM-07", "FORM-08", "FORM-09", "FORM-10", "FORM-11",
    "POS-02", "POS-03", "POS-04", "POS-05", "POS-07",
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


def test_what_is_planned_only_shrinks():
    assert set(planned()) <= PLANNED_AT_MOST
    assert all(planned().values())


def test_what_has_a_scenario_is_taken_off_the_plan():
    assert set(planned()) & set(suite_facts().cases) == set()


def test_a_mutant_is_made_for_a_requirement_that_exists():
    assert set(mutants_by_requirement()) <= {row.id for row in requirements()}

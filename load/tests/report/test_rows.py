"""The tables of a report withhold what is not reliable."""

from load.closing.check import ClosingCheck, ClosingClause
from load.report.rows import check_rows, clause_rows
from load.results.thresholds import Bounds, Thresholds
from load.tests.records import BUSY, CLEAN, RUN, create_outcome


def test_the_verdict_of_a_withheld_threshold_is_withheld():
    outcome = create_outcome(RUN, CLEAN, samples=BUSY, thresholds=Thresholds(Bounds(p95_ms=1)))

    assert ("overall", "p95_ms", "1", "-", "withheld") in check_rows(outcome)


def test_a_clause_says_why_it_was_not_checked_and_what_it_leaves_out():
    clauses = [ClosingClause("a", 1, (), "no file"), ClosingClause("b", 1, (), remark="of others")]
    rows = clause_rows(create_outcome(RUN, ClosingCheck([*clauses, ClosingClause("c", 1, ())])))

    assert [row[-1] for row in rows] == ["not checked: no file", "passed: of others", "passed"]

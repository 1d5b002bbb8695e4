"""The tables of a report withhold what is not reliable."""

from load.report.rows import check_rows
from load.results.thresholds import Bounds, Thresholds
from load.tests.records import BUSY, CLEAN, RUN, create_outcome


def test_the_verdict_of_a_withheld_threshold_is_withheld():
    outcome = create_outcome(RUN, CLEAN, samples=BUSY, thresholds=Thresholds(Bounds(p95_ms=1)))

    assert ("overall", "p95_ms", "1", "-", "withheld") in check_rows(outcome)

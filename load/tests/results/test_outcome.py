"""The outcome withholds figures that would mislead, and sets the exit status."""

import pytest

from load.closing.check import ClosingCheck, ClosingClause
from load.ledger.records import (
    FAILED,
    THROTTLED,
    ProcessSample,
)
from load.oracle.limits import ClockOffset, ObservedRequest
from load.oracle.throttle_oracle import OracleFindings, OracleMismatch
from load.report.document import create_document
from load.report.remarks import fault_lines, headline, remarks
from load.results.knee import Knee, LoadStep
from load.results.thresholds import (
    Bounds,
    Thresholds,
)
from load.tests.records import (
    BEGAN,
    BUSY,
    CLEAN,
    FAULTY,
    RUN,
    create_outcome,
    create_plan,
    create_record,
)


def test_an_interrupted_run_is_measured_by_its_duration_and_ends_with_3():
    run = [each for each in RUN if each.responded_at < BEGAN + 4]
    cut = create_outcome(run, CLEAN, interrupted_at=BEGAN + 5.1)

    assert cut.summary.overall.throughput == pytest.approx(len(run) / 5.0)
    assert headline(cut).endswith("all ledger checks passed; interrupted after 5.0 of 10 s")
    assert create_document(cut)["doubts"] == ["interrupted after 5.0 of 10 s"]
    assert (create_document(cut)["lasted_s"], cut.exit_status) == (5.0, 3)


def test_an_interrupt_after_the_planned_end_changes_nothing():
    outcome = create_outcome(RUN, CLEAN, interrupted_at=BEGAN + 10.2)

    assert (outcome.doubts, outcome.exit_status) == ([], 0)


def test_a_throughput_is_reported_with_a_clean_closing_check_only():
    assert headline(create_outcome(RUN, CLEAN)).startswith("throughput: ")

    broken = create_outcome(RUN, FAULTY)
    assert headline(broken) == "no figure: the closing check found faults"
    assert broken.exit_status == 1
    assert "nothing is lost: DB 1 is lost" in fault_lines(broken)


def test_a_strained_client_gives_no_figure_and_status_3():
    outcome = create_outcome(RUN, CLEAN, samples=BUSY)

    assert outcome.exit_status == 3
    assert "--processes" in headline(outcome)


def test_a_busy_machine_is_reported_and_changes_no_status():
    full = [ProcessSample("1", BEGAN + second, 10, 0.5, machine=0.99) for second in range(5)]
    outcome = create_outcome(RUN, CLEAN, samples=full)

    assert any(line.startswith("the machine was 99% busy") for line in remarks(outcome))
    assert outcome.exit_status == 0
    assert not any("machine" in line for line in remarks(create_outcome(RUN, CLEAN, samples=BUSY)))


def test_a_run_without_requests_has_no_figure():
    assert create_outcome([], CLEAN).exit_status == 3


HALF = ClosingCheck([*CLEAN.clauses, ClosingClause("it was counted", 3, (), "no counters")])


def test_a_clause_that_was_not_checked_is_reported_with_the_figure_and_ends_with_3():
    partial = create_outcome(RUN, HALF)

    assert "some ledger checks passed; 1 of 2 clauses not checked (it" in headline(partial)
    assert create_document(partial)["certificate"]["not_checked"] == ["it was counted"]
    assert partial.exit_status == 3
    found = Knee(LoadStep(2, 40, 512.3, 80), "throughput of step 3 did not grow")
    assert headline(create_outcome(RUN, HALF, knee=found)).endswith("not checked (it was counted)")


def test_a_gateway_that_could_not_be_read_gives_no_figure_and_no_fault():
    unread = create_outcome(RUN, ClosingCheck([ClosingClause("nothing is lost", 3, (), unread=1)]))

    assert headline(unread) == "no figure: the closing check could not read the gateway"
    assert (unread.exit_status, fault_lines(unread)) == (3, [])


def test_a_throttle_that_could_not_be_checked_is_a_doubt():
    undecided = create_outcome(RUN, CLEAN, findings=OracleFindings({}, (), None))

    assert headline(undecided).endswith("; the throttle not checked")
    assert undecided.exit_status == 3


def test_a_rate_that_was_not_kept_is_a_doubt_except_for_a_knee():
    plan = create_plan(arrival="open", rate=500.0)
    late = create_outcome(RUN, CLEAN, plan=plan)

    assert headline(late).endswith("; the rate not kept")
    assert late.exit_status == 3
    found = Knee(LoadStep(2, 40, 512.3, 80), "throughput of step 3 did not grow")
    assert create_outcome(RUN, CLEAN, plan=plan, knee=found).exit_status == 0


def test_a_wrong_response_counts_on_a_strained_client_too():
    run = [*RUN, create_record("", verdict=FAILED, reason="expected ..., got 500")]

    assert create_outcome(run, CLEAN, samples=BUSY).exit_status == 1


def test_a_run_without_correct_responses_has_no_figure():
    wrong = create_outcome([create_record("", verdict=FAILED, reason="expected, got 500")], CLEAN)

    assert headline(wrong) == "no figure: no response was correct"
    assert headline(create_outcome([create_record("", verdict=THROTTLED)], CLEAN)) == headline(
        wrong
    )


def test_a_knee_is_reported_in_place_of_a_throughput():
    step = LoadStep(2, 40, 512.3, 80)
    outcome = create_outcome(
        RUN, CLEAN, samples=BUSY, knee=Knee(step, "throughput of step 3 did not grow")
    )

    assert headline(outcome).startswith("knee: step 2 at 40, 512.3 successful responses/s")
    assert outcome.exit_status == 0


@pytest.mark.parametrize("knee", [
    Knee(LoadStep(2, 40, 512.3, 80), "the client was short of time", is_client_bound=True),
    Knee(None, "p95 of step 1 is too high"),
])  # fmt: skip
def test_without_a_knee_of_the_gateway_there_is_no_figure(knee):
    outcome = create_outcome(RUN, CLEAN, knee=knee)

    assert headline(outcome) == f"no figure: {knee.reason}"
    assert outcome.exit_status == 3


def findings(*wrong: OracleMismatch) -> OracleFindings:
    return OracleFindings({"must be admitted": 3}, wrong, ClockOffset(0, 0))


def test_one_mismatch_of_the_throttle_oracle_fails_the_run():
    seen = ObservedRequest("create_payment", "", BEGAN, BEGAN + 1, False)

    assert create_outcome(RUN, CLEAN, findings=findings()).exit_status == 0
    broken = create_outcome(RUN, CLEAN, findings=findings(OracleMismatch(seen, "must be refused")))
    assert broken.exit_status == 1
    assert any("must be refused, was admitted" in line for line in fault_lines(broken))


@pytest.mark.parametrize(
    ("bounds", "status"),
    [
        (Bounds(p95_ms=95.01), 0),
        (Bounds(p95_ms=94), 1),
        (Bounds(throughput_min=1), 0),
        (Bounds(throughput_min=1e6), 1),
    ],
)
def test_thresholds_set_the_exit_status(bounds, status):
    assert create_outcome(RUN, CLEAN, thresholds=Thresholds(bounds)).exit_status == status


def test_a_threshold_of_an_operation_without_requests_is_a_doubt():
    missing = Thresholds(operations={"read_payment": Bounds(p95_ms=1, p99_ms=1)})
    outcome = create_outcome(RUN, CLEAN, thresholds=missing)

    doubt = "2 of 3 thresholds not measured (read_payment p95_ms; read_payment p99_ms)"
    assert headline(outcome).endswith(f"all ledger checks passed; {doubt}")
    assert create_document(outcome)["doubts"] == [doubt]
    assert create_document(outcome)["headline"] == headline(outcome)
    assert outcome.exit_status == 3


def test_a_wrong_response_fails_the_run_unless_thresholds_allow_it():
    run = [*RUN, create_record("", verdict=FAILED, reason="expected ..., got 500")]

    assert create_outcome(run, CLEAN).exit_status == 1
    assert (
        create_outcome(run, CLEAN, thresholds=Thresholds(Bounds(error_share=0.1))).exit_status == 0
    )
    assert "1x create_payment: expected ..., got 500" in fault_lines(create_outcome(run, CLEAN))

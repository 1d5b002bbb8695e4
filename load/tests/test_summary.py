"""Figures come from the ledger, are withheld where they would mislead, and set the exit status."""

import pytest

from load.certificate import Certificate, Clause
from load.ledger import (
    CUT_OFF,
    FAILED,
    REFUSED,
    THROTTLED,
    UNANSWERED,
    BadLedger,
    Book,
    Pulse,
    read_lines,
)
from load.oracle import Findings, Limit, Offset, Seen, Wrong
from load.run import findings_of
from load.shapes import Knee, Step
from load.summary import at_share, lag_of, strain_of, summarise
from load.telling import (
    check_rows,
    document,
    faults_of,
    headline,
    operation_rows,
    remarks,
)
from load.tests.making import BEGAN, a_plan, an_outcome, heard, told
from load.thresholds import BadThresholds, Bounds, Thresholds, check_all, read_thresholds

CLEAN = Certificate([Clause("nothing is lost", 3, ())])
BROKEN_BOOKS = Certificate([Clause("nothing is lost", 3, ("DB 1 is lost",))])
RUN = [told(f"{n}", at=n / 10, took_s=n / 1000) for n in range(1, 101)]
BUSY = [Pulse("1", BEGAN + second, 10, 0.97) for second in range(10)]


def test_a_share_is_the_least_value_that_so_many_do_not_exceed():
    assert [at_share(range(1, 101), share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert at_share([7.0], 0.99) == 7.0
    assert at_share([], 0.5) == 0


def test_figures_are_those_of_right_answers():
    wrong = [told("", verdict=FAILED, took_s=9), told("", verdict=UNANSWERED, took_s=9)]
    others = [told("", verdict=verdict, took_s=0) for verdict in [THROTTLED] * 90 + [CUT_OFF] * 8]

    figures = summarise(a_plan(), [*RUN, *wrong, *others], [], []).overall

    assert figures.p95_ms == pytest.approx(95, abs=0.01)
    assert figures.error_share == 2 / 200
    assert figures.requests == 200


def test_throughput_is_of_right_answers_from_the_first_request_to_the_last_answer():
    declined = told("d", at=20, verdict=REFUSED, took_s=0.1)

    summary = summarise(a_plan(), [*RUN, declined], [], [])

    assert summary.overall.throughput == pytest.approx(101 / 20.0)
    assert len(summary.seconds) == 20


def test_answers_that_came_seldom_are_not_told_as_if_they_had_come_all_the_time():
    seldom = summarise(a_plan(seconds=1.0), [told("one", took_s=0.016)], [], [])

    assert seldom.overall.throughput == seldom.operations["create_payment"].throughput == 1.0
    checks = check_all(Thresholds(Bounds(throughput_min=2)), seldom)
    assert [check.verdict for check in checks] == ["kept", "BROKEN"]


def test_a_run_that_was_cut_short_is_measured_by_how_long_it_lasted_and_ends_with_3():
    run = [each for each in RUN if each.answered < BEGAN + 4]
    cut = an_outcome(run, CLEAN, interrupted=BEGAN + 5.1)

    assert cut.summary.overall.throughput == pytest.approx(len(run) / 5.0)
    assert headline(cut).endswith("with a clean certificate; cut short after 5.0 of 10 s")
    assert document(cut)["doubts"] == ["cut short after 5.0 of 10 s"]
    assert (document(cut)["lasted_s"], cut.exit_status) == (5.0, 3)


def test_a_run_that_was_interrupted_when_its_time_was_over_was_not_cut_short():
    outcome = an_outcome(RUN, CLEAN, interrupted=BEGAN + 10.2)

    assert (outcome.doubts, outcome.exit_status) == ([], 0)


def test_requests_that_locust_sent_before_it_heard_of_the_interruption_count_as_time():
    run = [told("a", at=1), told("b", at=4.5)]

    assert summarise(a_plan(), run, [], [], interrupted=BEGAN + 4).lasted_s == 3.5


@pytest.mark.parametrize(("lasted", "steps"), [(1.9, 0), (3.9, 1), (4.1, 2), (9.9, 4), (10.5, 5)])
def test_a_step_that_was_cut_short_is_no_step(lasted, steps):
    plan = a_plan(shape="step", steps=5)

    cut = summarise(plan, [told("a")], [], [], interrupted=BEGAN + lasted)

    assert len(cut.steps) == steps


def test_the_time_to_a_webhook_counts_the_first_time_it_came():
    some = [told("a"), told("b"), told("never")]
    came = [heard(some[0], lag_s=0.3), heard(some[0], lag_s=0.1), heard(some[1], lag_s=-0.01)]

    lag = lag_of(some, came)

    assert lag is not None
    assert (lag.payments, lag.p50_ms, lag.max_ms) == pytest.approx((2, -10, 100), abs=0.01)
    assert lag_of(some, []) is None


def test_a_client_that_used_up_a_core_is_the_limit():
    assert "--processes" in strain_of(BUSY)
    assert strain_of([Pulse("1", BEGAN, 10, 0.5), *BUSY[:1]] + BUSY[:0]) == ""
    assert "Locust" in strain_of([Pulse("1", BEGAN, 10, 0.2, warned=True)] * 3)
    assert strain_of([]) == ""


def test_a_throughput_is_told_with_a_clean_certificate_alone():
    assert headline(an_outcome(RUN, CLEAN)).startswith("throughput: ")

    broken = an_outcome(RUN, BROKEN_BOOKS)
    assert headline(broken) == "no figure: the certificate is not clean"
    assert broken.exit_status == 1
    assert "nothing is lost: DB 1 is lost" in faults_of(broken)


@pytest.mark.parametrize("certificate, pulses", [(BROKEN_BOOKS, []), (CLEAN, BUSY)])
def test_figures_that_are_withheld_stand_nowhere(certificate, pulses):
    outcome = an_outcome(RUN, certificate, pulses=pulses)
    told_of = document(outcome)

    assert outcome.withheld
    assert [row[-5:] for row in operation_rows(outcome)] == [("-",) * 5] * 2
    assert told_of["overall"].keys() & {"throughput", "p95_ms"} == set()
    assert (told_of["time_to_webhook"], told_of["seconds"]) == (None, [])
    assert not any("time to webhook" in line for line in remarks(outcome))


def test_a_strained_client_gives_no_figure_and_status_3():
    outcome = an_outcome(RUN, CLEAN, pulses=BUSY)

    assert outcome.exit_status == 3
    assert "--processes" in headline(outcome)


def test_a_step_tells_how_late_the_notifications_of_its_payments_came():
    plan = a_plan(shape="step", steps=1, seconds=10)
    run = [told(f"DB {n}", at=n) for n in range(10)]
    late = [heard(one)._replace(at=one.answered + 2) for one in run]

    (step,) = summarise(plan, run, [], late).steps
    (unheard,) = summarise(plan, run, [], []).steps

    assert step.lag_ms == pytest.approx(2000)
    assert unheard.lag_ms == 0


def test_a_machine_that_was_full_is_told_and_changes_no_status():
    full = [Pulse("1", BEGAN + second, 10, 0.5, machine=0.99) for second in range(5)]
    outcome = an_outcome(RUN, CLEAN, pulses=full)

    assert any(line.startswith("the machine was busy to 99%") for line in remarks(outcome))
    assert outcome.exit_status == 0
    assert not any("machine" in line for line in remarks(an_outcome(RUN, CLEAN, pulses=BUSY)))


def test_nothing_asked_is_no_figure():
    assert an_outcome([], CLEAN).exit_status == 3


HALF = Certificate([*CLEAN.clauses, Clause("it was counted", 3, (), "no counters")])


def test_a_clause_that_was_not_checked_is_told_beside_the_figure_and_ends_with_3():
    partial = an_outcome(RUN, HALF)

    assert "with a partial certificate; 1 of 2 clauses not checked (it" in headline(partial)
    assert document(partial)["certificate"]["not_checked"] == ["it was counted"]
    assert partial.exit_status == 3
    found = Knee(Step(2, 40, 512.3, 80), "step 3 answered no more")
    assert headline(an_outcome(RUN, HALF, knee=found)).endswith("not checked (it was counted)")


def test_books_that_could_not_be_read_are_no_figure_and_no_fault():
    unread = an_outcome(RUN, Certificate([Clause("nothing is lost", 3, (), unread=1)]))

    assert headline(unread) == "no figure: the books could not be read"
    assert (unread.exit_status, faults_of(unread)) == (3, [])


def test_a_throttle_that_could_not_be_judged_is_in_doubt():
    undecided = an_outcome(RUN, CLEAN, findings=Findings({}, (), None))

    assert headline(undecided).endswith("; the throttle not judged")
    assert undecided.exit_status == 3


@pytest.mark.parametrize("status", [500, 0])
def test_a_wrong_answer_may_have_counted_or_not_and_has_no_mark(status):
    one = Limit("create_payment", "merchant", 1, 1)
    wrong = told("", verdict=FAILED, status=status, at=0.2)
    refused = told("", verdict=THROTTLED, status=429, at=0.4)

    for after in (told("d", at=0.4), refused):
        found = findings_of([wrong, after], [one])
        assert found is not None
        assert (found.wrong, found.judged) == ([], 1)


def test_a_rate_that_was_not_kept_is_in_doubt_but_for_a_knee():
    plan = a_plan(arrival="open", rate=500.0)
    late = an_outcome(RUN, CLEAN, plan=plan)

    assert headline(late).endswith("; the rate not kept")
    assert late.exit_status == 3
    found = Knee(Step(2, 40, 512.3, 80), "step 3 answered no more")
    assert an_outcome(RUN, CLEAN, plan=plan, knee=found).exit_status == 0


def test_a_wrong_answer_is_wrong_on_a_strained_client_too():
    run = [*RUN, told("", verdict=FAILED, reason="expected ..., got 500")]

    assert an_outcome(run, CLEAN, pulses=BUSY).exit_status == 1


def test_nothing_answered_rightly_is_no_figure():
    wrong = an_outcome([told("", verdict=FAILED, reason="expected, got 500")], CLEAN)

    assert headline(wrong) == "no figure: nothing was answered rightly"
    assert headline(an_outcome([told("", verdict=THROTTLED)], CLEAN)) == headline(wrong)


def test_a_knee_is_told_in_place_of_a_throughput():
    step = Step(2, 40, 512.3, 80)
    outcome = an_outcome(RUN, CLEAN, pulses=BUSY, knee=Knee(step, "step 3 answered no more"))

    assert headline(outcome).startswith("knee: step 2 at 40, 512.3 answers a second")
    assert outcome.exit_status == 0


@pytest.mark.parametrize("knee", [
    Knee(Step(2, 40, 512.3, 80), "the client was short of time", is_client_bound=True),
    Knee(None, "p95 of step 1 is too high"),
])  # fmt: skip
def test_without_a_knee_of_the_gateway_there_is_no_figure(knee):
    outcome = an_outcome(RUN, CLEAN, knee=knee)

    assert headline(outcome) == f"no figure: {knee.why}"
    assert outcome.exit_status == 3


def findings(*wrong: Wrong) -> Findings:
    return Findings({"must be admitted": 3}, wrong, Offset(0, 0))


def test_one_wrong_mark_of_the_throttle_breaks_the_run():
    seen = Seen("create_payment", "", BEGAN, BEGAN + 1, False)

    assert an_outcome(RUN, CLEAN, findings=findings()).exit_status == 0
    broken = an_outcome(RUN, CLEAN, findings=findings(Wrong(seen, "must be refused")))
    assert broken.exit_status == 1
    assert any("must be refused, was admitted" in line for line in faults_of(broken))


THRESHOLDS = """
[overall]
p95_ms = 90
error_share = 0.05

[operations.create_payment]
p99_ms = 100
throughput_min = 5

[operations.read_payment]
p95_ms = 10
"""


def test_a_file_of_thresholds_is_checked_line_by_line():
    thresholds = read_thresholds(THRESHOLDS, source="t.toml")

    checks = check_all(thresholds, summarise(a_plan(), RUN, [], []))

    assert [(check.where, check.name, check.verdict) for check in checks] == [
        ("overall", "p95_ms", "BROKEN"),
        ("overall", "error_share", "kept"),
        ("create_payment", "p99_ms", "kept"),
        ("create_payment", "throughput_min", "kept"),
        ("read_payment", "p95_ms", "not measured"),
    ]


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
    assert an_outcome(RUN, CLEAN, thresholds=Thresholds(bounds)).exit_status == status


def test_a_threshold_of_what_was_never_asked_is_no_figure():
    missing = Thresholds(operations={"read_payment": Bounds(p95_ms=1)})

    assert an_outcome(RUN, CLEAN, thresholds=missing).exit_status == 3


def test_a_wrong_answer_breaks_the_run_unless_thresholds_allow_it():
    run = [*RUN, told("", verdict=FAILED, reason="expected ..., got 500")]

    assert an_outcome(run, CLEAN).exit_status == 1
    assert an_outcome(run, CLEAN, thresholds=Thresholds(Bounds(error_share=0.1))).exit_status == 0
    assert "1x create_payment: expected ..., got 500" in faults_of(an_outcome(run, CLEAN))


def test_a_threshold_that_is_withheld_is_not_judged():
    outcome = an_outcome(RUN, CLEAN, pulses=BUSY, thresholds=Thresholds(Bounds(p95_ms=1)))

    assert ("overall", "p95_ms", "1", "-", "not judged") in check_rows(outcome)


@pytest.mark.parametrize(
    "text", ["[overall]\np95 = 1", "[total]", "p95_ms =", "[overall]\np95_ms='x'"]
)
def test_a_file_that_says_something_unknown_is_refused_with_what_is_expected(text):
    with pytest.raises(BadThresholds, match=r"t.toml: expected \[overall\] and"):
        read_thresholds(text, source="t.toml")


def test_a_document_holds_no_token_and_no_place_on_this_machine():
    text = str(document(an_outcome(RUN, CLEAN, plan=a_plan(users=7))))

    assert "'token'" not in text
    assert "'ledger'" not in text
    assert "'users': 7" in text


def test_a_ledger_is_read_as_it_was_written():
    book = Book()
    for line in (RUN[0], BUSY[0]):
        book.write(line)

    assert list(read_lines(book.take().splitlines())) == [RUN[0], BUSY[0]]
    assert book.take() == b""
    with pytest.raises(BadLedger, match="line 1: expected a line of a ledger"):
        list(read_lines([b'["told"']))

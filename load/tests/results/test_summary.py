"""The summary of a run is computed from its ledger."""

import pytest

from load.ledger.records import (
    ABORTED,
    EXPECTED_DECLINE,
    FAILED,
    NO_RESPONSE,
    THROTTLED,
    ProcessSample,
)
from load.results.summary import describe_strain, measure_lag, percentile, summarize
from load.tests.records import (
    BEGAN,
    BUSY,
    RUN,
    create_plan,
    create_record,
    event_of,
)


def test_a_percentile_is_the_least_value_that_a_share_does_not_exceed():
    assert [percentile(range(1, 101), share) for share in (0.5, 0.95, 0.99, 1.0)] == [
        50,
        95,
        99,
        100,
    ]
    assert percentile([7.0], 0.99) == 7.0
    assert percentile([], 0.5) == 0


def test_latencies_are_those_of_correct_responses():
    wrong = [
        create_record("", verdict=FAILED, duration_s=9),
        create_record("", verdict=NO_RESPONSE, duration_s=9),
    ]
    others = [
        create_record("", verdict=verdict, duration_s=0)
        for verdict in [THROTTLED] * 90 + [ABORTED] * 8
    ]

    figures = summarize(create_plan(), [*RUN, *wrong, *others], [], []).overall

    assert figures.p95_ms == pytest.approx(95, abs=0.01)
    assert figures.error_share == 2 / 200
    assert figures.requests == 200


def test_throughput_is_of_correct_responses_from_the_first_request_to_the_last_response():
    declined = create_record("d", at=20, verdict=EXPECTED_DECLINE, duration_s=0.1)

    summary = summarize(create_plan(), [*RUN, declined], [], [])

    assert summary.overall.throughput == pytest.approx(101 / 20.0)
    assert len(summary.seconds) == 20


@pytest.mark.parametrize(
    ("seconds", "last", "shown"), [(10, 9.5, 10), (10, 4.5, 10), (10, 10.4, 10), (0.5, 0.2, 1)]
)
def test_each_second_in_which_load_was_made_is_shown(
    seconds: float, last: float, shown: int
) -> None:
    run = [create_record("a", at=0, duration_s=0.1), create_record("b", at=last, duration_s=0.1)]

    summary = summarize(create_plan(seconds=seconds), run, [], [])

    assert [each.second for each in summary.seconds] == [*range(shown)]


def test_no_second_is_shown_of_a_run_without_a_response() -> None:
    assert summarize(create_plan(seconds=10), [], [], []).seconds == []


def test_requests_sent_shortly_after_the_interrupt_count_as_duration():
    run = [create_record("a", at=1), create_record("b", at=4.5)]

    assert summarize(create_plan(), run, [], [], interrupted_at=BEGAN + 4).lasted_s == 3.5


@pytest.mark.parametrize(("lasted", "steps"), [(1.9, 0), (3.9, 1), (4.1, 2), (9.9, 4), (10.5, 5)])
def test_an_interrupted_step_does_not_count(lasted, steps):
    plan = create_plan(shape="step", steps=5)

    cut = summarize(plan, [create_record("a")], [], [], interrupted_at=BEGAN + lasted)

    assert len(cut.steps) == steps


def test_the_time_to_a_webhook_is_that_of_its_first_delivery():
    some = [create_record("a"), create_record("b"), create_record("never")]
    came = [
        event_of(some[0], lag_s=0.3),
        event_of(some[0], lag_s=0.1),
        # A notification may overtake the response to its request.
        event_of(some[1], lag_s=-0.01),
    ]

    lag = measure_lag(some, came)

    assert lag is not None
    assert (lag.payments, lag.p50_ms, lag.max_ms) == pytest.approx((2, 0, 110), abs=0.01)
    assert measure_lag(some, []) is None


def test_a_client_that_used_up_a_core_is_the_limit():
    assert "--processes" in describe_strain(BUSY)
    assert describe_strain([ProcessSample("1", BEGAN, 10, 0.5), *BUSY[:1]] + BUSY[:0]) == ""
    assert "Locust" in describe_strain([ProcessSample("1", BEGAN, 10, 0.2, warned=True)] * 3)
    assert describe_strain([]) == ""


def test_a_step_has_the_lag_of_the_notifications_of_its_payments():
    plan = create_plan(shape="step", steps=1, seconds=10)
    run = [create_record(f"DB {n}", at=n) for n in range(10)]
    late = [event_of(one)._replace(at=one.responded_at + 2) for one in run]

    (step,) = summarize(plan, run, [], late).steps
    (unheard,) = summarize(plan, run, [], []).steps

    assert step.lag_ms == pytest.approx(2010)
    assert unheard.lag_ms == 0

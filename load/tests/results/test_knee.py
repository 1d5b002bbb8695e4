"""The knee is the last step below saturation."""

import pytest

from load.results.knee import Knee, LoadStep, find_knee


def steps(*measured: tuple[float, float]) -> list[LoadStep]:
    return [
        LoadStep(number, number * 10, rate, p95) for number, (rate, p95) in enumerate(measured, 1)
    ]


@pytest.mark.parametrize(
    ("measured", "knee", "reason"),
    [
        (steps((100, 5), (200, 6), (300, 8), (305, 30)), 3, "throughput of step 4 did not grow"),
        (steps((100, 5), (200, 6), (300, 600)), 2, "p95 of step 3 is 600 ms, above 500"),
        (steps((100, 5), (200, 6), (150, 7), (400, 8)), 2, "throughput of step 3 did not grow"),
        (steps((100, 5), (200, 6)), 2, "every step still grew"),
    ],
)
def test_the_knee_is_the_last_step_that_grew_and_stayed_quick(measured, knee, reason):
    found = find_knee(measured, 500)

    assert found.step is not None
    assert found.step.number == knee
    assert found.reason.startswith(reason)
    assert not found.is_client_bound
    assert found.is_reached == (not reason.startswith("every"))


def test_a_first_step_that_is_too_slow_leaves_no_knee():
    assert find_knee(steps((100, 900)), 500).step is None


def test_a_step_whose_notifications_pile_up_is_beyond_the_knee():
    measured = steps((100, 5), (200, 6), (300, 8))
    measured[1] = measured[1]._replace(lag_ms=999)
    measured[2] = measured[2]._replace(lag_ms=2345)

    found = find_knee(measured, 500)

    assert found.step is not None and found.step.number == 2
    assert found.reason.startswith("notifications of step 3 arrived 2345 ms after their requests")


def test_a_strained_client_ends_the_search_and_is_reported():
    measured = steps((100, 5), (200, 6), (300, 8))
    measured[2] = measured[2]._replace(is_strained=True)

    found = find_knee(measured, 500)

    assert found.is_client_bound
    assert found.step is not None and found.step.number == 2
    assert "--processes" in found.reason


def test_without_a_completed_step_there_is_no_knee():
    assert find_knee([], 500) == Knee(None, "no step was completed", is_reached=False)

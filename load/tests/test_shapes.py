"""Shapes say how much load there is at which moment; steps lead to the knee."""

from random import Random

import pytest

from load.arrivals import Schedule, planned_arrivals, punctuality_of
from load.plan import Plan
from load.shapes import Knee, Step, knee_of, rate_at, step_span, users_at
from load.tests.making import a_plan, told


def users_over(plan: Plan) -> list[int]:
    return [users_at(plan, second) or 0 for second in range(11)]


@pytest.mark.parametrize(
    ("shape", "users"),
    [
        ("flat",  [40] * 10 + [0]),
        ("ramp",  [1, 5, 10, 15, 20, 25, 30, 35, 40, 40, 0]),
        ("soak",  [1] + [40] * 9 + [0]),
        ("spike", [8, 8, 8, 8, 40, 40, 8, 8, 8, 8, 0]),
        ("step",  [10, 10, 10, 20, 20, 30, 30, 30, 40, 40, 0]),
    ],
)  # fmt: skip
def test_a_shape_is_a_number_of_users_at_each_second(shape, users):
    assert users_over(a_plan(shape=shape, users=40, steps=4, seconds=10)) == users


def test_in_open_arrival_the_rate_follows_the_shape_and_the_users_wait():
    plan = a_plan(shape="spike", arrival="open", rate=100, users=30, seconds=10)

    assert [users_at(plan, second) for second in (0, 5, 10)] == [30, 30, None]
    assert [rate_at(plan, second) for second in (0, 5, 9)] == pytest.approx([20, 100, 20])
    assert planned_arrivals(lambda at: rate_at(plan, at), 10) == pytest.approx(360, rel=0.02)


def test_the_first_fifth_of_a_step_does_not_count():
    plan = a_plan(shape="step", steps=5, seconds=50)

    assert step_span(plan, 0) == (2, 10)
    assert step_span(plan, 4) == (42, 50)


def steps(*measured: tuple[float, float]) -> list[Step]:
    return [Step(number, number * 10, rate, p95) for number, (rate, p95) in enumerate(measured, 1)]


@pytest.mark.parametrize(
    ("measured", "knee", "why"),
    [
        (steps((100, 5), (200, 6), (300, 8), (305, 30)), 3, "step 4 answered no more"),
        (steps((100, 5), (200, 6), (300, 600)), 2, "p95 of step 3 is 600 ms, above 500"),
        (steps((100, 5), (200, 6), (150, 7), (400, 8)), 2, "step 3 answered no more"),
        (steps((100, 5), (200, 6)), 2, "every step still grew"),
    ],
)
def test_the_knee_is_the_last_step_that_grew_and_stayed_quick(measured, knee, why):
    found = knee_of(measured, 500)

    assert found.step is not None
    assert found.step.number == knee
    assert found.why.startswith(why)
    assert not found.is_client_bound
    assert found.is_reached == (not why.startswith("every"))


def test_a_first_step_that_is_too_slow_leaves_no_knee():
    assert knee_of(steps((100, 900)), 500).step is None


def test_a_step_whose_notifications_pile_up_is_beyond_the_knee():
    measured = steps((100, 5), (200, 6), (300, 8))
    measured[1] = measured[1]._replace(lag_ms=999)
    measured[2] = measured[2]._replace(lag_ms=2345)

    found = knee_of(measured, 500)

    assert found.step is not None and found.step.number == 2
    assert found.why.startswith("notifications of step 3 came 2345 ms after their answers")


def test_a_strained_client_ends_the_search_and_says_so():
    measured = steps((100, 5), (200, 6), (300, 8))
    measured[2] = measured[2]._replace(strained=True)

    found = knee_of(measured, 500)

    assert found.is_client_bound
    assert found.step is not None and found.step.number == 2
    assert "--processes" in found.why


def dues(*, poisson: bool, seed: int = 1, count: int = 2000, rate: float = 50) -> list[float]:
    schedule = Schedule(lambda _: rate, random=Random(seed), poisson=poisson)
    return [schedule.take(1000.0) - 1000.0 for _ in range(count)]


def test_even_arrivals_are_as_far_apart_as_the_rate_says():
    assert dues(poisson=False, count=3) == pytest.approx([0.02, 0.04, 0.06])


def test_arrivals_at_random_have_the_rate_and_the_spread_of_a_poisson_process():
    instants = dues(poisson=True)
    gaps = [after - before for before, after in zip(instants, instants[1:], strict=False)]
    mean = sum(gaps) / len(gaps)
    spread = (sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) ** 0.5

    assert mean == pytest.approx(0.02, rel=0.1)
    assert spread == pytest.approx(mean, rel=0.15)
    assert dues(poisson=True) == instants
    assert dues(poisson=True, seed=2) != instants


def test_a_rate_that_was_kept_is_said_so():
    sent = [told(f"{n}", at=n / 10, late_s=0.002) for n in range(100)]

    found = punctuality_of([*sent, told("follows", at=3)], planned=100)

    assert found.is_kept
    assert (found.sent, found.late) == (100, 0)
    assert str(found).startswith("rate kept: 100 of 100")


def test_arrivals_that_came_late_or_not_at_all_are_said_so():
    late = [told(f"{n}", at=n / 10, late_s=0.5 if n % 10 == 0 else 0.001) for n in range(100)]

    assert not punctuality_of(late, planned=100).is_kept
    assert not punctuality_of(late[1:10], planned=100).is_kept
    assert "NOT kept" in str(punctuality_of(late, planned=100))


def test_in_open_arrival_whoever_comes_late_waits_longer():
    assert told("x", took_s=0.010, late_s=0.5).latency_ms == pytest.approx(510)


def test_where_no_step_was_over_there_is_no_knee():
    assert knee_of([], 500) == Knee(None, "no step was over", is_reached=False)

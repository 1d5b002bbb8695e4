"""Shapes say how much load there is at each moment of a run."""

import pytest

from load.plan.arrivals import planned_arrivals
from load.plan.plan import LoadPlan
from load.plan.shapes import rate_at, step_span, users_at
from load.tests.records import create_plan


def users_over(plan: LoadPlan) -> list[int]:
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
    assert users_over(create_plan(shape=shape, users=40, steps=4, seconds=10)) == users


def test_in_open_arrival_the_rate_follows_the_shape_and_the_users_wait():
    plan = create_plan(shape="spike", arrival="open", rate=100, users=30, seconds=10)

    assert [users_at(plan, second) for second in (0, 5, 10)] == [30, 30, None]
    assert [rate_at(plan, second) for second in (0, 5, 9)] == pytest.approx([20, 100, 20])
    assert planned_arrivals(lambda at: rate_at(plan, at), 10) == pytest.approx(360, rel=0.02)


def test_the_first_fifth_of_a_step_does_not_count():
    plan = create_plan(shape="step", steps=5, seconds=50)

    assert step_span(plan, 0) == (2, 10)
    assert step_span(plan, 4) == (42, 50)

"""Arrivals have the planned rate, evenly or at random."""

from random import Random

import pytest

from load.plan.arrivals import ArrivalSchedule


def dues(*, poisson: bool, seed: int = 1, count: int = 2000, rate: float = 50) -> list[float]:
    schedule = ArrivalSchedule(lambda _: rate, random=Random(seed), poisson=poisson)
    return [schedule.take_next(1000.0) - 1000.0 for _ in range(count)]


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

from datetime import timedelta
from statistics import median

import pytest

from scenarios.latency import delay_of
from scenarios.records import Fixed, Latency, Lognormal

DRAWN = Latency(lognormal=Lognormal(median_s=0.2, sigma=0.7, seed=1))


def drawn(latency, count, name="uneven"):
    return [delay_of(latency, name=name, count=number).total_seconds() for number in range(count)]


def test_no_latency_is_no_wait():
    assert delay_of(None, name="approve", count=0) == timedelta(0)


def test_a_fixed_latency_is_the_same_every_time():
    fixed = Latency(fixed=Fixed(seconds=1.5))
    assert drawn(fixed, 3) == [1.5, 1.5, 1.5]


def test_the_same_seed_gives_the_same_row_of_draws():
    assert drawn(DRAWN, 50) == drawn(DRAWN, 50)


def test_draws_stay_the_same_over_releases():
    assert drawn(DRAWN, 3) == pytest.approx(EXPECTED, abs=1e-6)


def test_another_seed_and_another_behaviour_give_other_draws():
    other_seed = Latency(lognormal=Lognormal(median_s=0.2, sigma=0.7, seed=2))
    assert drawn(DRAWN, 5) != drawn(other_seed, 5)
    assert drawn(DRAWN, 5) != drawn(DRAWN, 5, name="other")


def test_draws_lie_about_the_median():
    row = drawn(DRAWN, 1001)
    assert median(row) == pytest.approx(0.2, rel=0.1)
    assert len(set(row)) > 990


def test_without_sigma_every_draw_is_the_median():
    flat = Latency(lognormal=Lognormal(median_s=2, sigma=0, seed=9))
    assert drawn(flat, 3) == [2, 2, 2]


def test_no_draw_is_longer_than_an_hour():
    wild = Latency(lognormal=Lognormal(median_s=600, sigma=3, seed=1))
    assert max(drawn(wild, 500)) == 3600


EXPECTED = [0.275968, 0.229687, 0.030308]

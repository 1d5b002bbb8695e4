"""What a soak compares: memory by what was stored, and four fifths of the users at the knee."""

import pytest

from load.proof.soak import Sample, memory_a_payment, users_below
from load.shapes import Knee, Step

KIB = 1024


def test_memory_is_counted_once_buffers_are_made_and_by_what_was_stored_since():
    samples = [Sample(at, 50_000 * KIB + at * 3 * KIB * 10) for at in range(101)]
    samples[5] = Sample(5, 90_000 * KIB)
    stored_at = [second + n / 10 for second in range(100) for n in range(10)]

    assert memory_a_payment(samples, stored_at) == (pytest.approx(3.0), 800)


def test_memory_that_grows_by_more_than_was_stored_is_seen():
    samples = [Sample(at, at * 9 * KIB) for at in range(11)]

    assert memory_a_payment(samples, list(range(10)))[0] == pytest.approx(9.0)


def test_nothing_stored_is_no_growth():
    assert memory_a_payment([Sample(0, 1), Sample(10, 9)], []) == (0.0, 0)


@pytest.mark.parametrize(("knee", "users"), [
    (Knee(Step(7, 280, 700, 80), "step 8 answered no more"), 224),
    (Knee(None, "p95 of step 1 is 900 ms"), 32),
])  # fmt: skip
def test_a_soak_keeps_four_fifths_of_the_users_at_the_knee(knee, users):
    assert users_below(knee) == users

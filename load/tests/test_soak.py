"""What a soak compares, and that no proof is met where nothing was measured."""

from collections import Counter
from math import inf

import pytest

from load.certificate import Certificate, Clause
from load.figure import missed
from load.ledger import Pulse
from load.oracle import MUST_ADMIT
from load.proof.__main__ import soak_figures, throttle_figures
from load.proof.soak import Sample, Soak, memory_a_payment, users_below
from load.proof.throttling import Throttling
from load.shapes import Knee, Step
from load.tests.making import BEGAN, an_outcome, told

KIB = 1024


def test_memory_is_counted_once_buffers_are_made_and_by_what_was_stored_since():
    samples = [Sample(at, 50_000 * KIB + at * 3 * KIB * 10) for at in range(101)]
    samples[5] = Sample(5, 90_000 * KIB)
    stored_at = [second + n / 10 for second in range(100) for n in range(10)]

    assert memory_a_payment(samples, stored_at) == (pytest.approx(3.0), 800)


def test_memory_that_grows_by_more_than_was_stored_is_seen():
    samples = [Sample(at, at * 9 * KIB) for at in range(11)]

    assert memory_a_payment(samples, list(range(10)))[0] == pytest.approx(9.0)


def test_where_nothing_was_stored_nothing_is_known_of_memory():
    assert memory_a_payment([Sample(0, 1), Sample(10, 9)], []) == (inf, 0)


@pytest.mark.parametrize(("knee", "users"), [
    (Knee(Step(7, 280, 700, 80), "step 8 answered no more"), 224),
    (Knee(None, "p95 of step 1 is 900 ms"), 40),
])  # fmt: skip
def test_a_soak_keeps_four_fifths_of_the_users_at_the_knee(knee, users):
    assert users_below(knee) == users


CLEAN = Certificate([Clause("nothing is lost", 3, ())])
MET = Knee(Step(7, 280, 700, 80), "step 8 answered no more")
BUSY = [Pulse("1", BEGAN + second, 10, 0.97) for second in range(10)]


def a_soak(knee: Knee = MET, *, pulses=(), interrupted=None, **other: float) -> Soak:
    """A soak that met its goals, unless said otherwise."""
    measured = {"p99_early_ms": 10.0, "p99_late_ms": 10.0, "memory_kib": 1.0, "stored": 9}
    outcome = an_outcome([told("d")], CLEAN, pulses=pulses, interrupted=interrupted)
    return Soak(knee=knee, users=224, outcome=outcome, **{**measured, **other})


@pytest.mark.parametrize(
    ("done", "missing"),
    [
        (a_soak(), []),
        (a_soak(p99_early_ms=0.0), ["soak: p99 of last against second"]),
        (a_soak(p99_late_ms=0.0), ["soak: p99 of last against second"]),
        (a_soak(memory_kib=inf), ["soak: memory a stored payment"]),
        (a_soak(Knee(None, "p95")), ["soak: knees that were not met"]),
        (a_soak(MET._replace(is_reached=False)), ["soak: knees that were not met"]),
        (a_soak(MET._replace(is_client_bound=True)), ["soak: knees that were not met"]),
        (a_soak(pulses=BUSY), ["soak: throughputs withheld"]),
        (a_soak(interrupted=BEGAN + 5), ["soak: throughputs withheld"]),
    ],
)
def test_a_soak_that_measured_nothing_proves_nothing(done, missing):
    figures = soak_figures(done)

    assert missed(figures) == missing
    assert [len(figure.row()) for figure in figures] == [9] * len(figures)
    names = [figure.name for figure in figures]
    assert ("soak: throughput" in names) == ("soak: throughputs withheld" not in missing)


def test_fewer_answers_than_were_wanted_prove_nothing():
    done = Throttling(Counter({MUST_ADMIT: 99}), [])

    assert missed(throttle_figures(done, 99)) == []
    assert missed(throttle_figures(done, 100)) == ["throttle oracle: answers judged"]

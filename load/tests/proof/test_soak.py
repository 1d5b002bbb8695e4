"""What a soak test compares, and that no goal is met where nothing was measured."""

from collections import Counter
from math import inf

import pytest

from load.figures.figure import missed_names
from load.oracle.throttle_oracle import MUST_ADMIT
from load.proof.figures import evaluate_soak, evaluate_throttling
from load.proof.soak import MemorySample, SoakResult, memory_per_payment, users_below
from load.proof.throttling import ThrottleProof
from load.results.knee import Knee, LoadStep
from load.tests.records import BEGAN, BUSY, CLEAN, create_outcome, create_record

KIB = 1024


def test_memory_is_counted_once_buffers_are_made_and_by_what_was_stored_since():
    samples = [MemorySample(at, 50_000 * KIB + at * 3 * KIB * 10) for at in range(101)]
    samples[5] = MemorySample(5, 90_000 * KIB)
    stored_at = [second + n / 10 for second in range(100) for n in range(10)]

    assert memory_per_payment(samples, stored_at) == (pytest.approx(3.0), 800)


def test_memory_that_grows_by_more_than_was_stored_is_found():
    samples = [MemorySample(at, at * 9 * KIB) for at in range(11)]

    assert memory_per_payment(samples, list(range(10)))[0] == pytest.approx(9.0)


def test_where_nothing_was_stored_nothing_is_known_of_memory():
    assert memory_per_payment([MemorySample(0, 1), MemorySample(10, 9)], []) == (inf, 0)


@pytest.mark.parametrize(("knee", "users"), [
    (Knee(LoadStep(7, 280, 700, 80), "throughput of step 8 did not grow"), 224),
    (Knee(None, "p95 of step 1 is 900 ms"), 40),
])  # fmt: skip
def test_a_soak_keeps_four_fifths_of_the_users_at_the_knee(knee, users):
    assert users_below(knee) == users


MET = Knee(LoadStep(7, 280, 700, 80), "throughput of step 8 did not grow")


def create_soak(knee: Knee = MET, *, samples=(), interrupted_at=None, **other: float) -> SoakResult:
    """Return a soak test that met its goals, with other fields as given."""
    measured = {"p99_early_ms": 10.0, "p99_late_ms": 10.0, "memory_kib": 1.0, "stored": 9}
    outcome = create_outcome(
        [create_record("d")], CLEAN, samples=samples, interrupted_at=interrupted_at
    )
    return SoakResult(knee=knee, users=224, outcome=outcome, **{**measured, **other})


@pytest.mark.parametrize(
    ("done", "missing"),
    [
        (create_soak(), []),
        (create_soak(p99_early_ms=0.0), ["soak: p99 of last against second"]),
        (create_soak(p99_late_ms=0.0), ["soak: p99 of last against second"]),
        (create_soak(memory_kib=inf), ["soak: memory a stored payment"]),
        (create_soak(Knee(None, "p95")), ["soak: knees that were not reached"]),
        (create_soak(MET._replace(is_reached=False)), ["soak: knees that were not reached"]),
        (create_soak(MET._replace(is_client_bound=True)), ["soak: knees that were not reached"]),
        (create_soak(samples=BUSY), ["soak: throughputs withheld"]),
        (create_soak(interrupted_at=BEGAN + 5), ["soak: throughputs withheld"]),
    ],
)
def test_a_soak_that_measured_nothing_proves_nothing(done, missing):
    figures = evaluate_soak(done)

    assert missed_names(figures) == missing
    assert [len(figure.row()) for figure in figures] == [9] * len(figures)
    names = [figure.name for figure in figures]
    assert ("soak: throughput" in names) == ("soak: throughputs withheld" not in missing)


def test_fewer_requests_than_planned_prove_nothing():
    done = ThrottleProof(Counter({MUST_ADMIT: 99}), [])

    assert missed_names(evaluate_throttling(done, 99)) == []
    assert missed_names(evaluate_throttling(done, 100)) == ["throttle oracle: requests checked"]

"""Punctuality compares the sent arrivals with the planned ones."""

import pytest

from load.results.punctuality import measure_punctuality
from load.tests.records import create_record


def test_a_kept_rate_is_reported():
    sent = [create_record(f"{n}", at=n / 10, late_s=0.002) for n in range(100)]

    found = measure_punctuality([*sent, create_record("follows", at=3)], planned=100)

    assert found.is_kept
    assert (found.sent, found.late) == (100, 0)
    assert str(found).startswith("rate kept: 100 arrivals sent, 100 planned")


def test_late_and_missing_arrivals_are_reported():
    late = [
        create_record(f"{n}", at=n / 10, late_s=0.5 if n % 10 == 0 else 0.001) for n in range(100)
    ]

    assert not measure_punctuality(late, planned=100).is_kept
    assert not measure_punctuality(late[1:10], planned=100).is_kept
    assert "NOT kept" in str(measure_punctuality(late, planned=100))


def test_the_latency_of_a_late_arrival_begins_when_it_was_due():
    assert create_record("x", duration_s=0.010, late_s=0.5).latency_ms == pytest.approx(510)

"""Thresholds are read from TOML and compared with the summary."""

from typing import get_args

import pytest

from load.results.summary import summarize
from load.results.thresholds import (
    Bounds,
    Thresholds,
    ThresholdsFormatError,
    check_thresholds,
    parse_thresholds,
)
from load.tests.records import (
    RUN,
    create_plan,
    create_record,
)
from load.traffic.requests import Operation


def test_a_single_response_is_not_extrapolated_to_a_throughput():
    seldom = summarize(create_plan(seconds=1.0), [create_record("one", duration_s=0.016)], [], [])

    assert seldom.overall.throughput == seldom.operations["create_payment"].throughput == 1.0
    checks = check_thresholds(Thresholds(Bounds(throughput_min=2)), seldom)
    assert [check.verdict for check in checks] == ["passed", "failed"]


THRESHOLDS = """
[overall]
p95_ms = 90
error_share = 0.05

[operations.create_payment]
p99_ms = 100
throughput_min = 5

[operations.read_payment]
p95_ms = 10
"""


def test_a_file_of_thresholds_is_checked_line_by_line():
    thresholds = parse_thresholds(THRESHOLDS, source="t.toml")

    checks = check_thresholds(thresholds, summarize(create_plan(), RUN, [], []))

    assert [(check.where, check.name, check.verdict) for check in checks] == [
        ("overall", "p95_ms", "failed"),
        ("overall", "error_share", "passed"),
        ("create_payment", "p99_ms", "passed"),
        ("create_payment", "throughput_min", "passed"),
        ("read_payment", "p95_ms", "not measured"),
    ]


def test_an_invalid_file_of_thresholds_is_refused_with_what_is_expected():
    with pytest.raises(ThresholdsFormatError, match=r"t.toml: overall: expected one of 4 names"):
        parse_thresholds("[overall]\np95 = 1", source="t.toml")


@pytest.mark.parametrize("operation", get_args(Operation))
def test_each_operation_of_a_load_may_have_thresholds(operation):
    text = f"[operations.{operation}]\np95_ms = 10"

    assert parse_thresholds(text, source="").operations == {operation: Bounds(p95_ms=10)}

"""Thresholds: the limits a run must keep, read from a TOML file, and their verdicts. Pure."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from load.results.summary import RequestFigures, RunSummary

OVERALL = "overall"
PASSED, FAILED, NOT_MEASURED = "passed", "failed", "not measured"
KNEE_P95_MS = 500.0
EXPECTED = "[overall] and [operations.NAME] with p95_ms, p99_ms, error_share, throughput_min"


class Bounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of one operation or of all: milliseconds, a share (0 to 1), responses per second."""

    p95_ms: float | None = None
    p99_ms: float | None = None
    error_share: float | None = None
    throughput_min: float | None = None


# The lowest and the highest allowed value of each.
RANGES = {
    "p95_ms": (0.0, 3_600_000.0),
    "p99_ms": (0.0, 3_600_000.0),
    "error_share": (0.0, 1.0),
    "throughput_min": (0.0, 1_000_000.0),
}


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits overall and of single operations. By default no response may be wrong."""

    overall: Bounds = Bounds()
    operations: dict[str, Bounds] = {}

    @property
    def knee_p95_ms(self) -> float:
        """The p95 in milliseconds that a step may not exceed."""
        return KNEE_P95_MS if self.overall.p95_ms is None else self.overall.p95_ms


class ThresholdsFormatError(ValueError):
    """An invalid file of thresholds; the message says what was expected."""


class ThresholdCheck(NamedTuple):
    """One threshold: where it applies, its name and limit, the measured value, and the verdict."""

    where: str
    name: str
    limit: float
    value: float | None
    verdict: str


def parse_thresholds(text: str, *, source: str) -> Thresholds:
    """Return the thresholds of a TOML text. Raises ThresholdsFormatError."""
    try:
        thresholds = msgspec.convert(tomllib.loads(text), type=Thresholds)
    except (ValueError, OverflowError, RecursionError, msgspec.ValidationError) as error:
        raise ThresholdsFormatError(f"{source}: expected {EXPECTED}, got: {error}") from None
    for where, bounds in {OVERALL: thresholds.overall, **thresholds.operations}.items():
        for name, value in msgspec.structs.asdict(bounds).items():
            _require_range(f"{source}: {where}.{name}", value, *RANGES[name])
    return thresholds


def _require_range(name: str, value: float | None, lowest: float, highest: float) -> None:
    # NaN is in no range.
    if value is not None and not lowest <= value <= highest:
        raise ThresholdsFormatError(f"{name}: expected {lowest:g} to {highest:.0f}, got {value:g}")


def check_thresholds(thresholds: Thresholds, summary: RunSummary) -> list[ThresholdCheck]:
    """Compare every threshold with the measured value."""
    bounds = thresholds.overall
    if bounds.error_share is None:
        bounds = msgspec.structs.replace(bounds, error_share=0.0)
    checks = list(_checks(OVERALL, bounds, summary.overall))
    for operation, own in thresholds.operations.items():
        checks += _checks(operation, own, summary.operations.get(operation))
    return checks


def _checks(where: str, bounds: Bounds, figures: RequestFigures | None) -> Iterator[ThresholdCheck]:
    measured: Mapping[str, float] = {} if figures is None else figures.values_by_threshold()
    for name, limit in msgspec.structs.asdict(bounds).items():
        if limit is None:
            continue
        value = measured.get(name)
        yield ThresholdCheck(where, name, limit, value, _verdict(name, limit, value))


def _verdict(name: str, limit: float, value: float | None) -> str:
    if value is None:
        return NOT_MEASURED
    is_kept = value >= limit if name.endswith("_min") else value <= limit
    return PASSED if is_kept else FAILED

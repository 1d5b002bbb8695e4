"""Thresholds: what a run must keep, read from a TOML file, and which of it was kept. Pure."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from load.summary import Figures, Summary

OVERALL = "overall"
KEPT, BROKEN, NOT_MEASURED = "kept", "BROKEN", "not measured"
KNEE_P95_MS = 500.0
EXPECTED = "[overall] and [operations.NAME] with p95_ms, p99_ms, error_share, throughput_min"


class Bounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of one operation or of all: milliseconds, a share from 0 to 1, answers a second."""

    p95_ms: float | None = None
    p99_ms: float | None = None
    error_share: float | None = None
    throughput_min: float | None = None


# The least and the most that each may say.
RANGES = {
    "p95_ms": (0.0, 3_600_000.0),
    "p99_ms": (0.0, 3_600_000.0),
    "error_share": (0.0, 1.0),
    "throughput_min": (0.0, 1_000_000.0),
}


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits overall and of single operations. Unless said otherwise no answer may be wrong."""

    overall: Bounds = Bounds()
    operations: dict[str, Bounds] = {}

    @property
    def knee_p95_ms(self) -> float:
        """The p95 in milliseconds that a step may reach."""
        return KNEE_P95_MS if self.overall.p95_ms is None else self.overall.p95_ms


class BadThresholds(ValueError):
    """A file of thresholds that says something unknown, with what was expected."""


class Check(NamedTuple):
    """One threshold: where it holds, its name and limit, what was measured, and the verdict."""

    where: str
    name: str
    limit: float
    value: float | None
    verdict: str


def read_thresholds(text: str, *, source: str) -> Thresholds:
    """The thresholds of a TOML file. Raises BadThresholds."""
    try:
        thresholds = msgspec.convert(tomllib.loads(text), type=Thresholds)
    except (ValueError, OverflowError, RecursionError, msgspec.ValidationError) as error:
        raise BadThresholds(f"{source}: expected {EXPECTED}, got: {error}") from None
    for where, bounds in {OVERALL: thresholds.overall, **thresholds.operations}.items():
        for name, value in msgspec.structs.asdict(bounds).items():
            _demand_sensible(f"{source}: {where}.{name}", value, *RANGES[name])
    return thresholds


def _demand_sensible(named: str, value: float | None, least: float, most: float) -> None:
    # What is no number (nan) is in no range.
    if value is not None and not least <= value <= most:
        raise BadThresholds(f"{named}: expected {least:g} to {most:.0f}, got {value:g}")


def check_all(thresholds: Thresholds, summary: Summary) -> list[Check]:
    """Every threshold beside what was measured."""
    bounds = thresholds.overall
    if bounds.error_share is None:
        bounds = msgspec.structs.replace(bounds, error_share=0.0)
    checks = list(_checks(OVERALL, bounds, summary.overall))
    for operation, own in thresholds.operations.items():
        checks += _checks(operation, own, summary.operations.get(operation))
    return checks


def _checks(where: str, bounds: Bounds, figures: Figures | None) -> Iterator[Check]:
    measured: Mapping[str, float] = {} if figures is None else figures.by_threshold()
    for name, limit in msgspec.structs.asdict(bounds).items():
        if limit is None:
            continue
        value = measured.get(name)
        yield Check(where, name, limit, value, _verdict(name, limit, value))


def _verdict(name: str, limit: float, value: float | None) -> str:
    if value is None:
        return NOT_MEASURED
    is_kept = value >= limit if name.endswith("_min") else value <= limit
    return KEPT if is_kept else BROKEN

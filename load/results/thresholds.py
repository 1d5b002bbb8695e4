"""Thresholds: the limits a run must keep, read from a TOML file, and their verdicts. Pure."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from math import nan
from typing import Any, NamedTuple, get_args

import msgspec

from load.results.summary import RequestFigures, RunSummary
from load.traffic.requests import Operation
from simulator.client.shown.beginnings import beginning_of

OVERALL, OPERATIONS = "overall", "operations"
PASSED, FAILED, NOT_MEASURED = "passed", "failed", "not measured"
KNEE_P95_MS = 500.0
PARTS = (OVERALL, OPERATIONS)
# How much of a name and of a number an error repeats.
NAME_LENGTH_MAX, DIGITS_MAX = 60, 20


class Bounds(msgspec.Struct, frozen=True):
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


class Thresholds(msgspec.Struct, frozen=True):
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
        described = _parse_toml(text)
        _require_known(described, PARTS, "")
        operations = _table(described.get(OPERATIONS, {}), f"{OPERATIONS}: ")
        _require_known(operations, get_args(Operation), f"{OPERATIONS}: ")
        return Thresholds(
            _bounds(described.get(OVERALL, {}), OVERALL),
            {name: _bounds(each, f"{OPERATIONS}.{name}") for name, each in operations.items()},
        )
    except ThresholdsFormatError as error:
        raise ThresholdsFormatError(f"{source}: {error}") from None


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        got = str(error)
    except RecursionError:
        got = "tables nested too deeply"
    except (ValueError, OverflowError):
        got = "a number with too many digits"
    raise ThresholdsFormatError(f"expected TOML, got: {got}")


def _bounds(described: object, where: str) -> Bounds:
    """Return the limits of one table."""
    table = _table(described, f"{where}: ")
    _require_known(table, tuple(RANGES), f"{where}: ")
    for name, value in table.items():
        _require_range(f"{where}.{name}", value, *RANGES[name])
    return Bounds(**{name: float(value) for name, value in table.items()})


def _table(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ThresholdsFormatError(f"{place}expected a table, got {_shown(value)}")
    return value


def _require_known(names: Collection[str], known: Collection[str], place: str) -> None:
    for name in names:
        if name not in known:
            near = get_close_matches(name[:NAME_LENGTH_MAX], known, 1)
            one = f"{len(known)} names (nearest: {near[0]})" if near else ", ".join(known)
            raise ThresholdsFormatError(f"{place}expected one of {one}, got {_shown(name)}")


def _require_range(place: str, value: object, lowest: float, highest: float) -> None:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else nan
    # NaN is in no range.
    if not lowest <= number <= highest:
        expected = f"{lowest:g} to {highest:.0f}"
        raise ThresholdsFormatError(f"{place}: expected {expected}, got {_shown(value)}")


def _shown(value: object) -> str:
    """Return a value of the file, without the end of a long one."""
    if isinstance(value, str):
        return repr(beginning_of(value, NAME_LENGTH_MAX))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        digits = str(value)
        return digits if len(digits) <= DIGITS_MAX else f"a number of {len(digits)} digits"
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else "a time"


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

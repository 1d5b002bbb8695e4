"""An earlier run to compare with, read from its JSON report. Pure but for reading the file."""

import reprlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from load.results.outcome import RunOutcome
from load.traffic.shown import shown_text
from simulator.client.files.bounded import read_within

OVERALL = "all"
# What of plan and machine must be alike for two runs to be comparable.
PLAN_NAMES = ("users", "seconds", "shape", "arrival", "rate", "think_s", "processes")
OVERALL_NAMES = ("throughput", "p50_ms", "p95_ms", "p99_ms")
OPERATION_NAMES = ("p95_ms",)
MACHINE_NAMES = ("processor", "cores")
SHOWN_MAX = 20
# Of a report of a run: the longest have some megabytes.
BYTES_MAX = 64 * 1024 * 1024
EXPECTED = "expected a report that sandgate load --json wrote"


class BaselineError(ValueError):
    """The file is no report of a run; the message says what was expected."""


class Comparison(NamedTuple):
    """One figure of two runs: of an operation or of all, and how much it changed.

    `change` is relative to the earlier value; None if that is 0.
    """

    where: str
    name: str
    before: float
    now: float

    @property
    def change(self) -> float | None:
        """The change as a share of the earlier value."""
        return (self.now - self.before) / self.before if self.before else None


class ComparedRuns(NamedTuple):
    """Two runs, figure by figure, and why they may not be comparable, one sentence each."""

    figures: Sequence[Comparison] = ()
    cautions: Sequence[str] = ()


NOT_COMPARED = ComparedRuns()


class _Run(msgspec.Struct, frozen=True):
    """Where a run was made."""

    machine: dict[str, Any] = {}


class _Report(msgspec.Struct, frozen=True):
    """The part of a report that is compared. Figures that were withheld are absent."""

    overall: dict[str, float]
    operations: dict[str, dict[str, float]]
    plan: dict[str, Any] = {}
    run: _Run = _Run()


class Baseline(NamedTuple):
    """An earlier run: its figures by operation, its plan, and the machine that made it."""

    name: str
    figures: Mapping[str, Mapping[str, float]]
    plan: Mapping[str, Any]
    machine: Mapping[str, Any]


def read_baseline(path: Path) -> Baseline:
    """Read the JSON report of an earlier run. Raises BaselineError."""
    try:
        report = msgspec.json.decode(read_within(path, BYTES_MAX), type=_Report)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BaselineError(f"--baseline {path}: {EXPECTED}, got: {reason}") from None
    except RecursionError:
        raise BaselineError(f"--baseline {path}: {EXPECTED}, got one nested too deeply") from None
    if "throughput" not in report.overall:
        raise BaselineError(f"--baseline {path}: {EXPECTED}, got one without figures")
    figures = {OVERALL: report.overall, **report.operations}
    return Baseline(path.name, figures, report.plan, report.run.machine)


def compare_runs(outcome: RunOutcome, baseline: Baseline) -> ComparedRuns:
    """Compare throughput and latencies of all requests, and the p95 of each operation both made.

    Nothing is compared if the figures of the run are withheld.
    """
    if outcome.withheld:
        return NOT_COMPARED
    return ComparedRuns(list(_comparisons(outcome, baseline)), _cautions(outcome, baseline))


def _cautions(outcome: RunOutcome, baseline: Baseline) -> list[str]:
    machine, plan = baseline.machine, baseline.plan
    pairs = [
        ("virtual users", plan.get("people"), list(outcome.plan.virtual_users)),
        *((name, plan.get(name), getattr(outcome.plan, name)) for name in PLAN_NAMES),
        *((name, machine.get(name), outcome.run["machine"][name]) for name in MACHINE_NAMES),
    ]
    return [
        f"compare with care: {name} was {_shown(before)}, is {_shown(now)}"
        for name, before, now in pairs
        if before != now
    ]


def _comparisons(outcome: RunOutcome, baseline: Baseline) -> Iterator[Comparison]:
    summary = outcome.summary
    for where, figures in {OVERALL: summary.overall, **summary.operations}.items():
        before = baseline.figures.get(where, {})
        for name in OVERALL_NAMES if where == OVERALL else OPERATION_NAMES:
            if name in before:
                yield Comparison(where, name, before[name], getattr(figures, name))


def _shown(value: object) -> str:
    """A value of a plan; the file may have one of any size there."""
    parts = value[:SHOWN_MAX] if isinstance(value, list) else [value]
    # The file may be nested as deep as can be read, which is deeper than can be printed.
    texts = (each if isinstance(each, str) else reprlib.repr(each) for each in parts)
    return shown_text(", ".join(texts))

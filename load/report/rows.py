"""The tables of a report: as rows of text for the terminal and the page, and as values for the
files that programs read. Pure.

Withheld throughputs and latencies are left out everywhere, not only in one place.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

from load.figures.figure import format_value
from load.ledger.records import FAILED, SUCCEEDED, Verdict
from load.results.baseline import Comparison
from load.results.outcome import ERROR_SHARE, RunOutcome
from load.results.summary import RequestFigures

VERDICTS: tuple[str, ...] = get_args(Verdict)
# Shown even if no request ended so; the other verdicts only where one did.
ALWAYS_SHOWN = frozenset({SUCCEEDED, FAILED})
LATENCY_COLUMNS = ("p50 ms", "p95 ms", "p99 ms", "max ms", "answers/s")
NAME_COLUMN = "operation"
COUNTED_COLUMNS = (NAME_COLUMN, "requests")
OPERATION_COLUMNS = (*COUNTED_COLUMNS, *VERDICTS, *LATENCY_COLUMNS)
CLAUSE_COLUMNS = ("clause", "cases", "verdict")
CHECK_COLUMNS = ("where", "threshold", "limit", "measured", "verdict")
COMPARISON_COLUMNS = ("operation", "figure", "baseline", "this run", "change")
STEP_COLUMNS = ("step", "load", "answers/s", "p95 ms", "p95 ms to webhook", "")
OVERALL = "all"
NONE = "-"

Rows = list[tuple[str, ...]]
Values = tuple[Any, ...]
# Of milliseconds and of rates: finer than what a run measures.
DIGITS = 3


class OperationFigures(NamedTuple):
    """The figures of one operation, or of all: its requests, how many ended with each verdict, and
    the values of LATENCY_COLUMNS, None for what is withheld.
    """

    name: str
    requests: int
    counts: Mapping[str, int]
    latencies: tuple[float | None, ...]

    def counted(self, verdicts: Iterable[str]) -> tuple[str, ...]:
        """Return the requests, and how many ended with each of these verdicts, as text."""
        counts = (self.counts.get(verdict, 0) for verdict in verdicts)
        return tuple(format_value(count) for count in (self.requests, *counts))

    def measured(self) -> tuple[str, ...]:
        """Return the latencies and the throughput as text."""
        return tuple(NONE if each is None else format_tenths(each) for each in self.latencies)


def operation_values(outcome: RunOutcome) -> list[Values]:
    """Return OPERATION_COLUMNS for each operation and for all; None for what is withheld."""
    return [
        (each.name, each.requests, *(each.counts.get(verdict, 0) for verdict in VERDICTS),
         *each.latencies)
        for each in _operations(outcome)
    ]  # fmt: skip


def operation_rows(outcome: RunOutcome) -> Rows:
    """Return OPERATION_COLUMNS likewise, as text."""
    return [(each.name, *each.counted(VERDICTS), *each.measured()) for each in _operations(outcome)]


def count_table(outcome: RunOutcome) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and rows of the requests by verdict, narrow enough for a terminal."""
    counts = outcome.summary.overall.counts
    shown = [each for each in VERDICTS if each in ALWAYS_SHOWN or counts.get(each)]
    rows: Rows = [(each.name, *each.counted(shown)) for each in _operations(outcome)]
    return (*COUNTED_COLUMNS, *shown), rows


def latency_table(outcome: RunOutcome) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and rows of latencies and throughput."""
    rows: Rows = [(each.name, *each.measured()) for each in _operations(outcome)]
    return (NAME_COLUMN, *LATENCY_COLUMNS), rows


def comparison_rows(comparisons: Iterable[Comparison]) -> Rows:
    """Return COMPARISON_COLUMNS for each figure of two runs."""
    return [
        (
            each.where, each.name.replace("_ms", " ms"),
            format_tenths(each.before), format_tenths(each.now),
            NONE if each.change is None else f"{each.change:+.1%}",
        )
        for each in comparisons
    ]  # fmt: skip


def clause_rows(outcome: RunOutcome) -> Rows:
    """Return CLAUSE_COLUMNS for each clause of the closing check."""
    return [
        (
            clause.name,
            format_value(clause.cases),
            ": ".join(filter(None, (clause.verdict, clause.not_checked or clause.remark))),
        )
        for clause in outcome.closing_check.clauses
    ]


def check_values(outcome: RunOutcome) -> list[Values]:
    """Return CHECK_COLUMNS for each threshold; None for what was not measured or is withheld."""
    rows: list[Values] = []
    for check in outcome.checks:
        is_withheld = bool(outcome.withheld) and check.name != ERROR_SHARE
        value = None if is_withheld else check.value
        verdict = "withheld" if is_withheld and check.value is not None else check.verdict
        rows.append((check.where, check.name, check.limit, value, verdict))
    return rows


def check_rows(outcome: RunOutcome) -> Rows:
    """Return CHECK_COLUMNS likewise, as text."""
    return [
        (where, name, format_value(limit), NONE if value is None else format_value(value), verdict)
        for where, name, limit, value, verdict in check_values(outcome)
    ]


def step_values(outcome: RunOutcome) -> list[Values]:
    """Return STEP_COLUMNS for each step; the last one marks the knee and strained steps."""
    found = outcome.knee
    knee = found.step.number if found and found.step and found.is_reached else 0
    return [
        (
            step.number, *map(plain_figure, (step.load, step.throughput, step.p95_ms)),
            plain_figure(step.lag_ms) if outcome.summary.lag else None,
            "client short of time" if step.is_strained else "knee" if step.number == knee else "",
        )
        for step in outcome.summary.steps
    ]  # fmt: skip


def step_rows(outcome: RunOutcome) -> Rows:
    """Return STEP_COLUMNS likewise, as text."""
    return [
        (
            str(number), format_value(load),
            *(NONE if value is None else format_tenths(value) for value in measured), mark,
        )
        for number, load, *measured, mark in step_values(outcome)
    ]  # fmt: skip


def plain_figure(value: float) -> float:
    """Return a time in milliseconds or a rate as programs read it, of whatever size."""
    return round(value, DIGITS)


def format_tenths(value: float) -> str:
    """Return a time in milliseconds or a rate with one decimal."""
    return f"{value:,.1f}"


def _operations(outcome: RunOutcome) -> list[OperationFigures]:
    """Return the figures of each operation, and at the end those of all."""
    named = [*outcome.summary.operations.items(), (OVERALL, outcome.summary.overall)]
    return [_figures_of(name, each, bool(outcome.withheld)) for name, each in named]


def _figures_of(name: str, figures: RequestFigures, is_withheld: bool) -> OperationFigures:
    values = (
        figures.p50_ms, figures.p95_ms, figures.p99_ms, figures.max_ms, figures.throughput,
    )  # fmt: skip
    latencies = tuple(None if is_withheld else plain_figure(value) for value in values)
    return OperationFigures(str(name), figures.requests, figures.counts, latencies)

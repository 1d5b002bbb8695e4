"""The tables of a report as rows of text, for the terminal, the page and the CSV file. Pure.

Withheld throughputs and latencies are left out everywhere, not only in one place.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

from load.figures.figure import format_value
from load.ledger.records import FAILED, SUCCEEDED, Verdict
from load.results.baseline import Comparison
from load.results.outcome import ERROR_SHARE, RunOutcome
from load.results.summary import RequestFigures

VERDICTS: tuple[str, ...] = get_args(Verdict)
# Shown even if no request ended so; the other verdicts only where one did.
ALWAYS_SHOWN = frozenset({SUCCEEDED, FAILED})
LATENCY_COLUMNS = ("p50 ms", "p95 ms", "p99 ms", "max ms", "answers/s")
OPERATION_COLUMNS = ("operation", "requests", *VERDICTS, *LATENCY_COLUMNS)
CLAUSE_COLUMNS = ("clause", "cases", "verdict")
CHECK_COLUMNS = ("where", "threshold", "limit", "measured", "verdict")
COMPARISON_COLUMNS = ("operation", "figure", "baseline", "this run", "change")
STEP_COLUMNS = ("step", "load", "answers/s", "p95 ms", "p95 ms to webhook", "")
OVERALL = "all"
NONE = "-"

Rows = list[tuple[str, ...]]


def operation_rows(outcome: RunOutcome) -> Rows:
    """Return OPERATION_COLUMNS for each operation and for all."""
    named = [*outcome.summary.operations.items(), (OVERALL, outcome.summary.overall)]
    return [_operation_row(name, figures, bool(outcome.withheld)) for name, figures in named]


def count_table(outcome: RunOutcome) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and rows of the requests by verdict, narrow enough for a terminal."""
    counts = outcome.summary.overall.counts
    shown = [
        at for at, verdict in enumerate(VERDICTS) if verdict in ALWAYS_SHOWN or counts.get(verdict)
    ]
    chosen = (0, 1, *(at + 2 for at in shown))
    return _columns_of(outcome, chosen)


def latency_table(outcome: RunOutcome) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and rows of latencies and throughput."""
    first = len(OPERATION_COLUMNS) - len(LATENCY_COLUMNS)
    return _columns_of(outcome, (0, *range(first, len(OPERATION_COLUMNS))))


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
            f"{clause.verdict}: {clause.not_checked}" if clause.not_checked else clause.verdict,
        )
        for clause in outcome.closing_check.clauses
    ]


def check_rows(outcome: RunOutcome) -> Rows:
    """Return CHECK_COLUMNS for each threshold."""
    rows: Rows = []
    for check in outcome.checks:
        value, verdict = NONE, check.verdict
        if check.value is not None:
            is_withheld = outcome.withheld and check.name != ERROR_SHARE
            value = NONE if is_withheld else format_value(check.value)
            verdict = "withheld" if is_withheld else check.verdict
        rows.append((check.where, check.name, format_value(check.limit), value, verdict))
    return rows


def step_rows(outcome: RunOutcome) -> Rows:
    """Return STEP_COLUMNS for each step; the last one marks the knee and strained steps."""
    found = outcome.knee
    knee = found.step.number if found and found.step and found.is_reached else 0
    return [
        (
            str(step.number), format_value(step.load), format_tenths(step.throughput),
            format_tenths(step.p95_ms),
            format_tenths(step.lag_ms) if outcome.summary.lag else NONE,
            "client short of time" if step.is_strained else "knee" if step.number == knee else "",
        )
        for step in outcome.summary.steps
    ]  # fmt: skip


def format_tenths(value: float) -> str:
    """Return a time in milliseconds or a rate with one decimal."""
    return f"{value:,.1f}"


def _columns_of(outcome: RunOutcome, chosen: Sequence[int]) -> tuple[tuple[str, ...], Rows]:
    rows = [tuple(row[at] for at in chosen) for row in operation_rows(outcome)]
    return tuple(OPERATION_COLUMNS[at] for at in chosen), rows


def _operation_row(name: str, figures: RequestFigures, is_withheld: bool) -> tuple[str, ...]:
    counts = (format_value(figures.counts.get(verdict, 0)) for verdict in VERDICTS)
    values = (
        figures.p50_ms, figures.p95_ms, figures.p99_ms, figures.max_ms, figures.throughput,
    )  # fmt: skip
    shown = (NONE if is_withheld else format_tenths(value) for value in values)
    return (name, format_value(figures.requests), *counts, *shown)

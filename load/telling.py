"""What a run came to, as rows for the terminal and the page, and as one document. Pure.

Where figures are withheld, throughput and latencies are left out everywhere, not only in one place.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from load.figure import rounded, shown
from load.oracle import MUST_ADMIT, MUST_REFUSE, UNDECIDABLE, Findings
from load.run import Outcome
from load.summary import Figures, Summary

VERDICTS = ("kept", "refused", "throttled", "failed", "unanswered", "cut off")
OPERATION_COLUMNS = (
    "operation", "requests", *VERDICTS, "p50 ms", "p95 ms", "p99 ms", "max ms", "answers/s",
)  # fmt: skip
CLAUSE_COLUMNS = ("clause", "cases", "verdict")
CHECK_COLUMNS = ("where", "threshold", "limit", "measured", "verdict")
STEP_COLUMNS = ("step", "load", "answers/s", "p95 ms", "p95 ms to webhook", "")
OVERALL = "all"
NONE = "-"
FAULTS_SHOWN = 20
# With this share of a machine in use, gateway and client may have waited for each other.
MACHINE_SHARE_MAX = 0.95

Rows = list[tuple[str, ...]]


def operation_rows(outcome: Outcome) -> Rows:
    """OPERATION_COLUMNS of each operation and of all."""
    named = [*outcome.summary.operations.items(), (OVERALL, outcome.summary.overall)]
    return [_operation_row(name, figures, bool(outcome.withheld)) for name, figures in named]


def clause_rows(outcome: Outcome) -> Rows:
    """CLAUSE_COLUMNS of each clause of the certificate."""
    return [
        (clause.name, shown(clause.cases), _verdict(clause.verdict, clause.not_checked))
        for clause in outcome.certificate.clauses
    ]


def check_rows(outcome: Outcome) -> Rows:
    """CHECK_COLUMNS of each threshold."""
    rows: Rows = []
    for check in outcome.checks:
        is_known = check.value is not None and not _is_hidden(outcome, check.name)
        value = shown(check.value) if is_known and check.value is not None else NONE
        verdict = check.verdict if is_known or check.value is None else "not judged"
        rows.append((check.where, check.name, shown(check.limit), value, verdict))
    return rows


def step_rows(outcome: Outcome) -> Rows:
    """STEP_COLUMNS of each step; the knee and what was strained are said in the last one."""
    found = outcome.knee
    knee = found.step.number if found and found.step and found.is_reached else 0
    return [
        (
            str(step.number), shown(step.load), tenths(step.throughput), tenths(step.p95_ms),
            tenths(step.lag_ms) if outcome.summary.lag else NONE,
            "client short of time" if step.strained else "knee" if step.number == knee else "",
        )
        for step in outcome.summary.steps
    ]  # fmt: skip


def remarks(outcome: Outcome) -> list[str]:
    """What else there is to say, one sentence a line, the most important last."""
    return [*_remarks(outcome), headline(outcome)]


def headline(outcome: Outcome) -> str:
    """The figure of the run, or why there is none."""
    if outcome.withheld:
        return f"no figure: {outcome.withheld}"
    knee = outcome.knee
    if knee is not None and knee.step is not None:
        step, name = knee.step, "knee" if knee.is_reached else "knee not reached"
        measured = f"{tenths(step.throughput)} answers a second, p95 {tenths(step.p95_ms)} ms"
        told = f"{name}: step {step.number} at {shown(step.load)}, {measured}; {knee.why}"
        return "; ".join((told, *outcome.doubts))
    rate = tenths(outcome.summary.overall.throughput)
    state = "clean" if outcome.certificate.is_clean else "partial"
    told = f"throughput: {rate} right answers a second, with a {state} certificate"
    return "; ".join((told, *outcome.doubts))


def findings_line(findings: Findings) -> str:
    """What the throttle oracle found, on one line."""
    if findings.offset is None:
        return "throttle oracle: nothing judged, the timestamps contradict each other"
    marks = findings.marks
    return (
        f"throttle oracle: {findings.judged:,} answers, {marks.get(MUST_ADMIT, 0):,} had to be "
        f"admitted, {marks.get(MUST_REFUSE, 0):,} refused, {marks.get(UNDECIDABLE, 0):,} "
        f"undecidable ({findings.undecidable_share:.2%}), {len(findings.wrong):,} wrong"
    )


def tenths(value: float) -> str:
    """A time in milliseconds or a rate, with the one decimal it is worth."""
    return f"{value:,.1f}"


def faults_of(outcome: Outcome) -> list[str]:
    """What is wrong: of the certificate, the throttle and the answers, some lines of each."""
    wrong = outcome.findings.wrong if outcome.findings else ()
    failures = [f"{count}x {what}" for what, count in outcome.summary.failures.items()]
    parts: Sequence[list[str]] = (outcome.certificate.faults, list(map(str, wrong)), failures)
    return [line for part in parts for line in _some(part)]


def document(outcome: Outcome) -> dict[str, Any]:
    """The outcome as JSON: no token, no card, and no figure that is withheld."""
    summary, hidden = outcome.summary, bool(outcome.withheld)
    findings = outcome.findings
    return {
        "base_url": outcome.place.target.base_url,
        "plan": _plan_of(outcome),
        "exit_status": outcome.exit_status,
        "headline": headline(outcome),
        "withheld": outcome.withheld,
        "doubts": outcome.doubts,
        "lasted_s": rounded(summary.lasted_s),
        "overall": _figures(summary.overall, hidden),
        "operations": {name: _figures(each, hidden) for name, each in summary.operations.items()},
        "certificate": {
            "is_clean": outcome.certificate.is_clean,
            "not_checked": [clause.name for clause in outcome.certificate.unchecked],
            "unanswered": outcome.certificate.unanswered,
            "clauses": [
                {**clause._asdict(), "faults": list(clause.faults), "verdict": clause.verdict}
                for clause in outcome.certificate.clauses
            ],
        },
        "thresholds": [dict(zip(CHECK_COLUMNS, row, strict=True)) for row in check_rows(outcome)],
        "oracle": None if findings is None else _oracle(findings),
        "time_to_webhook": summary.lag._asdict() if summary.lag and not hidden else None,
        "arrivals": None if summary.punctuality is None else str(summary.punctuality),
        "steps": [dict(zip(STEP_COLUMNS[:-1], row, strict=False)) for row in step_rows(outcome)],
        "failures": dict(summary.failures),
        "seconds": [] if hidden else [second._asdict() for second in summary.seconds],
    }


def _operation_row(name: str, figures: Figures, hidden: bool) -> tuple[str, ...]:
    counts = (shown(figures.counts.get(verdict, 0)) for verdict in VERDICTS)
    values = (
        figures.p50_ms, figures.p95_ms, figures.p99_ms, figures.max_ms, figures.throughput,
    )  # fmt: skip
    told = (NONE if hidden else tenths(value) for value in values)
    return (name, shown(figures.requests), *counts, *told)


def _is_hidden(outcome: Outcome, name: str) -> bool:
    return bool(outcome.withheld) and name != "error_share"


def _verdict(verdict: str, why: str) -> str:
    return f"{verdict}: {why}" if why else verdict


def _remarks(outcome: Outcome) -> Iterator[str]:
    summary: Summary = outcome.summary
    if outcome.findings is not None:
        yield findings_line(outcome.findings)
    if summary.lag is not None and not outcome.withheld:
        lag = summary.lag
        yield (
            f"time to webhook: p50 {tenths(lag.p50_ms)} ms, p95 {tenths(lag.p95_ms)} ms, "
            f"max {tenths(lag.max_ms)} ms over {lag.payments:,} payments"
        )
    if summary.punctuality is not None:
        yield str(summary.punctuality)
    if summary.machine >= MACHINE_SHARE_MAX:
        yield (
            f"the machine was busy to {summary.machine:.0%} with all that ran there: with more "
            "room, or the client elsewhere, it may be faster"
        )
    if outcome.certificate.unanswered:
        yield f"{outcome.certificate.unanswered} requests ended in doubt, and are allowed for"


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - FAULTS_SHOWN
    return lines if more <= 0 else [*lines[:FAULTS_SHOWN], f"... and {more:,} more"]


def _plan_of(outcome: Outcome) -> dict[str, Any]:
    told = msgspec.to_builtins(outcome.plan)
    return {name: value for name, value in told.items() if name not in ("token", "ledger")}


def _figures(figures: Figures, hidden: bool) -> dict[str, Any]:
    counted = {"requests": figures.requests, **{name: figures.counts.get(name, 0)
                                                for name in VERDICTS}}  # fmt: skip
    if hidden:
        return counted
    names = ("p50_ms", "p95_ms", "p99_ms", "max_ms", "throughput")
    return counted | {name: rounded(getattr(figures, name)) for name in names}


def _oracle(findings: Findings) -> dict[str, Any]:
    return {
        "answers": findings.judged,
        "marks": dict(findings.marks),
        "wrong": [str(each) for each in findings.wrong],
        "undecidable_share": findings.undecidable_share,
        "clock_offset_s": findings.offset and findings.offset._asdict(),
    }

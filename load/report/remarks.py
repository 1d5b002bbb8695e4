"""The sentences of a report: its headline, remarks and faults. Pure."""

from collections.abc import Iterator, Sequence

from load.figures.figure import format_value
from load.oracle.throttle_oracle import MUST_ADMIT, MUST_REFUSE, UNDECIDABLE, OracleFindings
from load.report.rows import format_tenths
from load.results.outcome import RunOutcome
from load.results.summary import RunSummary

FAULTS_SHOWN = 20
# With this share of a machine in use, gateway and client may have waited for each other.
MACHINE_SHARE_MAX = 0.95


def headline(outcome: RunOutcome) -> str:
    """Return the figure of the run, or why there is none."""
    if outcome.withheld:
        return f"no figure: {outcome.withheld}"
    knee = outcome.knee
    if knee is not None and knee.step is not None:
        step, name = knee.step, "knee" if knee.is_reached else "knee not reached"
        measured = (
            f"{format_tenths(step.throughput)} successful responses/s, "
            f"p95 {format_tenths(step.p95_ms)} ms"
        )
        figure = f"{name}: step {step.number} at {format_value(step.load)}, {measured}"
        return "; ".join((figure, knee.reason, *outcome.doubts))
    rate = format_tenths(outcome.summary.overall.throughput)
    checked = "all" if outcome.closing_check.is_clean else "some"
    figure = f"throughput: {rate} successful responses/s; {checked} ledger checks passed"
    return "; ".join((figure, *outcome.doubts))


def remarks(outcome: RunOutcome) -> list[str]:
    """Return what else a reader should know, one sentence per line."""
    return list(_remarks(outcome))


def fault_lines(outcome: RunOutcome) -> list[str]:
    """Return the faults: of the closing check, the throttle and the responses, some of each."""
    mismatches = outcome.findings.mismatches if outcome.findings else ()
    failures = [f"{count}x {failure}" for failure, count in outcome.summary.failures.items()]
    parts: Sequence[list[str]] = (
        outcome.closing_check.faults, list(map(str, mismatches)), failures
    )  # fmt: skip
    return [line for part in parts for line in _shorten(part)]


def findings_line(findings: OracleFindings) -> str:
    """Return what the throttle oracle found, on one line."""
    if findings.offset is None:
        return "throttle oracle: nothing checked, the timestamps contradict each other"
    marks = findings.marks
    return (
        f"throttle oracle: {findings.marked:,} responses, {marks.get(MUST_ADMIT, 0):,} had to be "
        f"admitted, {marks.get(MUST_REFUSE, 0):,} refused, {marks.get(UNDECIDABLE, 0):,} "
        f"undecidable ({findings.undecidable_share:.2%}), {len(findings.mismatches):,} wrong"
    )


def _remarks(outcome: RunOutcome) -> Iterator[str]:
    summary: RunSummary = outcome.summary
    if outcome.findings is not None:
        yield findings_line(outcome.findings)
    if summary.lag is not None and not outcome.withheld:
        lag = summary.lag
        yield (
            f"time to webhook: p50 {format_tenths(lag.p50_ms)} ms, "
            f"p95 {format_tenths(lag.p95_ms)} ms, "
            f"max {format_tenths(lag.max_ms)} ms over {lag.payments:,} payments"
        )
    if summary.punctuality is not None:
        yield str(summary.punctuality)
    if summary.machine >= MACHINE_SHARE_MAX:
        yield (
            f"the machine was {summary.machine:.0%} busy with all its programs: on a less busy "
            "machine, or with the client elsewhere, the gateway may be faster"
        )
    if outcome.closing_check.unknown:
        yield (
            f"{outcome.closing_check.unknown} requests got no response or a wrong one; "
            "the closing check allows for them with and without effect"
        )


def _shorten(lines: list[str]) -> list[str]:
    more = len(lines) - FAULTS_SHOWN
    return lines if more <= 0 else [*lines[:FAULTS_SHOWN], f"... and {more:,} more"]

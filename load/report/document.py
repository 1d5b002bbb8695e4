"""The report as one JSON document. Its keys are a public format: they are kept. Pure."""

from typing import Any

import msgspec

from load.oracle.throttle_oracle import OracleFindings
from load.report.remarks import headline
from load.report.rows import (
    CHECK_COLUMNS,
    STEP_COLUMNS,
    VERDICTS,
    check_values,
    plain_figure,
    step_values,
)
from load.results.baseline import NOT_COMPARED, ComparedRuns
from load.results.outcome import RunOutcome
from load.results.summary import RequestFigures
from simulator.client.shown.masking import without_numbers

# The keys of the verdicts in JSON and CSV, which are older than the names of the verdicts.
KEYS = ("kept", "refused", "throttled", "failed", "unanswered", "cut off")
VERDICT_KEYS = dict(zip(VERDICTS, KEYS, strict=True))
SECRET_FIELDS = ("token", "secrets", "terminals", "ledger")


def create_document(outcome: RunOutcome, compared: ComparedRuns = NOT_COMPARED) -> dict[str, Any]:
    """Return the outcome as JSON: no token, no card, and no figure that is withheld."""
    summary, is_withheld = outcome.summary, bool(outcome.withheld)
    operations = summary.operations.items()
    return {
        "base_url": without_numbers(outcome.target.target.base_url),
        "run": outcome.run,
        "plan": _plan(outcome),
        "exit_status": outcome.exit_status,
        "headline": headline(outcome),
        "withheld": outcome.withheld,
        "doubts": outcome.doubts,
        "lasted_s": plain_figure(summary.lasted_s),
        "overall": _figures(summary.overall, is_withheld),
        "operations": {name: _figures(each, is_withheld) for name, each in operations},
        "certificate": _closing_check(outcome),
        "thresholds": [dict(zip(CHECK_COLUMNS, row, strict=True)) for row in check_values(outcome)],
        "oracle": None if outcome.findings is None else _oracle(outcome.findings),
        "time_to_webhook": summary.lag._asdict() if summary.lag and not is_withheld else None,
        "arrivals": None if summary.punctuality is None else str(summary.punctuality),
        "steps": [] if is_withheld else _steps(outcome),
        "comparisons": [each._asdict() | {"change": each.change} for each in compared.figures],
        "failures": dict(summary.failures),
        "seconds": [] if is_withheld else [second._asdict() for second in summary.seconds],
    }


def _steps(outcome: RunOutcome) -> list[dict[str, Any]]:
    return [dict(zip(STEP_COLUMNS[:-1], row, strict=False)) for row in step_values(outcome)]


def _plan(outcome: RunOutcome) -> dict[str, Any]:
    plan = msgspec.to_builtins(outcome.plan)
    people = plan.pop("virtual_users")
    plan["base_url"] = without_numbers(plan["base_url"])
    return {name: value for name, value in plan.items() if name not in SECRET_FIELDS} | {
        "people": people,
        "terminals": [{"id": each.id, "device": each.device, "model": each.model}
                      for each in outcome.plan.terminals],
    }  # fmt: skip


def _figures(figures: RequestFigures, is_withheld: bool) -> dict[str, Any]:
    counts = {key: figures.counts.get(verdict, 0) for verdict, key in VERDICT_KEYS.items()}
    document = {"requests": figures.requests, **counts}
    if is_withheld:
        return document
    names = ("p50_ms", "p95_ms", "p99_ms", "max_ms", "throughput")
    return document | {name: plain_figure(getattr(figures, name)) for name in names}


def _closing_check(outcome: RunOutcome) -> dict[str, Any]:
    check = outcome.closing_check
    return {
        "is_clean": check.is_clean,
        "not_checked": [clause.name for clause in check.unchecked],
        "unanswered": check.unknown,
        "clauses": [
            {**clause._asdict(), "faults": list(clause.faults), "verdict": clause.verdict}
            for clause in check.clauses
        ],
    }


def _oracle(findings: OracleFindings) -> dict[str, Any]:
    return {
        "answers": findings.marked,
        "marks": dict(findings.marks),
        "wrong": [str(each) for each in findings.mismatches],
        "undecidable_share": findings.undecidable_share,
        "clock_offset_s": findings.offset and findings.offset._asdict(),
    }

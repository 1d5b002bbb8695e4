"""The report for machines: one JSON document, described by `report.schema.json` beside this file.

The schema is computed from the records here and printed by `python -m reports.document`.
"""

import json
from typing import Any, Literal

import msgspec

from reports.events import CaseVerdict, ExitStatus, WaiverStatus, encoded, escaped_json
from reports.matrix import RequirementStatus, matrix_of
from reports.requirements import planned, requirements
from reports.run import RecordedRun
from reports.words import headline_of

FORMAT: Literal["sandgate-report-1"] = "sandgate-report-1"


class ReportTarget(msgspec.Struct, frozen=True):
    """The target under test, without its secrets."""

    base_url: str
    profile: str
    version: str
    offers: list[str]


class ReportSummary(msgspec.Struct, frozen=True):
    """The verdict: in a word, in a sentence, in numbers. `lacks` says why a run is not complete.

    `counts` are those of `scenarios` and `field_formats` together. Of `seconds`, `paced_s` were
    waited for the limits of the target. `at` is when it began.
    """

    title: str
    words: str
    exit_status: ExitStatus
    complete: bool
    lacks: str
    counts: dict[str, int]
    scenarios: dict[str, int]
    field_formats: dict[str, int]
    at: str
    seconds: float
    paced_s: float
    target: ReportTarget
    waivers: list[WaiverStatus]


class ReportDocument(msgspec.Struct, frozen=True):
    """All of a run: its verdict, every case with its exchanges, every requirement."""

    format: Literal["sandgate-report-1"]
    summary: ReportSummary
    cases: list[CaseVerdict]
    matrix: list[RequirementStatus]


def document_of(run: RecordedRun) -> bytes:
    """The JSON document of a run."""
    matrix = matrix_of(run.cases, requirements(), planned())
    document = ReportDocument(FORMAT, _summary(run), list(run.cases), matrix)
    return msgspec.json.format(escaped_json(encoded(document)), indent=1) + b"\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **msgspec.json.schema(ReportDocument)}


def _summary(run: RecordedRun) -> ReportSummary:
    headline = headline_of(run)
    began = run.began
    return ReportSummary(
        title=headline.title,
        words=headline.words.strip(),
        exit_status=run.exit_status,
        complete=not run.lacks,
        lacks=run.lacks,
        counts=run.counts,
        scenarios=run.scenario_counts,
        field_formats=run.field_format_counts,
        at=began.at,
        seconds=run.seconds,
        paced_s=run.ended.paced_s if run.ended else 0.0,
        target=ReportTarget(began.base_url, began.profile, began.version, began.offers),
        waivers=run.waivers,
    )


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))

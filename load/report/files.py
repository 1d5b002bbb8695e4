"""Write the report of a run as files: HTML page, JSON and CSV."""

import csv as csv_files
import json as json_text
import os
from pathlib import Path
from urllib.parse import quote

from load.report.document import VERDICT_KEYS, create_document
from load.report.page import render_page
from load.report.rows import LATENCY_COLUMNS, operation_values
from load.results.baseline import NOT_COMPARED, ComparedRuns
from load.results.outcome import RunOutcome
from simulator.client.shown.writable import writable

CSV_COLUMNS = ("operation", "requests", *VERDICT_KEYS.values(), *LATENCY_COLUMNS)


def write_reports(
    outcome: RunOutcome,
    compared: ComparedRuns = NOT_COMPARED,
    *,
    html: Path | None,
    csv: str,
    json: Path | None,
) -> list[Path]:
    """Write the requested reports, and return the written files."""
    written = []
    if html is not None:
        locust_page = locust_page_beside(html)
        # As its bytes are, so that the link leads to it whatever the name holds.
        name = quote(os.fsencode(locust_page.name)) if locust_page.exists() else ""
        written.append(_write_text(html, render_page(outcome, compared, locust_page=name)))
    if json is not None:
        text = json_text.dumps(create_document(outcome, compared), indent=2, ensure_ascii=False)
        written.append(_write_text(json, text + "\n"))
    if csv:
        path = Path(f"{csv}_operations.csv")
        with path.open("w", encoding="utf-8", newline="") as rows:
            csv_files.writer(rows).writerows([CSV_COLUMNS, *operation_values(outcome)])
        written.append(path)
    return written


def locust_page_beside(html: Path) -> Path:
    """Return the path of Locust's own page beside ours."""
    return html.parent / f"{html.stem}.locust.html"


def _write_text(path: Path, text: str) -> Path:
    path.write_text(writable(text), encoding="utf-8")
    return path

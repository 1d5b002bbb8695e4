"""The report of a run as files: a page that needs nothing else, JSON, and CSV."""

import csv as csv_files
import json as json_text
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from load.charts import HEIGHT, LEFT, RIGHT, WIDTH, Chart, Series, chart_of
from load.choosing import locust_page
from load.machine import facts
from load.run import Outcome
from load.telling import (
    CHECK_COLUMNS,
    CLAUSE_COLUMNS,
    OPERATION_COLUMNS,
    STEP_COLUMNS,
    check_rows,
    clause_rows,
    document,
    faults_of,
    headline,
    operation_rows,
    remarks,
    step_rows,
)

TEMPLATE = "report.html"


def write_reports(
    outcome: Outcome, *, html: Path | None, csv: str, json: Path | None
) -> list[Path]:
    """Write what was asked for; the files that came of it."""
    written = []
    if html is not None:
        html.parent.mkdir(parents=True, exist_ok=True)
        beside = locust_page(html)
        html.write_text(page(outcome, beside.name if beside.exists() else ""), encoding="utf-8")
        written.append(html)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        text = json_text.dumps(document(outcome), indent=2, ensure_ascii=False)
        json.write_text(text + "\n", encoding="utf-8")
        written.append(json)
    if csv:
        path = Path(f"{csv}_operations.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as rows:
            csv_files.writer(rows).writerows([OPERATION_COLUMNS, *operation_rows(outcome)])
        written.append(path)
    return written


def page(outcome: Outcome, locust_page: str = "") -> str:
    """The report as one page; `locust_page` is the name of Locust's own beside it, if any."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    plan = outcome.plan
    return environment.get_template(TEMPLATE).render(
        outcome=outcome,
        headline=headline(outcome),
        is_good=outcome.exit_status == 0,
        remarks=remarks(outcome)[:-1],
        faults=faults_of(outcome),
        tables=_tables(outcome),
        charts=[] if outcome.withheld else charts_of(outcome),
        size={"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT},
        run=[
            ("target", outcome.place.target.base_url),
            ("people", ", ".join(plan.people)),
            ("arrival", _arrival(outcome)),
            ("shape", plan.shape),
            ("asked for", f"{plan.seconds:g} s"),
            ("lasted", f"{outcome.summary.lasted_s:.1f} s"),
            ("processes", str(plan.processes)),
            ("seed", str(plan.seed)),
        ],
        machine=facts("sandgate load"),
        locust_page=locust_page,
    )


def charts_of(outcome: Outcome) -> list[Chart]:
    """Answers, latencies and users over the run."""
    seconds = outcome.summary.seconds
    return [
        chart_of("Right answers", "answers a second", [
            Series("answers", "one", [each.answers for each in seconds]),
        ]),
        chart_of("Latency", "milliseconds", [
            Series("p50", "one", [each.p50_ms for each in seconds]),
            Series("p95", "two", [each.p95_ms for each in seconds]),
            Series("p99", "three", [each.p99_ms for each in seconds]),
        ]),
        chart_of("Users", "users", [Series("users", "one", [each.users for each in seconds])]),
        chart_of("Busiest process of the client", "percent of a core", [
            Series("processor", "two", [each.cpu * 100 for each in seconds]),
        ]),
    ]  # fmt: skip


def _tables(outcome: Outcome) -> list[dict[str, object]]:
    tables = [
        ("Closing certificate", CLAUSE_COLUMNS, clause_rows(outcome)),
        ("Thresholds", CHECK_COLUMNS, check_rows(outcome)),
        ("Requests", OPERATION_COLUMNS, operation_rows(outcome)),
    ]
    if outcome.summary.steps and not outcome.withheld:
        tables.insert(0, ("Steps", STEP_COLUMNS, step_rows(outcome)))
    return [{"title": title, "columns": columns, "rows": rows} for title, columns, rows in tables]


def _arrival(outcome: Outcome) -> str:
    plan = outcome.plan
    if plan.arrival == "open":
        kind = "at random" if plan.poisson else "evenly"
        return f"open: {plan.rate:g} a second, {kind}, at most {plan.users} at once"
    return f"closed: {plan.users} users who think {plan.think_s:g} s"

"""The report of a run as one HTML page that needs no other file. Pure but for its template."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from load.figures.machine import describe_run
from load.report.charts import HEIGHT, LEFT, RIGHT, WIDTH, Chart, Series, lay_out_chart
from load.report.remarks import fault_lines, headline, remarks
from load.report.rows import (
    CHECK_COLUMNS,
    CLAUSE_COLUMNS,
    OPERATION_COLUMNS,
    STEP_COLUMNS,
    check_rows,
    clause_rows,
    operation_rows,
    step_rows,
)
from load.results.outcome import RunOutcome

TEMPLATE = "report.html"


def render_page(outcome: RunOutcome, locust_page: str = "") -> str:
    """Return the report as HTML; `locust_page` is the name of Locust's own page, if it exists."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template(TEMPLATE).render(
        headline=headline(outcome),
        is_good=outcome.exit_status == 0,
        remarks=remarks(outcome),
        faults=fault_lines(outcome),
        tables=_tables(outcome),
        charts=[] if outcome.withheld else _charts(outcome),
        size={"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT},
        run=_run_facts(outcome),
        machine=describe_run("sandgate load"),
        locust_page=locust_page,
    )


def _charts(outcome: RunOutcome) -> list[Chart]:
    """Return responses, latencies and users over the run."""
    seconds = outcome.summary.seconds
    return [
        lay_out_chart("Correct responses", "responses per second", [
            Series("responses", "one", [each.answers for each in seconds]),
        ]),
        lay_out_chart("Latency", "milliseconds", [
            Series("p50", "one", [each.p50_ms for each in seconds]),
            Series("p95", "two", [each.p95_ms for each in seconds]),
            Series("p99", "three", [each.p99_ms for each in seconds]),
        ]),
        lay_out_chart("Users", "users", [Series("users", "one", [each.users for each in seconds])]),
        lay_out_chart("Busiest process of the client", "percent of a core", [
            Series("processor", "two", [each.cpu * 100 for each in seconds]),
        ]),
    ]  # fmt: skip


def _tables(outcome: RunOutcome) -> list[dict[str, object]]:
    tables = [
        ("Closing check", CLAUSE_COLUMNS, clause_rows(outcome)),
        ("Thresholds", CHECK_COLUMNS, check_rows(outcome)),
        ("Requests", OPERATION_COLUMNS, operation_rows(outcome)),
    ]
    if outcome.summary.steps and not outcome.withheld:
        tables.insert(0, ("Steps", STEP_COLUMNS, step_rows(outcome)))
    return [{"title": title, "columns": columns, "rows": rows} for title, columns, rows in tables]


def _run_facts(outcome: RunOutcome) -> list[tuple[str, str]]:
    plan = outcome.plan
    return [
        ("target", outcome.target.target.base_url),
        ("virtual users", ", ".join(plan.virtual_users)),
        ("arrival", _arrival(outcome)),
        ("shape", plan.shape),
        ("planned", f"{plan.seconds:g} s"),
        ("lasted", f"{outcome.summary.lasted_s:.1f} s"),
        ("processes", str(plan.processes)),
        ("seed", str(plan.seed)),
    ]


def _arrival(outcome: RunOutcome) -> str:
    plan = outcome.plan
    if plan.arrival == "open":
        kind = "at random" if plan.poisson else "evenly"
        return f"open: {plan.rate:g} per second, {kind}, at most {plan.users} at once"
    return f"closed: {plan.users} users with {plan.think_s:g} s think time"

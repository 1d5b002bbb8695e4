"""The report of a run as one HTML page that needs no other file. Pure but for its template."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from load.report.charts import HEIGHT, LEFT, RIGHT, WIDTH, Chart, Series, lay_out_chart
from load.report.remarks import fault_lines, headline, remarks
from load.report.rows import (
    CHECK_COLUMNS,
    CLAUSE_COLUMNS,
    COMPARISON_COLUMNS,
    OPERATION_COLUMNS,
    STEP_COLUMNS,
    check_rows,
    clause_rows,
    comparison_rows,
    operation_rows,
    step_rows,
)
from load.results.baseline import NOT_COMPARED, ComparedRuns
from load.results.outcome import RunOutcome
from simulator.client.shown.masking import without_numbers

TEMPLATE = "report.html"


def render_page(
    outcome: RunOutcome, compared: ComparedRuns = NOT_COMPARED, *, locust_page: str = ""
) -> str:
    """Return the report as HTML; `locust_page` is where Locust's own page is, if it exists."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template(TEMPLATE).render(
        headline=headline(outcome),
        is_good=outcome.exit_status == 0,
        remarks=[*compared.cautions, *remarks(outcome)],
        faults=fault_lines(outcome),
        tables=_tables(outcome, compared),
        sections=[] if outcome.withheld else _sections(outcome),
        size={"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT},
        run=_run_facts(outcome),
        machine=outcome.run,
        locust_page=locust_page,
    )


def _sections(outcome: RunOutcome) -> list[tuple[str, list[Chart]]]:
    """Return the charts under their headings: over the load where it rose by steps, over time."""
    over_time = ("Over time", _charts(outcome))
    return (
        [("Over load", _step_charts(outcome)), over_time] if outcome.summary.steps else [over_time]
    )


def _step_charts(outcome: RunOutcome) -> list[Chart]:
    """Return throughput and latency over the load of each step: the knee is where they bend."""
    steps = outcome.summary.steps
    unit = "per s" if outcome.plan.arrival == "open" else "users"
    at = [step.load for step in steps]
    return [
        lay_out_chart("Throughput", "successful responses/s", [
            Series("throughput", "one", [step.throughput for step in steps]),
        ], at=at, at_unit=unit),
        lay_out_chart("Latency (p95)", "milliseconds", [
            Series("response", "two", [step.p95_ms for step in steps]),
            *([Series("webhook", "three", [step.lag_ms for step in steps])]
              if outcome.summary.lag else []),
        ], at=at, at_unit=unit),
    ]  # fmt: skip


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


def _tables(outcome: RunOutcome, compared: ComparedRuns) -> list[dict[str, object]]:
    tables = [
        ("Closing check", CLAUSE_COLUMNS, clause_rows(outcome)),
        ("Thresholds", CHECK_COLUMNS, check_rows(outcome)),
        ("Requests", OPERATION_COLUMNS, operation_rows(outcome)),
    ]
    if compared.figures:
        rows = comparison_rows(compared.figures)
        tables.insert(0, ("Against the baseline", COMPARISON_COLUMNS, rows))
    if outcome.summary.steps and not outcome.withheld:
        tables.insert(0, ("Steps", STEP_COLUMNS, step_rows(outcome)))
    return [{"title": title, "columns": columns, "rows": rows} for title, columns, rows in tables]


def _run_facts(outcome: RunOutcome) -> list[tuple[str, str]]:
    plan = outcome.plan
    return [
        ("target", without_numbers(", ".join((plan.base_url, *plan.members)))),
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

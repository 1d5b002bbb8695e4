"""Print the report of a run on the terminal."""

import typer

from load.figures.figure import print_rows
from load.report.remarks import fault_lines, headline, remarks
from load.report.rows import (
    CHECK_COLUMNS,
    CLAUSE_COLUMNS,
    COMPARISON_COLUMNS,
    STEP_COLUMNS,
    check_rows,
    clause_rows,
    comparison_rows,
    count_table,
    latency_table,
    step_rows,
)
from load.results.baseline import NOT_COMPARED, ComparedRuns
from load.results.outcome import RunOutcome


def print_outcome(outcome: RunOutcome, compared: ComparedRuns = NOT_COMPARED) -> None:
    """Print tables, faults and remarks, the headline last."""
    print_rows("requests", *count_table(outcome))
    if not outcome.withheld:
        print_rows("latency and throughput", *latency_table(outcome))
    if outcome.summary.steps and not outcome.withheld:
        print_rows("steps", STEP_COLUMNS, step_rows(outcome))
    print_rows("closing check", CLAUSE_COLUMNS, clause_rows(outcome))
    if compared.figures:
        print_rows("against the baseline", COMPARISON_COLUMNS, comparison_rows(compared.figures))
    print_rows("thresholds", CHECK_COLUMNS, check_rows(outcome))
    lines = (*fault_lines(outcome), *compared.cautions, *remarks(outcome), headline(outcome))
    for line in lines:
        typer.echo(line)

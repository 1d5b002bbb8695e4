"""Print the report of a run on the terminal."""

import typer

from load.figures.figure import print_rows
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


def print_outcome(outcome: RunOutcome) -> None:
    """Print tables, faults and remarks, the headline last."""
    print_rows("requests", OPERATION_COLUMNS, operation_rows(outcome))
    if outcome.summary.steps and not outcome.withheld:
        print_rows("steps", STEP_COLUMNS, step_rows(outcome))
    print_rows("closing check", CLAUSE_COLUMNS, clause_rows(outcome))
    print_rows("thresholds", CHECK_COLUMNS, check_rows(outcome))
    for line in (*fault_lines(outcome), *remarks(outcome), headline(outcome)):
        typer.echo(line)

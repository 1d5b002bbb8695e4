"""`sandgate coverage`: the state of each requirement."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.commands.ending import fail_usage, read_run_or_fail
from reports.commands.extras import demand_extra
from reports.commands.output import FormatOption, print_json
from reports.coverage import (
    MISSING,
    CoverageState,
    RequirementCoverage,
    SuiteFacts,
    counts_of,
    coverage_of,
    coverage_of_expectations,
)
from reports.run import RecordedRun
from reports.words import readable

# Sign and color of each state, from the most urgent to the least.
LOOKS: dict[CoverageState, tuple[str, str]] = {
    "missing":       ("\u2717", "bold red"),
    "failed":        ("\u2717", "red"),
    "not-checkable": ("?", "magenta"),
    "unguarded":     ("!", "yellow"),
    "planned":       ("\u2026", "blue"),
    "beside":        ("\u2026", "blue"),
    "has-cases":     ("\u00b7", "cyan"),
    "proven":        ("\u2713", "green"),
}  # fmt: skip
# The width of output that does not go to a terminal.
PIPED_WIDTH = 160
HOW = (
    "Without a run no requirement is proven. Test a gateway and keep the stream:\n"
    "  sandgate check TARGET.toml --events verdicts.jsonl\n"
    "  sandgate coverage verdicts.jsonl"
)


def main(
    stream: Annotated[
        Path | None,
        typer.Argument(metavar="STREAM", help="The stream of a whole run of `sandgate check`."),
    ] = None,
    output_format: FormatOption = "text",
    features: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of your features.")
    ] = None,
) -> None:
    """Show each requirement, and each expectation of existing clients, as proven, unguarded,
    failed, not checkable, planned, shown beside the scenarios by other tests, or missing.

    Without a stream it shows which have test cases. Exit status 1 where one is missing.
    """
    demand_extra("check")
    run = read_run_or_fail(stream) if stream else None
    facts = _facts(features)
    covered, expected = coverage_of(run, facts), coverage_of_expectations(run, facts)
    if output_format == "json":
        print_json(_document(covered, expected, run))
    else:
        _print(covered, expected, run)
    if any(each.state == MISSING for each in (*covered, *expected)):
        raise typer.Exit(1)


def _facts(features: Path | None) -> SuiteFacts:
    """What the suite knows of each requirement; an invalid feature ends the command."""
    # Only with the extra `check` is there a reader of features.
    from features.conformance.coverage import suite_facts
    from features.gherkin.files import FeatureFileError

    try:
        return suite_facts(features)
    except FeatureFileError as error:
        fail_usage(str(error))


def _document(
    covered: Sequence[RequirementCoverage],
    expected: Sequence[RequirementCoverage],
    run: RecordedRun | None,
) -> dict[str, Any]:
    return {
        "target": run.began.base_url if run else None,
        "lacks": run.lacks if run else "nothing was run",
        "counts": counts_of(covered),
        "requirements": [msgspec.to_builtins(each) for each in covered],
        "expectation_counts": counts_of(expected),
        "expectations": [msgspec.to_builtins(each) for each in expected],
    }


def _print(
    covered: Sequence[RequirementCoverage],
    expected: Sequence[RequirementCoverage],
    run: RecordedRun | None,
) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH)
    for section, rows in groupby((*covered, *expected), lambda each: each.section):
        console.print(Text(f"\n{section}", style="bold"))
        console.print(_table(list(rows)))
    console.print()
    console.print(_counted(covered, "requirements"))
    console.print(_counted(expected, "expectations"))
    if run is None:
        console.print(Text(HOW))
    elif run.lacks:
        console.print(Text(readable(run.lacks), style="bold red"))


def _table(rows: Sequence[RequirementCoverage]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), expand=True)
    table.add_column(width=9)
    table.add_column(width=15)
    table.add_column(ratio=3)
    table.add_column(ratio=2, style="dim")
    for row in rows:
        sign, style = LOOKS[row.state]
        state = Text(f"{sign} {row.state}", style=style)
        table.add_row(row.id, state, Text(row.statement), Text(readable(row.why)))
    return table


def _counted(covered: Sequence[RequirementCoverage], what: str) -> Text:
    counts = counts_of(covered)
    parts = [(f"{counts[state]} {state}", style) for state, (_, style) in LOOKS.items()
             if state in counts]  # fmt: skip
    total = Text(f"{len(covered)} {what}: ")
    return total + Text(", ").join(Text(words, style=style) for words, style in parts)

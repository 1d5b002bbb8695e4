"""`sandgate coverage`: the state of each requirement."""

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from features.conformance.coverage import suite_facts
from features.gherkin.files import FeatureFileError
from reports.commands.ending import fail_usage, read_run_or_fail
from reports.coverage import MISSING, CoverageState, RequirementCoverage, counts_of, coverage_of
from reports.run import RecordedRun
from reports.words import readable

# Sign and color of each state, from the most urgent to the least.
LOOKS: dict[CoverageState, tuple[str, str]] = {
    "missing":       ("\u2717", "bold red"),
    "failed":        ("\u2717", "red"),
    "not-checkable": ("?", "magenta"),
    "unguarded":     ("!", "yellow"),
    "planned":       ("\u2026", "blue"),
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
        Path | None, typer.Argument(help="The stream of a whole run of `sandgate check`.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON document.")] = False,
    features: Annotated[Path | None, typer.Option(help="A folder of your own features.")] = None,
) -> None:
    """Show each requirement as proven, unguarded, failed, not checkable, planned or missing.

    Without a stream it shows which have test cases. Exit status 1 where a requirement is missing.
    """
    run = read_run_or_fail(stream) if stream else None
    try:
        facts = suite_facts(features)
    except FeatureFileError as error:
        fail_usage(str(error))
    covered = coverage_of(run, facts)
    if as_json:
        typer.echo(_document(covered, run))
    else:
        _print(covered, run)
    if any(each.state == MISSING for each in covered):
        raise typer.Exit(1)


def _document(covered: Sequence[RequirementCoverage], run: RecordedRun | None) -> str:
    rows = [msgspec.to_builtins(each) for each in covered]
    target = run.began.base_url if run else None
    lacks = run.lacks if run else "nothing was run"
    whole = {"target": target, "lacks": lacks, "counts": counts_of(covered), "requirements": rows}
    return json.dumps(whole, indent=1, ensure_ascii=False)


def _print(covered: Sequence[RequirementCoverage], run: RecordedRun | None) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH)
    for section, rows in groupby(covered, lambda each: each.section):
        console.print(Text(f"\n{section}", style="bold"))
        console.print(_table(list(rows)))
    console.print()
    console.print(_counted(covered))
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


def _counted(covered: Sequence[RequirementCoverage]) -> Text:
    counts = counts_of(covered)
    parts = [(f"{counts[state]} {state}", style) for state, (_, style) in LOOKS.items()
             if state in counts]  # fmt: skip
    total = Text(f"{len(covered)} requirements: ")
    return total + Text(", ").join(Text(words, style=style) for words, style in parts)

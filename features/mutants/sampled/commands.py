"""The commands: `try` runs a sample, `survivors` shows it in full, `page` prints the page."""

import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from features.mutants.sampled.equivalents import equivalent_mutants
from features.mutants.sampled.figures import KILLED, NOT_STARTED, figures_of, write_figures
from features.mutants.sampled.page import headline, render_page
from features.mutants.sampled.run import SamplePlan, Tried, record, try_mutants
from reports.machine import command_line_of, describe_run

SEED, SIZE = 20261124, 340
FOLDER = Path("build/mutants")
app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
Seed = Annotated[int, typer.Option(help="What draws the sample.")]
Size = Annotated[int, typer.Option(help="The number of mutants.")]
Folder = Annotated[Path, typer.Option(help="Where results are kept; a run goes on from there.")]


@app.command("try")
def try_sample(
    *,
    seed: Seed = SEED,
    size: Size = SIZE,
    first: Annotated[int, typer.Option(help="Try so many of them; 0 is all.")] = 0,
    folder: Folder = FOLDER,
    until: Annotated[float, typer.Option(help="Begin no mutant after this many seconds.")] = 0.0,
    store: Annotated[bool, typer.Option(help="Store the figures that the page shows.")] = False,
) -> None:
    """Try every mutant of a sample. Ends with status 3 while some are left."""
    # SIGTERM ends the session of pytest too, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    unrecorded = record(folder.absolute(), until)
    left_s = until - (time.monotonic() - began) if until else 0.0
    if unrecorded or left_s < 0:
        typer.echo(f"{unrecorded} cases are to be recorded; the same command goes on")
        raise typer.Exit(3)
    tried = try_mutants(folder.absolute(), SamplePlan(seed, size, first), left_s)
    (folder / "survivors.md").write_text("".join(map(describe, tried)), encoding="utf-8")
    left = sum(each.state == "not tried" for each in tried)
    if left:
        typer.echo(f"{left} of {len(tried)} are left; the same command goes on")
        raise typer.Exit(3)
    run = describe_run(command_line_of("features.mutants.sampled"))
    figures = figures_of(tried, run=run, seed=seed, equivalent=len(equivalent_mutants()))
    typer.echo(f"killed: {headline(figures)}")
    for name, each in figures.groups.items():
        typer.echo(f"{name}: {each.killed} of {each.tried}")
    typer.echo(f"survivors: {folder / 'survivors.md'}")
    if store:
        write_figures(figures)


@app.command()
def page() -> None:
    """Print docs/makers/sampled-mutants.md from the stored figures."""
    typer.echo(render_page(), nl=False)


def describe(tried: Tried) -> str:
    """A mutant that was not killed, in full; empty for any other."""
    if tried.state in (KILLED, "not tried", NOT_STARTED):
        return ""
    mutant = tried.mutant
    where = f"{mutant.module}:{mutant.lines[0]} {mutant.function}"
    head = f"## {mutant.id} {tried.group} {tried.state}, executed by {tried.executed_by} cases"
    before, after = (
        indented(text, sign) for text, sign in ((mutant.before, "-"), (mutant.after, "+"))
    )
    return f"{head}\n{where}\n\n{before}{after}\n"


def indented(text: str, sign: str) -> str:
    """Changed lines, each behind its sign."""
    return "".join(f"    {sign} {line}\n" for line in text.splitlines())

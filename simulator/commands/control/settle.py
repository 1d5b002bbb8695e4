"""`sandgate settle`: runs of clearing institutes, and the faults in their files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_sandbox
from simulator.commands.control.documents import given, read_text
from simulator.commands.control.files import whole_file
from simulator.commands.surface.output import FormatOption, aligned, print_result

app = typer.Typer(no_args_is_help=True)
COLUMNS = ("id", "state", "lines", "delivered", "problem")
SUMS = ("merchant_account", "currency", "lines", "matched", "net", "payout", "agrees")
PUSHES = ("file", "state", "attempts", "due", "problem")
DIFFER, REFUSED = 3, "refused"
ASK_AGAIN = (
    "The file of {day} was refused, and nothing of it is booked. {institute} sends another when "
    "the day is asked for again: sandgate settle run --institute '{institute}' --date {day}"
)
GO_ON = (
    "More bank days of {institutes} are over than are settled at once; give the same command again "
    "to go on."
)
InstituteOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="A clearing institute; else every one.")
]


@app.command("run")
@with_sandbox
def run_days(
    control: Control,
    sandbox: str,
    *,
    institute: InstituteOption = None,
    date: Annotated[
        str | None, typer.Option(metavar="DATE", help="The last bank day, such as 2030-01-03.")
    ] = None,
    daily: Annotated[
        bool | None,
        typer.Option("--daily/--no-daily", help="Settle the bank days to come by themselves."),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Settle the bank days that are over on the clock of the sandbox, 400 of each institute at
    once; status 3 where a file was refused, or more days are over.
    """
    settled = control.settle_days(sandbox, **given(institute=institute, date=date, daily=daily))
    runs, more = settled.listed("runs"), settled.listed("more", str)
    print_result(runs, _table(runs) if runs else ["no bank day is over"], output_format)
    last = {run["id"]: run for run in runs}
    refused = [run for run in last.values() if _is_refused(run)]
    if more:
        typer.echo(GO_ON.format(institutes=", ".join(more)), err=True)
    if refused or more:
        raise typer.Exit(DIFFER)


@app.command("show")
@with_sandbox
def show_runs(
    control: Control,
    sandbox: str,
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The id of a run; else list all.")
    ] = None,
    *,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the run: from sales to the payout."),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """List the runs, or show one and whether its sums agree; status 3 where they do not."""
    if run is None:
        if svg is not None:
            raise typer.BadParameter("--svg: expected RUN beside it, the run that is drawn")
        runs = control.settlements(sandbox)
        print_result(runs, _table(runs) if runs else ["nothing was settled yet"], output_format)
        return
    found = control.settlement(sandbox, run)
    if svg is not None:
        picture = control.settlement_picture(sandbox, run)
        with whole_file(svg) as draft:
            draft.write(picture.encode())
        typer.echo(f"written: {svg}", err=True)
    print_result(found, _details(found), output_format)
    if _is_refused(found["run"]) or not all(each["agrees"] for each in found["accounts"]):
        raise typer.Exit(DIFFER)


@app.command("push")
@with_sandbox
def push_files(
    control: Control,
    sandbox: str,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")],
    *,
    output_format: FormatOption = "text",
) -> None:
    """Push the files of a run now to the SFTP servers of their merchants, where they are not."""
    pushes = control.push_again(sandbox, run)
    rows = _pushes(pushes) if pushes else ["no merchant of the run has a server to push to"]
    print_result(pushes, rows, output_format)


@app.command("fault")
@with_sandbox
def plant_faults(
    control: Control,
    sandbox: str,
    plan: Annotated[
        str, typer.Argument(metavar="PLAN", help="YAML file of a fault plan; - is standard input.")
    ],
    *,
    institute: Annotated[
        str, typer.Option(metavar="NAME", help="The clearing institute.")
    ] = "Sandgate Clearing",
    output_format: FormatOption = "text",
) -> None:
    """Plant faults in the next file of an institute."""
    text = read_text("PLAN", plan)
    if not text.strip():
        raise typer.BadParameter("PLAN: expected a fault plan in YAML, got nothing")
    armed = control.plant_settlement_faults(sandbox, institute, text)
    print_result(armed, [f"the next file of {institute} has faults"], output_format)


def _is_refused(run: Mapping[str, Any]) -> bool:
    """Whether the file of a run was refused; it is said then how another one comes."""
    if run["state"] != REFUSED:
        return False
    typer.echo(ASK_AGAIN.format(day=run["day"], institute=run["institute"]), err=True)
    return True


def _table(runs: list[Mapping[str, Any]]) -> list[str]:
    rows = [[str(_cell(run[name])) for name in COLUMNS] for run in runs]
    return aligned([COLUMNS, *rows])


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else value


def _details(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _table([found["run"]])
    sums = ([str(_cell(each[name])) for name in SUMS] for each in found["accounts"])
    yield from aligned([SUMS, *sums])
    if found["pushes"]:
        yield from _pushes(found["pushes"])


def _pushes(pushes: list[Mapping[str, Any]]) -> list[str]:
    rows = [[str(_cell(each[name] or "")) for name in PUSHES] for each in pushes]
    return aligned([PUSHES, *rows])

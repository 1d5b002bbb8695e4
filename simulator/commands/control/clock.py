"""`sandgate clock`: the clock of a sandbox, and the work that waits for it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import typer

from simulator.client import Control
from simulator.commands.control.connection import fail, with_sandbox
from simulator.commands.control.documents import given
from simulator.commands.surface.output import FormatOption, print_result
from simulator.settings import SettingsError

ClockMode = Literal["real", "frozen", "offset", "scaled"]
app = typer.Typer(no_args_is_help=True)


@app.command("show")
@with_sandbox
def show_clock(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """Show the mode of the clock, its time, and when the next work is due."""
    _print(control.clock(sandbox), output_format)


@app.command("set")
@with_sandbox
def set_clock(
    control: Control,
    sandbox: str,
    mode: Annotated[
        ClockMode, typer.Argument(metavar="MODE", help="real, frozen, offset or scaled.")
    ],
    *,
    at: Annotated[
        str | None,
        typer.Option(metavar="INSTANT", help="Where it stands or starts: 2027-01-31T12:00:00Z."),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Rate of a scaled clock.")
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Set the clock; it never goes backwards."""
    _print(control.set_clock(sandbox, mode, **given(at=at, rate=rate)), output_format)


@app.command("advance")
@with_sandbox
def advance_clock(
    control: Control,
    sandbox: str,
    span: Annotated[
        str | None, typer.Argument(metavar="SPAN", help="How far, such as 90s, 30m, 24h or 7d.")
    ] = None,
    *,
    to: Annotated[
        str | None, typer.Option(metavar="INSTANT", help="Advance to this instant instead.")
    ] = None,
    until_next: Annotated[
        bool, typer.Option("--next", help="Advance to the next due work instead.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """Advance the clock and do the work that is due on the way, in order."""
    how = given(by=span, to=to, until="next" if until_next else None)
    if len(how) != 1:
        raise SettingsError("clock advance: expected one of SPAN, --to and --next")
    _print(control.advance_clock(sandbox, **how), output_format)


@app.command("drain")
@with_sandbox
def drain(
    control: Control,
    sandbox: str,
    *,
    timeout: Annotated[
        str, typer.Option(metavar="SPAN", help="How long to wait, in real time.")
    ] = "10s",
) -> None:
    """Wait until no work is in progress in the sandbox; status 1 after the time-out."""
    if not control.drain(sandbox, timeout):
        fail(f"expected no work in progress after {timeout}, got some")
    typer.echo("no work is in progress")


def _print(clock: Mapping[str, Any], output_format: Any) -> None:
    following = f", next work {clock['next']}" if clock.get("next") else ""
    print_result(clock, [f"{clock['mode']}  {clock['now']}{following}"], output_format)

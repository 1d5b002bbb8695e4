"""`sandgate terminal`: terminals at the point of sale, and the keys they are loaded with."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_sandbox
from simulator.commands.control.documents import given
from simulator.commands.surface.output import FormatOption, aligned, print_result

app = typer.Typer(no_args_is_help=True)
MAKER = "SANDGATE_"


@app.callback()
def terminal() -> None:
    """Create terminals at the point of sale, list and show them."""


@app.command("new")
@with_sandbox
def new_terminal(
    control: Control,
    sandbox: str,
    *,
    model: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="COUNTERTOP, PORTABLE, MOBILE, PINPAD, INTEGRATED or UNATTENDED.",
        ),
    ] = "COUNTERTOP",
    channel: Annotated[
        str | None, typer.Option(metavar="ID", help="Its channel; else the first of the sandbox.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            help="How its keys change: AES or TDES (DUKPT).",
            autocompletion=lambda: ["AES", "TDES"],
        ),
    ] = "AES",
    remote_keys: Annotated[
        bool, typer.Option("--remote-keys", help="It loads its keys itself, by the control API.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """Create a terminal, and print the keys it is loaded with; they are shown this once."""
    loading = "remote" if remote_keys else None
    name = f"{MAKER}{model.upper().removeprefix(MAKER)}"
    asked = given(model=name, channel=channel, method=method.upper(), loading=loading)
    made = control.create_terminal(sandbox, **asked)
    rows = _rows_of(made)
    if load := made["load"]:
        rows += [("KBPK", load["kbpk"])]
        rows += [(f"{each['usage']} key", each["block"]) for each in load["blocks"]]
    print_result(made, aligned(rows), output_format)


@app.command("list")
@with_sandbox
def list_terminals(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """List the terminals: id, model, channel, method."""
    found = control.terminals(sandbox)
    rows = [(each["id"], each["model"], each["channel"], each["method"]) for each in found]
    print_result(found, aligned(rows) or ["no terminal was created"], output_format)


@app.command("show")
@with_sandbox
def show_terminal(
    control: Control,
    sandbox: str,
    identity: Annotated[str, typer.Argument(metavar="ID", help="The id of a terminal.")],
    *,
    output_format: FormatOption = "text",
) -> None:
    """Show a terminal, and the highest counter that was seen of each key."""
    found = control.terminal(sandbox, identity)
    rows = [*_rows_of(found), *((f"{each['usage']} key", each["id"]) for each in found["keys"])]
    rows += [(f"{each['usage']} counter", each["counter"]) for each in found["keys"]]
    print_result(found, aligned(rows), output_format)


def _rows_of(found: Mapping[str, Any]) -> list[tuple[str, Any]]:
    names = ("id", "device", "model", "channel", "method")
    return [("terminal" if name == "id" else name, found[name]) for name in names]

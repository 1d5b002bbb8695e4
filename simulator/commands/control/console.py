"""`sandgate console`: where it is, and who may sign in."""

import webbrowser
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_control
from simulator.commands.surface.output import FormatOption, aligned, print_result

NO_ADMINISTRATOR = (
    "no one is an administrator yet; open the link that serve printed, or make one by "
    "`sandgate console invite NAME --role administrator`"
)
app = typer.Typer(no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]


@app.callback()
def console() -> None:
    """Open the console in the browser; invite people to it, list and remove them."""


@app.command("open")
@with_control
def open_console(
    control: Control,
    *,
    shows: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in the browser too.")
    ] = True,
) -> None:
    """Print the address of the console, and open it in the browser."""
    _note_no_administrator(control.people())
    typer.echo(control.console_url)
    if shows:
        webbrowser.open(control.console_url)


@app.command("invite")
@with_control
def invite(
    control: Control,
    name: NameArgument,
    *,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="administrator, operator, trainer or viewer.")
    ] = "viewer",
    output_format: FormatOption = "text",
) -> None:
    """Invite a person, and print the link in which they choose a password; it works once. A newer
    link for the same person replaces it.
    """
    made = control.invite_person(name, role)
    print_result(made, [made["link"]], output_format)


@app.command("list")
@with_control
def list_people(control: Control, *, output_format: FormatOption = "text") -> None:
    """List everybody who may sign in: name, role, since when; and who was invited, until when."""
    people, invited = control.people(), control.invitations()
    rows = [(each["name"], each["role"], each["created_at"]) for each in people]
    rows += [
        (each["name"] or "(any name)", each["role"], f"invited until {each['until']}")
        for each in invited
    ]
    document = {"people": people, "invitations": invited}
    print_result(document, aligned(rows) or ["no one may sign in yet"], output_format)
    _note_no_administrator(people)


def _note_no_administrator(people: Sequence[Mapping[str, Any]]) -> None:
    if not any(each["role"] == "administrator" for each in people):
        typer.echo(f"sandgate: note: {NO_ADMINISTRATOR}", err=True)


@app.command("remove")
@with_control
def remove_person(control: Control, name: NameArgument) -> None:
    """Remove a person, signed out everywhere, or withdraw the invitation of one."""
    control.remove_person(name)
    typer.echo(f"{name} may not sign in any more")

"""The application: a list of commands, each imported when it is called."""

import importlib
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer
from typer.main import get_command

from simulator.commands.surface.help import CONTEXT, SandgateCommand, SandgateGroup
from simulator.commands.surface.output import FormatOption, print_result
from simulator.grammar.version import __version__


class CommandRow(NamedTuple):
    """One command: where its function or group is, and what it does.

    `settings` are those of typer's contexts; `forms` the values of its old `--format` and the
    options that take them now. `members` are commands of a group that stand in other packages.
    """

    name: str
    module: str
    help: str
    member: str = "main"
    settings: Mapping[str, Any] = {}
    forms: Mapping[str, str] = {}
    is_hidden: bool = False
    members: tuple[Any, ...] = ()


def application_of(sections: Mapping[str, Iterable[CommandRow]], help: str) -> SandgateGroup:
    """The application whose commands the rows describe, under a heading for each section."""
    app = typer.Typer(
        cls=SandgateGroup,
        help=help,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        context_settings=CONTEXT,
    )
    app.callback()(_root)
    for section, members in sections.items():
        for row in members:
            listed = app.command(
                row.name, help=row.help, rich_help_panel=section, hidden=row.is_hidden
            )
            listed(_listed)
    application: Any = get_command(app)
    application.loaders = {
        row.name: partial(load_command, row) for members in sections.values() for row in members
    }
    return application  # type: ignore[no-any-return]


def load_command(row: CommandRow) -> SandgateCommand | SandgateGroup:
    """The command of a row, with the help and the old spellings of all commands."""
    found = getattr(importlib.import_module(row.module), row.member)
    parent = typer.Typer(rich_markup_mode=None, add_completion=False)
    parent.callback()(_listed)
    if isinstance(found, typer.Typer):
        for member in found.registered_commands:
            member.cls = SandgateCommand
        parent.add_typer(found, name=row.name, cls=SandgateGroup, help=row.help)
    else:
        settings = dict(row.settings)
        parent.command(row.name, cls=SandgateCommand, context_settings=settings)(found)
    loaded: Any = get_command(parent)
    command: SandgateCommand | SandgateGroup = loaded.commands[row.name]
    if isinstance(command, SandgateCommand):
        command.forms = dict(row.forms)
    else:
        _list_members(command, row.members)
    return command


def _list_members(group: SandgateGroup, rows: Iterable[CommandRow]) -> None:
    """List commands of other packages in a group; one is imported when it is called."""
    for row in rows:
        group.add_command(
            SandgateCommand(row.name, help=row.help, callback=_listed, rich_markup_mode=None)
        )
    group.loaders = {row.name: partial(load_command, row) for row in rows}


def version(output_format: FormatOption = "text") -> None:
    """Print the version."""
    print_result({"version": __version__}, [f"sandgate {__version__}"], output_format)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        version()
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """What stands before a command."""


def _listed() -> None:
    """Stands in the list of commands; the command that is called is another."""

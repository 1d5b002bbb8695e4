"""`sandgate behaviours`: list, show and check behaviours, and print the page of magic values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
import yaml
from rich.console import Console
from rich.table import Table

from scenarios.errors import BehaviourError, ScriptError
from scenarios.loader import SHIPPED, load_behaviour, load_behaviours
from scenarios.records import document_of
from simulator.commands.surface.output import FormatOption, print_json
from simulator.domain.masking.masking import mask_explanation
from simulator.domain.steering.known import KNOWN
from simulator.domain.steering.magic_values import in_words, magic_values_markdown
from simulator.domain.steering.order import ORDER
from simulator.domain.steering.scripts import behaviour_named

COLUMNS = ("name", "title", "acquirer")
# The status with which typer ends an invalid call.
USAGE_ERROR = 2

app = typer.Typer(no_args_is_help=True)


def complete_behaviours(incomplete: str) -> list[str]:
    """The names of shipped behaviours that begin so."""
    names = sorted(path.stem for path in SHIPPED.glob("*.yaml"))
    return [name for name in names if name.startswith(incomplete)]


@app.command("list")
def list_behaviours(output_format: FormatOption = "text") -> None:
    """List the shipped behaviours, and the order in which a payment's outcome is decided."""
    rows = [(name, row.title, in_words(row)) for name, row in load_behaviours().items()]
    if output_format == "json":
        print_json(
            {
                "behaviours": [dict(zip(COLUMNS, row, strict=True)) for row in rows],
                "order": [{"name": level.name, "means": level.means} for level in ORDER],
            }
        )
        return
    _show_table(COLUMNS, rows)
    typer.echo("\nDecided by the first of these that applies:")
    for number, level in enumerate(ORDER, 1):
        typer.echo(f"{number}. {level.name}: {level.means}")


@app.command("show")
def show_behaviour(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The name of a behaviour.", autocompletion=complete_behaviours
        ),
    ],
    output_format: FormatOption = "text",
) -> None:
    """Print one behaviour as a script arms it."""
    try:
        behaviour = behaviour_named(name, load_behaviours())
    except ScriptError as error:
        _fail(str(error), USAGE_ERROR)
    if output_format == "json":
        print_json(document_of(behaviour))
        return
    typer.echo(
        yaml.safe_dump(document_of(behaviour), sort_keys=False, allow_unicode=True), nl=False
    )


@app.command("check")
def check_behaviours(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Files or folders; else the shipped ones."),
    ] = None,
) -> None:
    """Check behaviour files and print every error.

    Exit status 1: a file is invalid; 2: a path has no behaviour file.
    """
    files = _files(paths or [SHIPPED])
    errors = [error for path in files if (error := _error_in(path)) is not None]
    if errors:
        typer.echo("\n".join(errors), err=True)
        raise typer.Exit(1)
    typer.echo("1 behaviour is valid" if len(files) == 1 else f"{len(files)} behaviours are valid")


@app.command("magic-values")
def print_magic_values(
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the page to this file.")
    ] = None,
) -> None:
    """Print the page of magic values, or write it to a file."""
    page = magic_values_markdown(load_behaviours())
    if write is None:
        typer.echo(page, nl=False)
    else:
        _write(write, page)


def _files(paths: list[Path]) -> list[Path]:
    """The files that are meant; ends the command where a path leads to none."""
    for path in paths:
        if not path.exists():
            _fail(
                f"{path}: expected a behaviour file or a folder of them, got nothing", USAGE_ERROR
            )
        if path.is_dir() and not any(path.glob("*.yaml")):
            _fail(f"{path}: expected at least one .yaml file, got none", USAGE_ERROR)
    return [
        file
        for path in paths
        for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])
    ]


def _error_in(path: Path) -> str | None:
    try:
        load_behaviour(path, known=KNOWN)
    except BehaviourError as error:
        return mask_explanation(str(error))
    return None


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        _fail(f"{path}: expected a file to write, got: {error.strerror}")


def _show_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    console = Console()
    if not console.is_terminal:
        typer.echo("\n".join("\t".join(row) for row in rows))
        return
    table = Table(*head)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _fail(message: str, status: int = 1) -> NoReturn:
    typer.echo(f"sandgate: {mask_explanation(message)}", err=True)
    raise typer.Exit(status)

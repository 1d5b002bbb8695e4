"""`sandgate throttles`: the throttle tables, those shipped and those in files."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.throttles import THROTTLES
from simulator.commands.surface.output import FormatOption, aligned, print_result
from simulator.domain.core.errors import InvalidInputError
from simulator.grammar.throttles import ThrottleTable
from simulator.settings import SettingsError

app = typer.Typer(no_args_is_help=True)
COLUMNS = ("operation", "scope", "limit", "window_s")


@app.command("list")
def list_tables(output_format: FormatOption = "text") -> None:
    """List the shipped tables with their limits."""
    tables = list(THROTTLES.values())
    lines = (line for table in tables for line in _lines_of(table))
    print_result([asdict(each) for each in tables], lines, output_format)


@app.command("show")
def show_table(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="A shipped table, or a TOML or JSON file.",
            autocompletion=lambda: list(THROTTLES),
        ),
    ],
    output_format: FormatOption = "text",
) -> None:
    """Check one table and print its limits."""
    try:
        found = table_named(table)
    except InvalidInputError as error:
        raise SettingsError(str(error)) from error
    print_result(asdict(found), _lines_of(found), output_format)


def _lines_of(table: ThrottleTable) -> Iterator[str]:
    yield f"{table.name}:" if table.limits else f"{table.name}: no limit"
    if table.limits:
        rows: list[tuple[Any, ...]] = [
            (row.operation, row.scope, f"{row.limit:,}", f"{row.window_s:,}")
            for row in table.limits
        ]
        yield from aligned([COLUMNS, *rows])

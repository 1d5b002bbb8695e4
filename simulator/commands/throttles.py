"""`sandgate throttles`: the throttle tables, those shipped and those in files."""

import typer
from rich.console import Console
from rich.table import Table

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.throttles import THROTTLES
from simulator.domain.core.errors import InvalidInputError
from simulator.grammar.throttles import ThrottleTable
from simulator.settings import SettingsError

app = typer.Typer(
    name="throttles", help="How many requests an operation takes.", no_args_is_help=True
)


@app.command("list")
def list_tables() -> None:
    """List the shipped tables with their limits."""
    for table in THROTTLES.values():
        _print(table)


@app.command("show")
def show_table(table: str) -> None:
    """Check one table, a shipped one or a TOML or JSON file, and print its limits."""
    try:
        found = table_named(table)
    except InvalidInputError as error:
        raise SettingsError(str(error)) from error
    _print(found)


def _print(table: ThrottleTable) -> None:
    typer.echo(f"{table.name}: " + ("" if table.limits else "no limit"))
    if not table.limits:
        return
    grid = Table("operation", "scope", "limit", "window_s", box=None)
    for row in table.limits:
        grid.add_row(row.operation, row.scope, f"{row.limit:,}", f"{row.window_s:,}")
    Console().print(grid)

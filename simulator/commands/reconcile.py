"""`sandgate reconcile ledger`: the ledgers of gateway and card host compared.

`sandgate books` is its old name.
"""

from collections.abc import Mapping
from functools import wraps
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from simulator.commands.asking import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    sandbox_in,
)

DIFFER = 3
NOTHING = "No payment with testMode=EXTERNAL has moved money yet."
HOW = "sandgate trace {payment} shows every message about it."


app = typer.Typer(help="Compare ledgers.", no_args_is_help=True)
OLD_NAME = "sandgate books is deprecated and goes with the next release: sandgate reconcile ledger"


@app.callback()
def group() -> None:
    """Compare ledgers."""


@app.command()
def ledger(
    *,
    sandbox: SandboxOption = None,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Compare the ledgers of gateway and card host; status 3 where they differ."""
    with asking(control_url, control_key, ca_file) as control:
        books = control.books(sandbox_in(control, sandbox))
    if books["lines"]:
        _print(books["lines"], "type", "currency", "count", "gateway", "host")
    else:
        typer.echo(NOTHING)
    if books["under_way"]:
        typer.echo(f"In flight, and in neither ledger yet: {', '.join(books['under_way'])}")
    if books["agree"]:
        typer.echo("The ledgers agree.")
        return
    typer.echo("The ledgers differ:")
    for each in books["differences"]:
        typer.echo(
            f"  {each['payment']}  {each['type']} {each['card']}\n"
            f"    gateway {each['gateway']} {each['currency']}, host {each['host']}: {each['why']}"
        )
    typer.echo(HOW.format(payment=books["differences"][0]["payment"]))
    raise typer.Exit(DIFFER)


@wraps(ledger)
def main(**options: Any) -> None:
    """The command under its old name."""
    typer.echo(f"note: {OLD_NAME}", err=True)
    ledger(**options)


def _print(rows: list[Mapping[str, Any]], *names: str) -> None:
    grid = Table(*names, box=None)
    for row in rows:
        grid.add_row(*(str(row[name]) for name in names))
    Console().print(grid)

"""`sandgate books`: the books of gateway and card host, closed against each other."""

from collections.abc import Mapping
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
NOTHING = "No payment of the test mode EXTERNAL moved anything yet."
HOW = "sandgate trace {payment} shows what was said about it."


def main(
    *,
    sandbox: SandboxOption = None,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Compare what gateway and card host say was moved; status 3 where they differ."""
    with asking(control_url, control_key, ca_file) as control:
        books = control.books(sandbox_in(control, sandbox))
    if books["lines"]:
        _print(books["lines"], "type", "currency", "count", "gateway", "host")
    else:
        typer.echo(NOTHING)
    if books["under_way"]:
        typer.echo(f"Under way, and in no book yet: {', '.join(books['under_way'])}")
    if books["agree"]:
        typer.echo("The books agree.")
        return
    typer.echo("The books differ:")
    for each in books["differences"]:
        typer.echo(
            f"  {each['payment']}  {each['type']} {each['card']}\n"
            f"    gateway {each['gateway']} {each['currency']}, host {each['host']}: {each['why']}"
        )
    typer.echo(HOW.format(payment=books["differences"][0]["payment"]))
    raise typer.Exit(DIFFER)


def _print(rows: list[Mapping[str, Any]], *names: str) -> None:
    grid = Table(*names, box=None)
    for row in rows:
        grid.add_row(*(str(row[name]) for name in names))
    Console().print(grid)

"""`sandgate reconcile ledger`: the ledgers of gateway and card host compared.

`sandgate books` is its old name. `sandgate reconcile key`: the answer key of a settlement run.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import wraps
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_sandbox
from simulator.commands.control.files import PrintedFile
from simulator.commands.surface.output import FormatOption, aligned, print_result
from simulator.domain.core.hosts import TEST
from simulator.domain.settlement.numbers import host_of

DIFFER = 3
NOTHING = "No payment with testMode=EXTERNAL has moved money yet."
HOW = "sandgate trace {payment} shows every message about it."


app = typer.Typer(no_args_is_help=True)
OLD_NAME = "sandgate books is deprecated and goes with the next release: sandgate reconcile ledger"
COLUMNS = ("type", "currency", "count", "gateway", "host")


@app.callback()
def group() -> None:
    """Compare ledgers; measure a merchant's own reconciliation."""


@app.command()
@with_sandbox
def ledger(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """Compare the ledgers of gateway and card host; status 3 where they differ."""
    report = control.books(sandbox)
    print_result(report, _lines_of(report), output_format)
    if not report["agree"]:
        raise typer.Exit(DIFFER)


@app.command()
@with_sandbox
def key(
    control: Control,
    sandbox: str,
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run; sandgate settle show lists them.")
    ],
    *,
    account: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="A merchant account, where the run has several of the test host."
        ),
    ] = None,
) -> None:
    """Print the answer key of a settlement run, one JSON object a line."""
    accounts = [each["merchant_account"] for each in control.settlement(sandbox, run)["accounts"]]
    if not accounts:
        raise typer.BadParameter("expected a run with lines; this one settled nothing")
    meant = [each for each in accounts if host_of(each) == TEST] or accounts
    if account is None and len(meant) > 1:
        raise typer.BadParameter(f"expected --account, one of {', '.join(accounts)}; got none")
    with closing(PrintedFile()) as printed:
        control.save_settlement_key(sandbox, run, account or meant[0], printed)


@wraps(ledger)
def main(**options: Any) -> None:
    """Run the command under its old name."""
    typer.echo(f"note: {OLD_NAME}", err=True)
    ledger(**options)


def _lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    yield from _table(report["lines"]) if report["lines"] else [NOTHING]
    if report["under_way"]:
        yield f"In flight, and in neither ledger yet: {', '.join(report['under_way'])}"
    if report["agree"]:
        yield "The ledgers agree."
        return
    yield "The ledgers differ:"
    for each in report["differences"]:
        yield f"  {each['payment']}  {each['type']} {each['card']}"
        yield (
            f"    gateway {each['gateway']} {each['currency']}, host {each['host']}: {each['why']}"
        )
    yield HOW.format(payment=report["differences"][0]["payment"])


def _table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return aligned([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)])

"""`sandgate member PATH`: one value of a JSON document, for shells without a JSON reader."""

import json
import sys
from typing import Annotated

import typer

from simulator.client import Answer
from simulator.client.shown.known_secrets import showing_credentials

NOT_FOUND, INVALID = 1, 2


def main(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="Such as id, result.code or cart.items[0].name.")
    ],
) -> None:
    """Print one member of the JSON document on standard input; status 1 where it has none."""
    try:
        document = json.loads(sys.stdin.read())
    except (ValueError, RecursionError) as error:
        typer.echo(f"sandgate: standard input: expected JSON, got: {error}", err=True)
        raise typer.Exit(INVALID) from error
    found = Answer(0, {}, document).at(path)
    if found is None:
        typer.echo(f"sandgate: {path}: expected a member of the document, got none", err=True)
        raise typer.Exit(NOT_FOUND)
    with showing_credentials():
        typer.echo(found if isinstance(found, str) else json.dumps(found, ensure_ascii=False))

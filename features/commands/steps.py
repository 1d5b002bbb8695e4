"""`sandgate steps`: what a feature can be written in."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from features.commands.ending import demand_libraries, fail_usage


def main(
    search: Annotated[
        list[str] | None, typer.Argument(metavar="SEARCH", help="Words the step has in it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON array.")] = False,
) -> None:
    """List the steps that a feature can be written in, with an example of each."""
    demand_libraries()
    from features.gherkin.step_catalogue import catalogue
    from features.plugin import pytest_plugins

    words = search or []
    found = catalogue(pytest_plugins, words)
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False))
    for each in () if as_json else found:
        typer.echo(f"{each.keyword.capitalize()} {each.wording}")
        typer.echo(f"    {each.example}  ({each.module})")
    if not found:
        fail_usage(f"no step has {' '.join(words)!r} in it; `sandgate steps` lists all of them")

"""`sandgate steps`: the steps that a feature may use."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import typer

from features.commands.ending import demand_libraries, fail_usage

if TYPE_CHECKING:
    from features.gherkin.step_catalogue import StepWording


def main(
    search: Annotated[
        list[str] | None,
        typer.Argument(metavar="SEARCH", help="List only steps with these words, such as refund."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List the steps that a feature may use by noun, with an example of each."""
    demand_libraries()
    from features.gherkin.step_catalogue import catalogue
    from features.plugin import pytest_plugins

    words = search or []
    found = catalogue(pytest_plugins, words)
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False))
    else:
        typer.echo("\n".join(_lines(found)))
    if not found:
        fail_usage(f"no step contains {' '.join(words)!r}; `sandgate steps` lists all steps")


def _lines(found: "Iterable[StepWording]") -> Iterator[str]:
    """A heading for each noun, and below it its steps with an example each."""
    for noun, steps in groupby(found, key=attrgetter("noun")):
        yield f"{noun[:1].upper()}{noun[1:]}"
        for each in steps:
            yield f"  {each.keyword.capitalize()} {each.wording}"
            if each.example != each.wording:
                yield f"      {each.example}"
        yield ""

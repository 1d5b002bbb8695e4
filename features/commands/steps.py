"""`sandgate steps`: the steps that a feature may use."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import typer

from features.commands.ending import fail_usage
from reports.commands.extras import demand_extra
from reports.commands.output import FormatOption, print_json

if TYPE_CHECKING:
    from features.gherkin.step_catalogue import StepWording


def main(
    search: Annotated[
        list[str] | None,
        typer.Argument(metavar="SEARCH", help="List only steps with these words, such as refund."),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """List the steps that a feature may use by noun, with an example of each."""
    demand_extra("check")
    from features.gherkin.step_catalogue import catalogue
    from features.plugin import STEP_MODULES

    words = search or []
    found = catalogue(STEP_MODULES, words)
    if output_format == "json":
        print_json([asdict(each) for each in found])
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

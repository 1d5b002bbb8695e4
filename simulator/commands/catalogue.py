"""`sandgate catalogue`, `reference`, `openapi`, `decisions`, `states`: what is derived from rows.

Each imports what it prints when it is called.
"""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from simulator.commands.surface.output import FormatOption, print_json
from simulator.settings import SettingsError

ProfileOption = Annotated[
    str, typer.Option(metavar="NAME", help="Profile: specification or field.")
]


def catalogue(output_format: FormatOption = "text") -> None:
    """Print every parameter and field of the specification."""
    from simulator.derive.documents.export import catalogue_as_json

    rows = catalogue_as_json()
    if output_format == "text":
        for row in rows:
            typer.echo(f"{row['name']}  {row['format']}  {row['need']}")
        return
    # One line a field, so that `grep` and `diff` are of use.
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    typer.echo(f"[\n{lines}\n]")


def reference() -> None:
    """Print every parameter and field as Markdown, as in docs/reference/parameters.md."""
    from simulator.derive.documents.reference import reference_markdown

    typer.echo(reference_markdown(), nl=False)


def openapi(profile: ProfileOption = "specification") -> None:
    """Print the OpenAPI document of the merchant API, as JSON."""
    from simulator.derive.openapi.merchant import openapi_document

    typer.echo(json.dumps(openapi_document(choices_of(profile)), indent=2, ensure_ascii=False))


def decisions(
    records: Annotated[
        bool, typer.Option("--records", help="Print docs/adr/README.md instead.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """Print every decision as Markdown, as in DECISIONS.md."""
    from simulator.catalogue.decisions import AREAS
    from simulator.catalogue.engineering import RECORDS
    from simulator.derive.documents.decisions import decisions_markdown, records_markdown

    if output_format == "json":
        print_json([asdict(each) for each in (RECORDS if records else AREAS)])
    else:
        typer.echo(records_markdown() if records else decisions_markdown(), nl=False)


def states(output_format: FormatOption = "text") -> None:
    """Print the states of a payment as a Mermaid diagram."""
    from simulator.domain.payments.diagram import states_diagram
    from simulator.domain.payments.transitions import TRANSITIONS

    if output_format == "json":
        print_json({state: dict(following) for state, following in TRANSITIONS.items()})
    else:
        typer.echo(states_diagram(), nl=False)


def choices_of(profile: str) -> Any:
    """The values that a profile gives to every switch. Raises SettingsError."""
    from simulator.catalogue.choices import CHOICES
    from simulator.grammar.choices import UnknownChoiceError, choose

    try:
        return choose(CHOICES, profile)
    except UnknownChoiceError as error:
        raise SettingsError(str(error)) from error

"""What a command prints: text for people, or JSON for programs."""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer

from simulator.grammar.characters import escape_controls

OutputFormat = Literal["text", "json"]
FormatOption = Annotated[
    OutputFormat, typer.Option("--format", help="Print text, or JSON for programs.")
]


def print_result(document: Any, lines: Iterable[str], output_format: OutputFormat) -> None:
    """Print a document as JSON, or the lines that say the same to people."""
    if output_format == "json":
        print_json(document)
        return
    for line in lines:
        # A tab separates the columns of a list.
        typer.echo("\t".join(map(escape_controls, line.split("\t"))))


def print_json(document: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def aligned(rows: Iterable[Iterable[object]]) -> list[str]:
    """Rows as lines whose columns stand below each other."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]

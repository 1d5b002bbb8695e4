"""What a command prints: text for people, or JSON for programs."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Annotated, Any, Literal

import typer

OutputFormat = Literal["text", "json"]
FormatOption = Annotated[
    OutputFormat, typer.Option("--format", help="Print text, or JSON for programs.")
]


def print_json(document: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=1))


@contextmanager
def text_on_stderr(output_format: OutputFormat) -> Iterator[None]:
    """Print text on standard error where standard output is to have a JSON document alone."""
    if output_format == "text":
        yield
        return
    with redirect_stdout(sys.stderr):
        yield

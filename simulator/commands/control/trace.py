"""`sandgate trace`: every message about a payment, as text or as a diagram."""

import re
import sys
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated, TypeVar

import typer

from simulator.client import Control
from simulator.commands.control.connection import fail, unless_unknown, with_sandbox
from simulator.commands.control.files import whole_file
from simulator.commands.surface.output import FormatOption, print_json, print_result

Found = TypeVar("Found")
WAY = re.compile(r".{23}  \S.*? -> .+?  +(?=\S)")
LEAST_COLUMNS = 16


@with_sandbox
def main(
    control: Control,
    sandbox: str,
    payment: Annotated[
        str,
        typer.Argument(
            metavar="PAYMENT", help="The id of a payment, a checkout or a refused request."
        ),
    ],
    *,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a sequence diagram to this file instead."),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Print every message about a payment and what refers to it, in order: what browser, merchant,
    gateway and the simulators sent each other.
    """
    if output_format == "json" and svg is None:
        document = unless_unknown(control, lambda: control.trace_document(sandbox, payment))
        print_json(_known(document, sandbox, payment))
        return
    text = unless_unknown(control, lambda: control.trace(sandbox, payment, svg=svg is not None))
    found = _known(text, sandbox, payment)
    if svg is None:
        width = get_terminal_size().columns
        for line in found.splitlines():
            typer.echo(broken(line, width) if sys.stdout.isatty() else line)
        return
    with whole_file(svg) as draft:
        draft.write(found.encode())
    print_result({"written": str(svg)}, [f"written: {svg}"], output_format)


def _known(found: Found | None, sandbox: str, identity: str) -> Found:
    if found is None:
        got = identity or "nothing"
        fail(f"expected the id of a payment or checkout of sandbox {sandbox}, got {got}")
    return found


def broken(line: str, width: int) -> str:
    """A line of a trace, broken between words below the column it began in, to fit a terminal."""
    way = WAY.match(line)
    indent = way.end() if way else len(line) - len(line.lstrip())
    room = max(width, indent + LEAST_COLUMNS)
    return "\n".join(wrap(line, room, subsequent_indent=" " * indent, break_on_hyphens=False))

"""`sandgate trace`: every message about a payment, as text or as a diagram."""

from pathlib import Path
from typing import Annotated

import typer

from simulator.commands.asking import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    fail,
    sandbox_in,
    unless_unknown,
)


def main(
    payment: Annotated[str, typer.Argument(help="The id of a payment, or of a refused request.")],
    svg: Annotated[
        Path | None, typer.Option(help="Write a sequence diagram to this file instead.")
    ] = None,
    *,
    sandbox: SandboxOption = None,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Print every message about a payment and what refers to it, in order."""
    with asking(control_url, control_key, ca_file) as control:
        place = sandbox_in(control, sandbox)
        found = unless_unknown(lambda: control.trace(place, payment, svg=svg is not None))
    if found is None:
        fail(f"expected the id of a payment of sandbox {place}, got {payment}")
    if svg is None:
        typer.echo(found, nl=False)
        return
    try:
        svg.write_text(found, encoding="utf-8")
    except OSError as error:
        fail(f"--svg: expected a file that can be written, got {svg}: {error.strerror}")
    typer.echo(f"{svg} written")

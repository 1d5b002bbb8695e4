"""Options of commands that have a target."""

from typing import Annotated

import typer

MembersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--member",
        metavar="URL",
        help="Another member of the fleet; each request goes to a random one. May be repeated.",
    ),
]

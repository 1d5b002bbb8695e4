"""`sandgate capability`: what lets a payment form post once to a checkout."""

from typing import Annotated

import typer

from simulator.client import Control
from simulator.commands.control.connection import with_sandbox
from simulator.commands.surface.output import FormatOption, print_result


@with_sandbox
def main(
    control: Control,
    sandbox: str,
    checkout: Annotated[str, typer.Argument(metavar="CHECKOUT", help="The id of a checkout.")],
    *,
    output_format: FormatOption = "text",
) -> None:
    """Issue a capability: the form sends it as `Authorization: Checkout CAPABILITY`, once."""
    issued = control.issue_capability(sandbox, checkout)
    print_result({"capability": issued}, [issued], output_format)

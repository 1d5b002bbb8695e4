"""How a command of the suite ends when it cannot start."""

from typing import NoReturn

import typer

from features.conformance.progress import print_error

USAGE_ERROR = 2


def fail_usage(message: str) -> NoReturn:
    """Print a message and end the command with the status of an invalid call."""
    print_error(message)
    raise typer.Exit(USAGE_ERROR)

"""How a command of the suite ends when it cannot start."""

from importlib.util import find_spec
from typing import NoReturn

import typer

from features.conformance.progress import print_error

USAGE_ERROR = 2
NEEDED = ("pytest", "pytest_bdd", "xdist", "pytest_timeout")
ADVICE = "pip install 'sandgate[check]'"


def demand_libraries() -> None:
    """End the command where a library it needs is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        fail_usage(f"expected {', '.join(missing)} to be installed; {ADVICE}")


def fail_usage(message: str) -> NoReturn:
    """Print a message and end the command with the status of an invalid call."""
    print_error(message)
    raise typer.Exit(USAGE_ERROR)

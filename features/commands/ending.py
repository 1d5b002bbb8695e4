"""How a command of the suite ends where it cannot begin."""

from importlib.util import find_spec
from typing import NoReturn

import typer

from features.conformance.progress import print_error

WRONG_CALL = 2
NEEDED = ("pytest", "pytest_bdd", "xdist", "pytest_timeout")
ADVICE = "pip install 'sandgate[check]'"


def demand_libraries() -> None:
    """End the command where the judge is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        fail_usage(f"expected {', '.join(missing)} to be installed; {ADVICE}")


def fail_usage(message: str) -> NoReturn:
    """End the command with this message, as one that was called wrongly."""
    print_error(message)
    raise typer.Exit(WRONG_CALL)

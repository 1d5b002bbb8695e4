"""Libraries that some forms of a receipt need and that are not always installed."""

from importlib import import_module
from typing import Any

from simulator.client.extras import missing_message

EXTRA = "pos"


class MissingExtraError(RuntimeError):
    """A library is not installed; the message says how to install it."""


def imported(name: str) -> Any:
    """Return a module of a library of the extra `pos`. Raises MissingExtraError."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtraError(missing_message(str(error.name), EXTRA)) from None

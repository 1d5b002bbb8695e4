"""Commands that ask a running gateway: where it is, and how a refusal ends them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Annotated, NoReturn, TypeVar

import typer

from simulator.client import Control, ControlError
from simulator.settings import SettingsError

Answer = TypeVar("Answer")

# Longer than the longest wait for something new.
TIMEOUT_S = 75.0

SandboxOption = Annotated[
    str | None,
    typer.Option(envvar="SANDGATE_SANDBOX_ID", help="Its id; without it the oldest sandbox."),
]
UrlOption = Annotated[
    str, typer.Option(envvar="SANDGATE_CONTROL_URL", help="Where the control API is.")
]
KeyOption = Annotated[str, typer.Option(envvar="SANDGATE_CONTROL_KEY", help="Its key.")]
CaOption = Annotated[
    str | None, typer.Option(envvar="SANDGATE_CA_FILE", help="Who signed its certificate.")
]


@contextmanager
def asking(url: str, key: str, ca_file: str | None) -> Iterator[Control]:
    """The control API; what it refuses, or that it is not there, ends the command with a line.

    Raises SettingsError where nothing says where it is.
    """
    if not (url and key):
        raise SettingsError(
            "expected SANDGATE_CONTROL_URL and SANDGATE_CONTROL_KEY, or --control-url and "
            "--control-key, as `sandgate serve` prints them; got nothing"
        )
    control = Control(url, key, timeout_s=TIMEOUT_S, ca_file=ca_file)
    try:
        yield control
    except ControlError as error:
        fail(str(error))
    except (OSError, HTTPException) as error:
        fail(f"expected a gateway at {url}, got: {error}")
    finally:
        control.close()


def sandbox_in(control: Control, named: str | None) -> str:
    """The id of the sandbox that is meant: the one that was named, or the oldest."""
    return named or str(control.sandboxes()[0]["id"])


def unless_unknown(call: Callable[[], Answer]) -> Answer | None:
    """What the control API answers, or None where it knows no such thing."""
    try:
        return call()
    except ControlError as error:
        if error.status == 404:
            return None
        raise


def fail(message: str) -> NoReturn:
    """End the command with this message and status 1."""
    typer.echo(f"sandgate: {message}", err=True)
    raise typer.Exit(1)

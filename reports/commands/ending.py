"""How a command over a stream ends after a usage error."""

from pathlib import Path
from typing import NoReturn

import typer

from reports.events import StreamFormatError
from reports.run import RecordedRun, read_run
from reports.words import readable

# The status with which typer ends a usage error.
USAGE_ERROR = 2


def read_run_or_fail(stream: Path) -> RecordedRun:
    """The run of a stream file; ends the command where it is none."""
    try:
        return read_run(stream)
    except (StreamFormatError, OSError) as error:
        fail_usage(f"{stream}: {said_of(error)}")


def fail_usage(message: str) -> NoReturn:
    """Print a message and end with status 2."""
    typer.echo(f"sandgate: {readable(message)}", err=True)
    raise typer.Exit(USAGE_ERROR)


def said_of(error: StreamFormatError | OSError) -> str:
    """What was expected and what came."""
    if isinstance(error, OSError):
        return f"expected a stream of `sandgate check`, got: {error.strerror}"
    return str(error)

"""A gateway in a process of its own, for as long as a command needs it."""

import json
import select
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

START_S_MAX = 30.0
STOP_S_MAX = 20.0
PACKAGES = Path(__file__).parents[2]
# The folder we are called from may hold a `simulator` of its own: it is not looked at (-P).
# Ours is found where it is installed, or else where this file lies.
PROGRAM = (
    f"import sys; sys.path.append({str(PACKAGES)!r}); from simulator.__main__ import main; main()"
)


class GatewayNotStartedError(Exception):
    """The gateway did not start; it has said why on standard error."""


@contextmanager
def gateway(arguments: Iterable[str]) -> Iterator[dict[str, str]]:
    """The facts of a gateway that serves until the end of the block. Raises NotStarted.

    It lies in a session of its own, so that Ctrl-C does not reach it before the command has ended,
    and stops by itself should this process be killed.
    """
    served = [sys.executable, "-P", "-c", PROGRAM, "serve", *arguments]
    process = subprocess.Popen(
        [*served, "--ready-json", "--stop-at-eof"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    with process:
        try:
            yield _facts_of(process)
            _complain_if_it_ended(process)
        finally:
            _stop(process)


def _facts_of(process: subprocess.Popen[bytes]) -> dict[str, str]:
    assert process.stdout is not None
    answered, _, _ = select.select([process.stdout], [], [], START_S_MAX)
    line = process.stdout.readline() if answered else b""
    if not line:
        raise GatewayNotStartedError("the gateway did not start")
    ready: dict[str, str] = json.loads(line)
    return ready


def _complain_if_it_ended(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        print(
            f"sandgate: the gateway ended with status {process.returncode} before the command did",
            file=sys.stderr,
        )


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()

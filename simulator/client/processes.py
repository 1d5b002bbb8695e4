"""Server processes: a gateway, or any program that prints one JSON line when it is ready."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

START_S_MAX = 30.0
STOP_S_MAX = 20.0
LINES_SHOWN = 5
PACKAGES = str(Path(__file__).parents[2])


class ServerStartError(RuntimeError):
    """The server did not print its ready line; the message says how it ended instead."""


@dataclass(frozen=True)
class ServerProcess:
    """A server that is ready, and the facts it printed about itself."""

    process: subprocess.Popen[bytes]
    facts: Mapping[str, Any]

    @property
    def base_url(self) -> str:
        """The address it listens on."""
        return str(self.facts["base_url"])

    def kill(self) -> None:
        """End it without a chance to clean up, and return when it has ended."""
        self.process.kill()
        self.process.wait()


@contextmanager
def running_gateway(
    *options: str,
    environment: Mapping[str, str] | None = None,
    stderr: IO[bytes] | None = None,
    core: int | None = None,
    kill: bool = False,
) -> Iterator[ServerProcess]:
    """A gateway that serves until the end of the block. Raises ServerStartError.

    It stops by itself should this process be killed. The parameters are those of `running_server`.
    """
    command = [*gateway_command(*options), "--stop-at-eof"]
    with running_server(
        command, environment=environment, stderr=stderr, core=core, kill=kill
    ) as server:
        yield server


@contextmanager
def running_server(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    stderr: IO[bytes] | None = None,
    core: int | None = None,
    kill: bool = False,
) -> Iterator[ServerProcess]:
    """A server that runs until the end of the block. Raises ServerStartError.

    Without an `environment` it gets that of this process, but no setting of a gateway. It runs in a
    session of its own, so that Ctrl-C reaches this process alone. `core` is the processor it is
    held to; `kill` ends it without a chance to clean up.
    """
    process = subprocess.Popen(
        command,
        env=without_settings() if environment is None else environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
        preexec_fn=None if core is None else partial(os.sched_setaffinity, 0, {core}),
    )
    with process:
        try:
            yield ServerProcess(process, _read_ready_line(process))
        finally:
            process.kill() if kill else _stop(process)


@contextmanager
def gateway_in(folder: Path, *options: str) -> Iterator[dict[str, Any]]:
    """The facts of a gateway on free ports that keeps `data` and its `stderr` in `folder`.

    Raises ServerStartError, whose message repeats the last lines the gateway wrote.
    """
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ("--port", "0", "--data", str(folder / "data"), *options)
    with (folder / "stderr").open("wb") as stderr, ExitStack() as stack:
        try:
            server = stack.enter_context(running_gateway(*arguments, stderr=stderr))
        except ServerStartError as error:
            raise ServerStartError(f"{error}:\n{stderr_of(folder, lines=LINES_SHOWN)}") from None
        yield dict(server.facts)


def gateway_command(*options: str) -> list[str]:
    """The command that serves and prints a ready line."""
    return [*python("from simulator.__main__ import main; main()"), "serve", "--ready-json",
            *options]  # fmt: skip


def python(program: str) -> list[str]:
    """The command that runs a Python program with the packages of this installation.

    The current folder may hold packages of the same names, so it is not searched (-P).
    """
    found = f"{PACKAGES!r} in sys.path or sys.path.insert(0, {PACKAGES!r})"
    return [sys.executable, "-P", "-c", f"import sys; {found}; {program}"]


def without_settings() -> dict[str, str]:
    """The environment of this process without the settings of a gateway or of a conformance run."""
    return {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}


def stderr_size(folder: Path) -> int:
    """How many bytes the gateway in `folder` has written to its standard error."""
    return (folder / "stderr").stat().st_size


def stderr_of(folder: Path, *, since: int = 0, lines: int = 40) -> str:
    """The last lines of the standard error of the gateway in `folder`, after `since` bytes."""
    text = (folder / "stderr").read_bytes()[since:].decode("utf-8", errors="replace")
    return "\n".join(text.splitlines()[-lines:])


def authority_in(folder: Path) -> str:
    """The certificate authority that the gateway in `folder` made, or an empty text."""
    found = sorted(folder.glob("data/**/ca.pem"))
    return str(found[0]) if found else ""


def _read_ready_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None, "the standard output is a pipe"
    answered, _, _ = select.select([process.stdout], [], [], START_S_MAX)
    line = process.stdout.readline() if answered else b""
    if line:
        return dict(json.loads(line))
    if not answered:
        raise ServerStartError(f"the server was not ready within {START_S_MAX:g} s")
    raise ServerStartError(f"the server ended with status {process.wait()}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()

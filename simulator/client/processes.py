"""A gateway started for the suite: a real process on free ports, with a folder of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START_S_MAX = 30.0
STOP_S_MAX = 10.0
LINES_SHOWN = 5
PACKAGES = str(Path(__file__).parents[2])


class NotStarted(RuntimeError):
    """The server did not say that it is ready; the message repeats what it wrote instead."""


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[dict[str, Any]]:
    """The ready line of a server that runs until the end of the block. Raises NotStarted.

    What it writes goes to `stdout` and `stderr` in `folder`, so that it never waits for a reader.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = [*python("from simulator.__main__ import main; main()"), "serve", "--port", "0"]
    command += ["--data", str(folder / "data"), "--ready-json", *options]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            command, env=without_settings(), stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
    try:
        yield _ready_line(process, folder)
    finally:
        _stop(process)


def python(program: str) -> list[str]:
    """How a program of ours is run, from wherever we are called.

    The folder we are called from may hold a `features` of its own: it is not looked at (-P). Ours
    is the one this file lies in, installed or not.
    """
    found = f"{PACKAGES!r} in sys.path or sys.path.insert(0, {PACKAGES!r})"
    return [sys.executable, "-P", "-c", f"import sys; {found}; {program}"]


def without_settings() -> dict[str, str]:
    """The environment of this process without what would set up a gateway or its judge."""
    return {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}


def size_written(folder: Path) -> int:
    """How many bytes a server has written to its standard error."""
    return (folder / "stderr").stat().st_size


def what_it_wrote(folder: Path, *, since: int = 0, lines: int = 40) -> str:
    """The last lines a server wrote to its standard error after its first `since` bytes."""
    text = (folder / "stderr").read_bytes()[since:].decode("utf-8", errors="replace")
    return "\n".join(text.splitlines()[-lines:])


def _ready_line(process: subprocess.Popen[bytes], folder: Path) -> dict[str, Any]:
    deadline = time.monotonic() + START_S_MAX
    while time.monotonic() < deadline and process.poll() is None:
        first, newline, _ = (folder / "stdout").read_text(encoding="utf-8").partition("\n")
        if newline:
            return dict(json.loads(first))
        time.sleep(0.02)
    ended = process.poll()
    state = f"ended with status {ended}" if ended is not None else f"not ready in {START_S_MAX:g} s"
    raise NotStarted(f"the gateway {state}:\n{what_it_wrote(folder, lines=LINES_SHOWN)}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def authority_in(folder: Path) -> str:
    """The certificate authority a server made in its folder, or nothing."""
    found = sorted(folder.glob("data/**/ca.pem"))
    return str(found[0]) if found else ""

"""A gateway process of its own, for tests that need all of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from simulator.tests.kit.trees import ROOT

STOP_SECONDS_MAX = 20


class Serving(NamedTuple):
    """A gateway that is ready: its process and what it printed about itself."""

    process: subprocess.Popen
    facts: Mapping[str, str]


def command_of(data: Path, *options: str) -> list[str]:
    """The command that serves from the folder `data` on free ports."""
    served = [sys.executable, "-m", "simulator", "serve", "--port", "0", "--data", str(data)]
    return [*served, "--ready-json", *options]


def clean_environment() -> dict[str, str]:
    """This process's environment without any setting of the gateway."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith("SANDGATE_")}
    return {**kept, "PYTHONPATH": str(ROOT)}


@contextmanager
def serving(data: Path, *options: str, log: IO[bytes] | None = None) -> Iterator[Serving]:
    """A gateway in a process of its own, stopped at the end if it has not stopped before; its
    standard error goes to `log`.
    """
    process = subprocess.Popen(
        command_of(data, *options),
        cwd=data.parent, env=clean_environment(), stdout=subprocess.PIPE,
        stderr=log, text=True,
    )  # fmt: skip
    with process:
        try:
            line = process.stdout.readline()
            assert line, f"the gateway ended with status {process.wait()} before it was ready"
            yield Serving(process, json.loads(line))
        finally:
            process.terminate()
            process.wait(STOP_SECONDS_MAX)

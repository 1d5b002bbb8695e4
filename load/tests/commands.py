"""Run `sandgate load` as a process: importing Locust would patch the process of the tests."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from load.gateway.server import ROOT

TIMEOUT_S = 100


class CompletedCommand(NamedTuple):
    """The status and the output of a command."""

    status: int
    output: str
    errors: str


def run_load_command(*options: str, folder: Path) -> CompletedCommand:
    """Run `sandgate load` with these options in a folder, and return its end."""
    process = start_load_command(*options, folder=folder)
    output, errors = process.communicate(timeout=TIMEOUT_S)
    return CompletedCommand(process.returncode, output, errors)


def start_load_command(
    *options: str, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start `sandgate load` with these options in a folder."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}
    return subprocess.Popen(
        [sys.executable, "-m", "simulator", "load", *options],
        cwd=folder, text=True,
        env={**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "160", **(environment or {})},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON document."""
    return dict(json.loads(path.read_text(encoding="utf-8")))

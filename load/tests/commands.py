"""`sandgate load` as a process, as a user starts it: Locust patches, so nothing runs in here."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from load.servers import ROOT

TIMEOUT_S = 100


class Ran(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    output: str
    errors: str


def sandgate_load(*options: str, folder: Path) -> Ran:
    """The end of `sandgate load` with these options, run in a folder."""
    process = start_load(*options, folder=folder)
    output, errors = process.communicate(timeout=TIMEOUT_S)
    return Ran(process.returncode, output, errors)


def start_load(
    *options: str, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """`sandgate load` under way, with more in its environment than there is anyway."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}
    return subprocess.Popen(
        [sys.executable, "-m", "simulator", "load", *options],
        cwd=folder, text=True,
        env={**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "160", **(environment or {})},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def read_json(path: Path) -> dict[str, Any]:
    """A document that a run wrote."""
    return dict(json.loads(path.read_text(encoding="utf-8")))

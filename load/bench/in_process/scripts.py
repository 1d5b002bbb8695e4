"""Run a measuring script of the gateway's own tests, which may import what this package may not."""

import json
import subprocess
import sys
from typing import Any

from load.gateway.server import ROOT


def run_script(module: str, rounds: int, *, stdin: str = "") -> dict[str, Any]:
    """Return the JSON line that a script prints after so many rounds."""
    done = subprocess.run(
        [sys.executable, "-m", module, str(rounds)],
        cwd=ROOT,
        input=stdin,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))

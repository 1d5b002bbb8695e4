"""The check of a request beside jsonschema, both timed inside one process of the gateway's own.

The script is among the gateway's tests: it has to import the check, and this package may not. Its
answer crosses to here as one JSON line.
"""

import json
import subprocess
import sys
from pathlib import Path

from load.bench.order import form
from load.bench.plan import Plan
from load.figure import AT_LEAST, Figure, Goal
from load.servers import ROOT

TIMING = "simulator.tests.measured.check_timing"


def check_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Microseconds of both, and their ratio round by round."""
    done = subprocess.run(
        [sys.executable, "-m", TIMING, str(plan.check_rounds)],
        cwd=ROOT,
        input=form("8" * 32),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    timed = json.loads(done.stdout)
    ours, theirs = timed["check"], timed["jsonschema"]
    ratios = tuple(slow / fast for slow, fast in zip(theirs, ours, strict=True))
    count = timed["parameters"]
    return [
        Figure(f"check of {count} parameters", "microseconds", tuple(ours)),
        Figure(f"jsonschema on {count} parameters", "microseconds", tuple(theirs)),
        Figure("jsonschema against check", "ratio", ratios, Goal(AT_LEAST, must=20, aim=40)),
    ]

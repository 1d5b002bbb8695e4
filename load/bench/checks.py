"""The validation of a request compared with jsonschema, both timed inside one gateway process.

The timing script is one of the gateway's tests, since it has to import the check and this package
may not. It prints its result as one JSON line.
"""

import json
import subprocess
import sys
from pathlib import Path

from load.bench.payment import encode_form
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.server import ROOT

TIMING = "simulator.tests.measured.check_timing"


def check_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the microseconds of both, and their ratio round by round."""
    done = subprocess.run(
        [sys.executable, "-m", TIMING, str(plan.check_rounds)],
        cwd=ROOT,
        input=encode_form("8" * 32),
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

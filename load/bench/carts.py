"""The cost of an item in a large cart, and how long it blocks the gevent hub.

The measuring script is one of the gateway's tests, since it has to look into the process. It prints
its result as one JSON line.
"""

import json
import subprocess
import sys
from pathlib import Path

from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import ROOT

MEASURING = "simulator.tests.measured.hub_slices"


def cart_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure a checkout that is prepared, paid and read: an item of a cart of 1,000 against one of
    10, and the longest time slice of the hub.
    """
    done = subprocess.run(
        [sys.executable, "-m", MEASURING, str(plan.rounds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    measured = json.loads(done.stdout)
    pairs = zip(measured["many_us"], measured["few_us"], strict=True)
    ratios = tuple(many / few for many, few in pairs)
    longest = tuple(measured["slice_ms"])
    return [
        Figure("item of a cart of 1,000", "microseconds", tuple(measured["many_us"])),
        Figure("item of 1,000 against one of 10", "ratio", ratios, Goal(AT_MOST, 1.0, 0.8)),
        Figure("longest slice of the hub, 1,000 items", "ms", longest, Goal(AT_MOST, 30, 15)),
    ]

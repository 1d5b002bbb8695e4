"""The cost of an item in a large cart, and how long it blocks the gevent hub."""

from pathlib import Path

from load.bench.in_process.scripts import run_script
from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal

SCRIPT = "simulator.tests.measured.hub_slices"


def cart_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure a checkout that is prepared, paid and read: an item of a cart of 1,000 against one of
    10, and the longest time slice of the hub.
    """
    measured = run_script(SCRIPT, plan.rounds)
    pairs = zip(measured["many_us"], measured["few_us"], strict=True)
    ratios = tuple(many / few for many, few in pairs)
    longest = tuple(measured["slice_ms"])
    return [
        Figure("item of a cart of 1,000", "microseconds", tuple(measured["many_us"])),
        Figure("item of 1,000 against one of 10", "ratio", ratios, Goal(AT_MOST, 1.0, 0.8)),
        Figure("longest slice of the hub, 1,000 items", "ms", longest, Goal(AT_MOST, 30, 15)),
    ]

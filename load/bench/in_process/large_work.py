"""How long large work blocks the gevent hub, while others wait."""

from pathlib import Path

from load.bench.in_process.scripts import run_script
from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal

SCRIPT = "simulator.tests.measured.large_work"
GOAL = Goal(AT_MOST, must=20, aim=10)


def large_work_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the longest time slice of the hub of each kind of work on 1,000 payments."""
    measured = run_script(SCRIPT, plan.memory_rounds)
    return [
        Figure(f"longest slice of the hub, {name}", "ms", tuple(values), GOAL)
        for name, values in measured.items()
    ]

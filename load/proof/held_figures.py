"""How long one request holds others: with hostile values, and in a sandbox that is full."""

from load.figures.figure import AT_MOST, Figure, Goal
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, run_program

HOSTILE = "simulator.tests.measured.held_loop.hostile"
FULL = "simulator.tests.measured.held_loop.full"
HELD = Goal(AT_MOST, must=50, aim=20)


def held_figures(plan: ProofPlan) -> list[Figure]:
    """Send hostile values in each place of each operation, and read all of a full sandbox; in
    processor time.
    """
    sent = run_program(HOSTILE, plan.hostile_every)
    read = run_program(FULL, plan.full_percent)
    return [
        Figure("held: hostile calls", "count", (sent["calls"],)),
        Figure("held: longest time of a hostile call", "ms", (sent["held_ms"],), HELD),
        Figure("held: hostile calls answered with a fault", "count", (sent["faults"],), NONE),
        Figure("held: reads of a full sandbox", "count", (read["reads"],)),
        Figure("held: longest time of a read", "ms", (read["held_ms"],), HELD),
    ]

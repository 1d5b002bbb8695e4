"""The figures of the console."""

import tempfile
from pathlib import Path

from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.proof.console import (
    console_of,
    measure_class,
    measure_pages,
    measure_screens,
    measure_stage,
    packed_bytes,
)
from load.proof.plan import ProofPlan

MILLISECOND, KILOBYTE = 1e-3, 1000
SCREENS, PARTICIPANTS = 50, 30
SHARE = 0.99


def console_figures(plan: ProofPlan) -> list[Figure]:
    """Measure pages, screens, stage and class, each in a gateway that does nothing else."""
    with (
        tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder,
        console_of(Path(folder)) as (server, person),
    ):
        joins = [measure_class(server, person, PARTICIPANTS) for _ in range(plan.classes)]
        steps, backs = measure_stage(person, plan.steps)
        screens = measure_screens(server, person, screens=SCREENS, seconds=plan.screens_s)
        pages = measure_pages(server, person, plan.listed)
    waits = sorted(screens.waits)
    ratio = screens.rate_beside / screens.rate_alone
    return [
        Figure("console: first page", "kB", (pages.first / KILOBYTE,), Goal(AT_MOST, 60, 40)),
        Figure("console: later page", "kB", (pages.later / KILOBYTE,), Goal(AT_MOST, 15, 10)),
        Figure(
            f"console: page of {plan.listed:,} payments",
            "ms",
            tuple(each / MILLISECOND for each in pages.openings),
            Goal(AT_MOST, 100, 20),
        ),
        Figure(
            f"console: a line on {SCREENS} screens, p99",
            "ms",
            (waits[int(SHARE * len(waits))] / MILLISECOND,),
            Goal(AT_MOST, 500, 350),
        ),
        Figure("console: payments beside them", "ratio", (ratio,), Goal(AT_LEAST, 0.95, 0.99)),
        Figure(
            "console: step to picture",
            "ms",
            tuple(each / MILLISECOND for each in steps),
            Goal(AT_MOST, 200, 100),
        ),
        Figure(
            "console: step back to picture",
            "ms",
            tuple(each / MILLISECOND for each in backs),
            Goal(AT_MOST, 500, 200),
        ),
        Figure(f"console: class of {PARTICIPANTS} joins", "s", tuple(joins), Goal(AT_MOST, 3, 1)),
        Figure(
            "console: its part of the wheel",
            "kB",
            (packed_bytes() / KILOBYTE,),
            Goal(AT_MOST, 250, 150),
        ),
    ]

"""The time the disk needs for a durable write, which explains the other figures."""

import os
from pathlib import Path
from time import perf_counter

from load.bench.plan import BenchPlan
from load.figures.figure import Figure

BLOCK = b"\0" * 8192
SYNCS_A_ROUND = 50


def disk_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the milliseconds of one append of 8 KiB with its sync."""
    handle = os.open(folder / "synced", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return [
            Figure("sync of 8 KiB", "ms", tuple(_measure_round(handle) for _ in range(plan.rounds)))
        ]
    finally:
        os.close(handle)


def _measure_round(handle: int) -> float:
    began = perf_counter()
    for _ in range(SYNCS_A_ROUND):
        os.write(handle, BLOCK)
        os.fdatasync(handle)
    return (perf_counter() - began) / SYNCS_A_ROUND * 1e3

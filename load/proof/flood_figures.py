"""The floods of a plan as figures: what others waited meanwhile, and what the gateway held."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import start_gateway
from load.proof.floods import FLOODS, HELD, FloodResult, run_flood
from load.proof.plan import ProofPlan
from load.proof.programs import NONE

SENDERS, WAITING = 20, 1000
MILLISECONDS = 1000
MEBIBYTE = 1024 * 1024
LATENCY = Goal(AT_MOST, must=250, aim=100)
GROWTH = Goal(AT_MOST, must=64, aim=48)


def flood_figures(plan: ProofPlan) -> list[Figure]:
    """Flood one gateway in each way, one after another, and use it meanwhile."""
    results = dict(_run_floods(plan.flood_s))
    unanswered = sum(result.unanswered for result in results.values())
    return [
        *(
            Figure(f"flood of {name}: p99 of others", "ms", (result.p99_s * MILLISECONDS,), LATENCY)
            for name, result in results.items()
        ),
        *(
            Figure(f"{_memory_of(name)}: memory", "MiB", (result.growth_bytes / MEBIBYTE,), GROWTH)
            for name, result in results.items()
        ),
        Figure("floods: payments of others that were not taken", "count", (unanswered,), NONE),
    ]  # fmt: skip


def _memory_of(name: str) -> str:
    return f"{WAITING} connections with {name}" if name in HELD else f"flood of {name}"


def _run_floods(seconds: float) -> Iterator[tuple[str, FloodResult]]:
    for name, flood in {**FLOODS, **HELD}.items():
        with (
            tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder,
            start_gateway(Path(folder) / "data") as server,
        ):
            count = SENDERS if flood.piece else WAITING
            yield name, run_flood(server, name, connections=count, seconds=seconds)

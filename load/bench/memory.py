"""The memory of a stored payment."""

from pathlib import Path

from load.bench.generator import drive
from load.bench.plan import BenchPlan
from load.bench.throughput import create_sandbox
from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import KILOBYTE, memory_bytes, start_gateway


def memory_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure how much a gateway grows per payment, once its buffers are allocated."""
    with start_gateway(folder / "memory", pinned=True) as server:
        requests = create_sandbox(server).requests
        drive(requests, requests_max=plan.memory_payments // 4)
        memory = [memory_bytes(server)]
        for _ in range(plan.memory_rounds):
            drive(requests, requests_max=plan.memory_payments)
            memory.append(memory_bytes(server))
    growth = (after - before for before, after in zip(memory, memory[1:], strict=False))
    per_payment = tuple(grown / plan.memory_payments / KILOBYTE for grown in growth)
    return [
        Figure("memory at rest", "MiB", (memory[0] / KILOBYTE**2,)),
        Figure("memory a stored payment", "KiB", per_payment, Goal(AT_MOST, must=4, aim=2.5)),
    ]

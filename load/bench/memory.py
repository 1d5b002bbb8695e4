"""What a stored payment takes of the machine's memory."""

from pathlib import Path

from load.bench.generator import drive
from load.bench.plan import Plan
from load.bench.throughput import new_sandbox
from load.figure import AT_MOST, Figure, Goal
from load.servers import KILOBYTE, gateway


def memory_figures(plan: Plan, folder: Path) -> list[Figure]:
    """How much a gateway grows a payment, once it has taken some and its buffers are in place."""
    with gateway(folder / "memory", pinned=True) as server:
        requests = new_sandbox(server).requests
        drive(requests, requests_max=plan.memory_payments // 4)
        held = [server.memory_bytes()]
        for _ in range(plan.memory_rounds):
            drive(requests, requests_max=plan.memory_payments)
            held.append(server.memory_bytes())
    growth = (after - before for before, after in zip(held, held[1:], strict=False))
    each = tuple(grown / plan.memory_payments / KILOBYTE for grown in growth)
    return [
        Figure("memory at rest", "MiB", (held[0] / KILOBYTE**2,)),
        Figure("memory a stored payment", "KiB", each, Goal(AT_MOST, must=4, aim=2.5)),
    ]

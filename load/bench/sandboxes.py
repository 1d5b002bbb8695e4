"""How long a new sandbox and a reset take, over the control API."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from load.bench.generator import drive
from load.bench.order import payments
from load.bench.plan import Plan
from load.figure import AT_MOST, Figure, Goal
from load.servers import gateway
from simulator.client import Control

PAYMENTS_BEFORE_RESET = 100


def sandbox_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Milliseconds of both; a sandbox that is reset holds some payments."""
    with gateway(folder / "sandboxes", pinned=True) as server:
        control = Control(server.facts["control_url"], server.facts["control_key"])
        control.create_sandbox()
        creations, resets = [], []
        for _ in range(plan.sandboxes):
            milliseconds, made = timed(control.create_sandbox)
            creations.append(milliseconds)
            sent = payments(server.base_url, token=made["token"], entity_id=made["entity_id"])
            drive(sent, requests_max=PAYMENTS_BEFORE_RESET)
            resets.append(timed(partial(control.reset, made["id"]))[0])
    return [
        Figure("new sandbox", "ms", tuple(creations), Goal(AT_MOST, must=20, aim=5)),
        Figure("reset of a sandbox", "ms", tuple(resets), Goal(AT_MOST, must=50, aim=5)),
    ]


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """How many milliseconds a call took, and what it answered."""
    began = perf_counter()
    answer = call()
    return (perf_counter() - began) * 1e3, answer

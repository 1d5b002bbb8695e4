"""The duration of creating and of resetting a sandbox, over the control API."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from load.bench.generator import drive
from load.bench.payment import payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import start_gateway
from simulator.client import Control

PAYMENTS_BEFORE_RESET = 100


def sandbox_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the milliseconds of both; a sandbox that is reset has some payments."""
    with start_gateway(folder / "sandboxes", pinned=True) as server:
        control = Control(server.facts["control_url"], server.facts["control_key"])
        control.create_sandbox()
        creations, resets = [], []
        for _ in range(plan.sandboxes):
            milliseconds, made = measure_ms(control.create_sandbox)
            creations.append(milliseconds)
            sent = payment_requests(
                server.base_url, token=made["token"], entity_id=made["entity_id"]
            )
            drive(sent, requests_max=PAYMENTS_BEFORE_RESET)
            resets.append(measure_ms(partial(control.reset, made["id"]))[0])
    return [
        Figure("new sandbox", "ms", tuple(creations), Goal(AT_MOST, must=20, aim=5)),
        Figure("reset of a sandbox", "ms", tuple(resets), Goal(AT_MOST, must=50, aim=5)),
    ]


def measure_ms(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds a call took, and its result."""
    began = perf_counter()
    result = call()
    return (perf_counter() - began) * 1e3, result

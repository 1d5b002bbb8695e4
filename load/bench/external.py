"""EXTERNAL payments over the ISO 8583 connection against INTERNAL ones, on one server.

Both are driven in turn, in the opposite order every other round; ratios are per round.
"""

from pathlib import Path

from load.bench.generator import RequestTemplate, drive
from load.bench.payment import payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.server import start_gateway
from simulator.client import Control
from simulator.client.processes import ServerProcess

MODES = ("INTERNAL", "EXTERNAL")


def external_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the rates in both test modes, and their ratio."""
    with start_gateway(folder, pinned=True) as server:
        requests = {mode: _create_requests(server, mode) for mode in MODES}
        for each in requests.values():
            drive(each, seconds=plan.warm_up_s)
        rounds = [_drive_round(requests, plan, number) for number in range(plan.rounds)]
    rates = {mode: tuple(each[mode] for each in rounds) for mode in MODES}
    ratios = tuple(each["EXTERNAL"] / each["INTERNAL"] for each in rounds)
    return [
        Figure("payments, INTERNAL", "requests/s", rates["INTERNAL"]),
        Figure("payments, EXTERNAL", "requests/s", rates["EXTERNAL"]),
        Figure("EXTERNAL against INTERNAL", "ratio", ratios, Goal(AT_LEAST, must=0.5, aim=0.6)),
    ]


def _create_requests(server: ServerProcess, mode: str) -> RequestTemplate:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    return payment_requests(
        server.base_url, token=made["token"], entity_id=made["entity_id"], testMode=mode
    )


def _drive_round(
    requests: dict[str, RequestTemplate], plan: BenchPlan, number: int
) -> dict[str, float]:
    modes = reversed(MODES) if number % 2 else MODES
    return {mode: drive(requests[mode], seconds=plan.round_s).rate for mode in modes}

"""Payments over the card link against payments inside the process, on one server.

Both are driven in turn, in the opposite order every other round; ratios are made round by round.
"""

from pathlib import Path

from load.bench.generator import Requests, drive
from load.bench.order import payments
from load.bench.plan import Plan
from load.figure import AT_LEAST, Figure, Goal
from load.servers import Server, gateway
from simulator.client import Control

MODES = ("INTERNAL", "EXTERNAL")


def external_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Rates in both test modes, and the one against the other."""
    with gateway(folder, pinned=True) as server:
        requests = {mode: _requests(server, mode) for mode in MODES}
        for each in requests.values():
            drive(each, seconds=plan.warm_up_s)
        rounds = [_round(requests, plan, number) for number in range(plan.rounds)]
    rates = {mode: tuple(each[mode] for each in rounds) for mode in MODES}
    ratios = tuple(each["EXTERNAL"] / each["INTERNAL"] for each in rounds)
    return [
        Figure("payments, INTERNAL", "requests/s", rates["INTERNAL"]),
        Figure("payments, EXTERNAL", "requests/s", rates["EXTERNAL"]),
        Figure("EXTERNAL against INTERNAL", "ratio", ratios, Goal(AT_LEAST, must=0.5, aim=0.6)),
    ]


def _requests(server: Server, mode: str) -> Requests:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    return payments(
        server.base_url, token=made["token"], entity_id=made["entity_id"], testMode=mode
    )


def _round(requests: dict[str, Requests], plan: Plan, number: int) -> dict[str, float]:
    modes = reversed(MODES) if number % 2 else MODES
    return {mode: drive(requests[mode], seconds=plan.round_s).rate for mode in modes}

"""The duration of a start on an empty folder, the rate of recovery from a log, and the processor
time of a command that only prints its help.
"""

import os
import subprocess
from pathlib import Path
from statistics import median
from time import perf_counter

from load.bench.generator import RequestTemplate, drive
from load.bench.payment import payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.gateway.server import start_gateway
from simulator.client import Client
from simulator.client.processes import ServerProcess, python

SHORTEST_S = 1e-3
UNKNOWN_PAYMENT = "v1/payments/" + "8" * 32


def start_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the seconds until the first response, and log lines per second of a recovery."""
    seconds = [_measure_start(folder / f"empty-{number}") for number in range(plan.starts)]
    with start_gateway(folder / "log", pinned=True) as server:
        drive(_create_requests(server), requests_max=plan.stored_many)
    # Recovery happens before the first response: the duration of an empty start is subtracted.
    reading = [_measure_start(folder / "log") - median(seconds) for _ in range(plan.recoveries)]
    rates = [plan.stored_many / max(taken, SHORTEST_S) for taken in reading]
    return [
        Figure("start until the first answer", "s", tuple(seconds), Goal(AT_MOST, 1.5, 0.8)),
        Figure("recovery", "log lines/s", tuple(rates), Goal(AT_LEAST, 50_000, 50_000)),
        Figure(
            "sandgate --help, processor time", "s",
            tuple(_measure_help() for _ in range(plan.starts)), Goal(AT_MOST, 0.25, 0.15),
        ),
    ]  # fmt: skip


def _measure_help() -> float:
    """Return the processor time of `sandgate --help`, in seconds."""
    before = os.times()
    subprocess.run(
        python("from simulator.__main__ import main; main()") + ["--help"],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def _measure_start(data: Path) -> float:
    """Return the seconds from the command to the first response about a payment."""
    began = perf_counter()
    with start_gateway(data, pinned=True) as server:
        _wait_for_response(server)
        return perf_counter() - began


def _wait_for_response(server: ServerProcess) -> None:
    facts = server.facts
    client = Client(server.base_url, facts["token"], facts["entity_id"], timeout_s=60)
    answer = client.get(UNKNOWN_PAYMENT)
    client.close()
    if answer.status != 404:
        raise RuntimeError(f"expected 404 for an unknown payment, got {answer.status}")


def _create_requests(server: ServerProcess) -> RequestTemplate:
    facts = server.facts
    return payment_requests(server.base_url, token=facts["token"], entity_id=facts["entity_id"])

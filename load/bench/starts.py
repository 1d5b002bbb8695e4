"""How long a start takes on an empty folder, and how fast a log is read again."""

from pathlib import Path
from statistics import median
from time import perf_counter

from load.bench.generator import Requests, drive
from load.bench.order import payments
from load.bench.plan import Plan
from load.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.servers import Server, gateway
from simulator.client import Client

SHORTEST_S = 1e-3
UNKNOWN_PAYMENT = "v1/payments/" + "8" * 32


def start_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Seconds until the first answer, and lines a second of a log with many payments."""
    seconds = [_start(folder / f"empty-{number}") for number in range(plan.starts)]
    with gateway(folder / "log", pinned=True) as server:
        drive(_payments(server), requests_max=plan.stored_many)
    # The log is read on the way to the first answer: what an empty start takes is not its doing.
    reading = [_start(folder / "log") - median(seconds) for _ in range(plan.recoveries)]
    rates = [plan.stored_many / max(taken, SHORTEST_S) for taken in reading]
    return [
        Figure("start until the first answer", "s", tuple(seconds), Goal(AT_MOST, 1.5, 0.8)),
        Figure("recovery", "log lines/s", tuple(rates), Goal(AT_LEAST, 50_000, 50_000)),
    ]


def _start(data: Path) -> float:
    """Seconds from the command to the first answer about a payment."""
    began = perf_counter()
    with gateway(data, pinned=True) as server:
        _first_answer(server)
        return perf_counter() - began


def _first_answer(server: Server) -> None:
    facts = server.facts
    client = Client(server.base_url, facts["token"], facts["entity_id"], timeout_s=60)
    answer = client.get(UNKNOWN_PAYMENT)
    client.close()
    if answer.status != 404:
        raise RuntimeError(f"expected 404 for an unknown payment, got {answer.status}")


def _payments(server: Server) -> Requests:
    facts = server.facts
    return payments(server.base_url, token=facts["token"], entity_id=facts["entity_id"])

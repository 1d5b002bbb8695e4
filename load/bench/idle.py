"""The cost of an idle sandbox: memory and open files of a gateway that has many."""

from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from load.bench.generator import drive
from load.bench.payment import payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import KILOBYTE, count_open_files, memory_bytes, start_gateway
from simulator.client import Connection, Control
from simulator.client.processes import ServerProcess

# The idle time before a sandbox is unloaded from memory; the default is a minute.
IDLE_S = "0.5"
UNLOADED_S_MAX = 60.0
PAUSE_S = 0.1
LOADED_METRIC = "sandgate_sandboxes_awake"


def idle_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure memory and open files per sandbox that has a payment and was unloaded.

    The first thousand are not counted: they allocate buffers and caches that every gateway has.
    """
    with start_gateway(folder / "idle", "--idle", IDLE_S, pinned=True) as server:
        usage = [_usage_after(server, plan.idle_sandboxes) for _ in range(plan.idle_rounds + 1)]
    kilobytes = tuple(
        (after - before) / plan.idle_sandboxes / KILOBYTE
        for (before, _), (after, _) in pairwise(usage)
    )
    files = tuple(float(after - before) for (_, before), (_, after) in pairwise(usage))
    return [
        Figure("memory an idle sandbox", "KiB", kilobytes, Goal(AT_MOST, must=5, aim=5)),
        Figure("files of idle sandboxes", "open files", files, Goal(AT_MOST, must=0, aim=0)),
    ]


def _usage_after(server: ServerProcess, count: int) -> tuple[int, int]:
    """Return memory in bytes and open files after `count` more sandboxes with a payment."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    for _ in range(count):
        _pay_once(server, control.create_sandbox())
    control.close()
    _wait_until_unloaded(server)
    return memory_bytes(server), count_open_files(server)


def _pay_once(server: ServerProcess, made: Any) -> None:
    sent = payment_requests(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(sent, connections=1, requests_max=1)


def _wait_until_unloaded(server: ServerProcess) -> None:
    """Return when every sandbox is unloaded, and the connection of the query is closed."""
    until = monotonic() + UNLOADED_S_MAX
    while _count_loaded(server):
        if monotonic() > until:
            raise RuntimeError(
                f"expected every sandbox to be unloaded after {UNLOADED_S_MAX:.0f} s"
            )
        sleep(PAUSE_S)
    sleep(PAUSE_S)


def _count_loaded(server: ServerProcess) -> float:
    connection = Connection(server.base_url, timeout_s=10)
    answer = connection.ask("GET", "_sandbox/metrics", headers={})
    connection.close()
    lines = answer.body.decode("utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(LOADED_METRIC))

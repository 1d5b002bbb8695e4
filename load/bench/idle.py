"""What a sandbox that nobody uses takes: memory and open files of a gateway that has many."""

from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from load.bench.generator import drive
from load.bench.order import payments
from load.bench.plan import Plan
from load.figure import AT_MOST, Figure, Goal
from load.servers import KILOBYTE, Server, gateway
from simulator.client import Connection, Control

# How long nobody must ask for a sandbox before it rests; a minute unless it is told otherwise.
IDLE_S = "0.5"
AT_REST_S_MAX = 60.0
PAUSE_S = 0.1
AWAKE = "sandgate_sandboxes_awake"


def idle_figures(plan: Plan, folder: Path) -> list[Figure]:
    """How much a gateway grows a sandbox that took a payment and rests, and the files it opens.

    The first thousand are not counted: buffers and caches that every gateway has come with them.
    """
    with gateway(folder / "idle", "--idle", IDLE_S, pinned=True) as server:
        held = [_held_after(server, plan.idle_sandboxes) for _ in range(plan.idle_rounds + 1)]
    kilobytes = tuple(
        (after - before) / plan.idle_sandboxes / KILOBYTE
        for (before, _), (after, _) in pairwise(held)
    )
    files = tuple(float(after - before) for (_, before), (_, after) in pairwise(held))
    return [
        Figure("memory an idle sandbox", "KiB", kilobytes, Goal(AT_MOST, must=5, aim=5)),
        Figure("files of idle sandboxes", "open files", files, Goal(AT_MOST, must=0, aim=0)),
    ]


def _held_after(server: Server, count: int) -> tuple[int, int]:
    """Memory in bytes and open files, once so many more sandboxes have taken a payment and rest."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    for _ in range(count):
        _pay_in(server, control.create_sandbox())
    control.close()
    _await_rest(server)
    return server.memory_bytes(), server.open_files()


def _pay_in(server: Server, made: Any) -> None:
    sent = payments(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(sent, connections=1, requests_max=1)


def _await_rest(server: Server) -> None:
    """Return when no sandbox is awake, and the connection that asked is gone."""
    ends = monotonic() + AT_REST_S_MAX
    while _awake(server):
        if monotonic() > ends:
            raise RuntimeError(f"expected every sandbox to rest after {AT_REST_S_MAX:.0f} s")
        sleep(PAUSE_S)
    sleep(PAUSE_S)


def _awake(server: Server) -> float:
    connection = Connection(server.base_url, timeout_s=10)
    answer = connection.ask("GET", "_sandbox/metrics", headers={})
    connection.close()
    lines = answer.body.decode("utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(AWAKE))

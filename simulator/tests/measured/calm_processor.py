"""What a payment of one sandbox costs the processor at one gateway, at two members, and forwarded;
and that of two sandboxes, each at its home.

`python -m simulator.tests.measured.calm_processor SECONDS` prints microseconds of user and system
time a payment as JSON: those of the gateways, and those of the database, in the median of five
rounds. A round takes every way in turn, so that what else runs falls on all of them.
"""

import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing import get_context
from os import cpu_count, sysconf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import sleep

from load.bench.generator import drive
from load.bench.payment import payment_requests
from load.gateway.server import UTIME, UTIME_AND_STIME, start_gateway
from load.proof.merchant import create_merchant
from simulator.adapters.fleet.calm_home import CalmRules
from simulator.client import Control
from simulator.client.processes import ServerProcess
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster

KEY = "the-key-of-the-fleet-of-proofs"
ROUNDS, CONNECTIONS = 5, 16
TICKS = sysconf("SC_CLK_TCK")
# Until a sandbox is calm, and the other member has asked again.
CALM_S = CalmRules().after_s + 2.0
Load = tuple[str, str, str, float]


def send(load: Load) -> int:
    """Pay at one address for so many seconds; the count of payments."""
    url, token, entity, seconds = load
    requests = payment_requests(url, token=token, entity_id=entity)
    return len(drive(requests, seconds=seconds, connections=CONNECTIONS).latencies)


def ticks_of(pid: int) -> int:
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return sum(map(int, fields[UTIME:UTIME_AND_STIME]))


def with_children(pid: int) -> list[int]:
    """A process and all that it has started."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [pid, *(each for child in text.split() for each in with_children(int(child)))]


def microseconds(
    pids: Sequence[int], database: Sequence[int], loads: Sequence[Load]
) -> tuple[float, float]:
    """What a payment costs gateways and database while these loads run at once."""
    before = [sum(map(ticks_of, each)) for each in (pids, database)]
    with get_context("fork").Pool(len(loads)) as pool:
        count = sum(pool.map(send, loads))
    after = [sum(map(ticks_of, each)) for each in (pids, database)]
    ours, theirs = (
        1e6 * (late - early) / TICKS / count for early, late in zip(before, after, strict=True)
    )
    return ours, theirs


def loads_apart(members: Sequence[ServerProcess], seconds: float) -> list[Load]:
    """A load at each member, for a sandbox that has its home there."""
    loads = []
    for member in members:
        made = create_merchant(member).client
        loads.append((member.base_url, made.token, made.entity_id, seconds))
    return loads


def loads_of(sandbox: dict, members: Sequence[ServerProcess], seconds: float) -> list[Load]:
    """Two loads at the same time, each at one of the members in turn."""
    urls = [members[number % len(members)].base_url for number in range(2)]
    return [(url, sandbox["token"], sandbox["entity_id"], seconds) for url in urls]


def main(seconds: float) -> None:
    """Measure, and print what came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        TemporaryDirectory(prefix="sandgate-calm-") as name,
        ExitStack() as stack,
    ):
        alone = start(stack, cluster, Path(name) / "alone")
        shared, data = cluster.create(), Path(name) / "fleet"
        options = ("--store", shared, "--peer-key", KEY)
        members = [
            stack.enter_context(start_gateway(data, *options, "--throttle", "sandbox"))
            for _ in range(2)
        ]
        print(json.dumps(measured(cluster, alone, members, seconds), indent=1))


def start(stack: ExitStack, cluster: Cluster, data: Path) -> ServerProcess:
    """A gateway that has a database alone."""
    return stack.enter_context(start_gateway(data, "--store", cluster.create()))


def measured(
    cluster: Cluster, alone: ServerProcess, members: list[ServerProcess], seconds: float
) -> dict[str, object]:
    """The figures of each way, the median of all rounds."""
    access = members[0].facts
    found: dict[str, list[tuple[float, float]]] = {}
    for number in range(ROUNDS):
        # What is steered stays at home for ten seconds, so that the rounds begin forwarded.
        Control(access["control_url"], access["control_key"]).sandbox(access["sandbox_id"])
        ways = {
            "alone": ([alone], alone.facts),
            "forwarded": (members, access),
            "home": (members[:1], access),
            "calm": (members, access),
        }
        apart = loads_apart(members, seconds)
        pids = [each.process.pid for each in members]
        figures = microseconds(pids, with_children(cluster.pid), apart)
        if number:
            found.setdefault("apart", []).append(figures)
        for way, (servers, sandbox) in ways.items():
            if way == "calm":
                sleep(CALM_S)
                microseconds([1], [1], loads_of(sandbox, servers, 0.5))
            pids = [each.process.pid for each in servers]
            span = min(seconds, 4.0) if way == "forwarded" else seconds
            figures = microseconds(
                pids, with_children(cluster.pid), loads_of(sandbox, servers, span)
            )
            if number:
                found.setdefault(way, []).append(figures)
    return {"cores": cpu_count()} | {
        way: {
            "gateways_us": [round(median(each)) for each in zip(*figures, strict=True)][0],
            "database_us": [round(median(each)) for each in zip(*figures, strict=True)][1],
        }
        for way, figures in found.items()
    }


if __name__ == "__main__":
    main(float(sys.argv[1]))

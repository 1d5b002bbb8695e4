"""What a payment and a read of it cost the processor: at an embedded gateway, at one on PostgreSQL,
and at two members of a fleet.

`python -m simulator.tests.measured.fleet_processor SECONDS ROUNDS` prints microseconds of user and
system time a request as JSON: those of the gateways, and those of the database, of each round. Each
gateway is asked over 32 connections. A round takes every way in turn, so that what else runs falls
on all of them; the first one warms up.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from os import sysconf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import NamedTuple

from load.bench.generator import RequestTemplate, drive
from load.bench.payment import payment_requests
from load.bench.queries import get_requests
from load.gateway.server import CUTIME_AND_CSTIME, UTIME, start_gateway
from load.proof.merchant import ProofMerchant, create_merchant
from simulator.adapters.fleet.calm_home import CalmRules
from simulator.client import Client
from simulator.client.processes import ServerProcess
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster
from simulator.tests.measured.fleet_kills import KEY

TICKS = sysconf("SC_CLK_TCK")
THROTTLE = ("--throttle", "sandbox")
# Until a sandbox is calm, and the other member has asked again.
CALM_S = CalmRules().after_s + 2.0
# What is steered stays at home for ten seconds.
FORWARDED_S = 4.0
WARM_S = 0.5


class Way(NamedTuple):
    """A load for each of some gateways, all at the same time."""

    servers: Sequence[ServerProcess]
    loads: Sequence[RequestTemplate]
    seconds: float
    # What is done before each measurement.
    prepare: Callable[[], object] | None = None


class Cost(NamedTuple):
    """Microseconds of the processor a request."""

    gateways_us: float
    database_us: float


def main(seconds: float, rounds: int) -> None:
    """Measure, and print what came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        TemporaryDirectory(prefix="sandgate-processor-") as name,
        ExitStack() as stack,
    ):
        ways = start_ways(stack, cluster, Path(name), seconds)
        costs = [
            {way: measure(each, cluster) for way, each in ways.items()} for _ in range(rounds + 1)
        ]
    print(json.dumps({way: [each[way]._asdict() for each in costs[1:]] for way in ways}))


def start_ways(
    stack: ExitStack, cluster: Cluster, folder: Path, seconds: float
) -> Mapping[str, Way]:
    """Start the gateways of all ways, and make their merchants."""

    def start(name: str, *options: str) -> ServerProcess:
        return stack.enter_context(start_gateway(folder / name, *THROTTLE, *options))

    embedded = start("embedded")
    single = [start(name, "--store", cluster.create()) for name in ("single", "other")]
    fleet = ("--store", cluster.create(), "--peer-key", KEY)
    members = [start("fleet", *fleet) for _ in range(2)]
    ways = {
        f"{what}, {where}": Way([server], [load], seconds)
        for where, server in (("embedded", embedded), ("postgresql", single[0]))
        for what, load in loads_of(create_merchant(server)).items()
    }
    apart = {
        "payment, two single": _apart(single, seconds),
        "payment, two members": _apart(members, seconds),
    }
    return ways | apart | fleet_ways(members, seconds)


def _apart(servers: Sequence[ServerProcess], seconds: float) -> Way:
    """Payments at each of these gateways, of a merchant whose sandbox is at home there."""
    loads = [_payments(create_merchant(each).client) for each in servers]
    return Way(servers, loads, seconds)


def loads_of(merchant: ProofMerchant) -> Mapping[str, RequestTemplate]:
    """Payments of a merchant, and reads of one."""
    client, path = merchant.client, f"/v1/payments/{merchant.authorize(92_00).id}"
    return {
        "payment": _payments(client),
        "read": get_requests(client.base_url, path, token=client.token, entity_id=client.entity_id),
    }


def fleet_ways(members: Sequence[ServerProcess], seconds: float) -> Mapping[str, Way]:
    """Payments of one sandbox that each member serves, and of one whose home every second request
    is forwarded to.
    """
    calm, watched = (create_merchant(members[0]) for _ in range(2))
    first, second = (
        [_payments(shop.client, at=member) for member in members] for shop in (calm, watched)
    )
    sleep(CALM_S)

    def look() -> None:
        watched.control.sandbox(watched.sandbox)

    return {
        "payment, shared": Way(members, first, seconds, lambda: run(first, WARM_S)),
        "payment, forwarded": Way(members, second, min(seconds, FORWARDED_S), look),
    }


def _payments(merchant: Client, *, at: ServerProcess | None = None) -> RequestTemplate:
    base_url = at.base_url if at else merchant.base_url
    return payment_requests(base_url, token=merchant.token, entity_id=merchant.entity_id)


def measure(way: Way, cluster: Cluster) -> Cost:
    """What a request costs gateways and database."""
    if way.prepare is not None:
        way.prepare()
    groups = [[each.process.pid for each in way.servers], [cluster.pid]]
    before = [sum(map(ticks_of, each)) for each in groups]
    count = run(way.loads, way.seconds)
    after = [sum(map(ticks_of, each)) for each in groups]
    return Cost(
        *(1e6 * (late - early) / TICKS / count for early, late in zip(before, after, strict=True))
    )


def run(loads: Sequence[RequestTemplate], seconds: float) -> int:
    """Send these loads at once for so many seconds; the count of responses."""
    with get_context("fork").Pool(len(loads)) as pool:
        return sum(pool.starmap(send, [(each, seconds) for each in loads]))


def send(load: RequestTemplate, seconds: float) -> int:
    """Send requests for so many seconds; the count of responses."""
    return len(drive(load, seconds=seconds).latencies)


def ticks_of(pid: int) -> int:
    """User and system time of a process and all that it has started, also of what has ended."""
    path = Path(f"/proc/{pid}")
    children = (path / f"task/{pid}/children").read_text(encoding="ascii").split()
    running = 0
    for child in map(int, children):
        with suppress(OSError):
            running += ticks_of(child)
    fields = (path / "stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return running + sum(map(int, fields[UTIME:CUTIME_AND_CSTIME]))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))

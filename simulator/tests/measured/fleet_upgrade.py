"""A fleet under load whose members are replaced by those of the next release, one by one.

`python -m simulator.tests.measured.fleet_upgrade SECONDS` prints what came of it as JSON. The first
members write at the level before that of this release at most. Each pair of releases serves
together for a while; then the former ones have gone, and the level is raised under load. What was
acknowledged must read as it was acknowledged, and of every amount exactly what was not captured or
refunded must be left.
"""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import psycopg

from simulator.adapters.postgresql.schema import LEVEL
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.measured.fleet_kills import ANSWER_S_MAX, MEMBERS, FleetUnderLoad

DRAINED_S = 1.0
FORMER = ("--write-level", str(LEVEL - 1))


def main(seconds: float) -> None:
    """Load a fleet, replace its members, and print what came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        TemporaryDirectory(prefix="sandgate-proof-") as name,
        ExitStack() as stack,
    ):
        store = cluster.create()
        fleet = FleetUnderLoad(stack, cluster, Path(name), store, FORMER)
        with fleet.loaded():
            levels = [replace_member(fleet, store, number, seconds) for number in range(MEMBERS)]
            raised_s = raised_after_s(store) + seconds
            sleep(seconds)
        sent = [one for shopper in fleet.shoppers for one in shopper.sent]
        found = {
            "requests": len(sent),
            "acknowledged": sum(len(each.acknowledged) for each in fleet.shoppers),
            "unknown": sum(not one.is_done for one in sent),
            "too_early": sum(level != LEVEL - 1 for level in levels),
            "raised_s": raised_s,
            "faults": fleet.faults(),
        }
    print(json.dumps(found))


def replace_member(fleet: FleetUnderLoad, store: str, number: int, seconds: float) -> int:
    """Stop a member of the former release and start one of this; the level some seconds later."""
    former = fleet.members[number]
    fleet.members[number] = fleet.members[(number + 1) % MEMBERS]
    # As behind a balancer: what was just sent to it is answered, and nothing more is sent.
    sleep(DRAINED_S)
    former.process.terminate()
    former.process.wait(ANSWER_S_MAX)
    fleet.members[number] = fleet.start()
    sleep(seconds)
    return level_in(store)


def raised_after_s(store: str) -> float:
    """How long from now on until the level is that of this release."""
    began = monotonic()
    while level_in(store) < LEVEL and monotonic() < began + ANSWER_S_MAX:
        sleep(0.1)
    return monotonic() - began


def level_in(store: str) -> int:
    """The write level of a database."""
    with psycopg.connect(store) as connection:
        row = connection.execute("select level from sandgate.server").fetchone()
        assert row is not None, "there is always one"
        return int(row[0])


if __name__ == "__main__":
    main(float(sys.argv[1]))

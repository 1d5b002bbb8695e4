"""A fleet under load whose database ends for good, and whose synchronous standby takes its place.

`python -m simulator.tests.measured.fleet_failover SECONDS` prints what came of it as JSON. The
members know both servers, and write to the one that is the primary. What was acknowledged must read
as it was acknowledged at the standby, and of every amount exactly what was not captured or refunded
must be left.
"""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from simulator.tests.adapters.postgresql.cluster import OWNER, Cluster, running_cluster
from simulator.tests.measured.fleet_kills import FleetUnderLoad, back_after_s


def address_of_both(primary: Cluster, standby: Cluster) -> str:
    """A new database, at the one of the two servers that takes writes."""
    name = primary.create().partition("///")[2].partition("?")[0]
    hosts = f"{primary.socket.parent},{standby.socket.parent}"
    return f"postgresql:///{name}?host={hosts}&user={OWNER}&target_session_attrs=read-write"


def main(seconds: float) -> None:
    """Load a fleet, fail over, and print what came of it."""
    with (
        running_cluster(is_durable=True) as primary,
        running_cluster(is_durable=True, primary=primary) as standby,
        TemporaryDirectory(prefix="sandgate-proof-") as name,
        ExitStack() as stack,
    ):
        primary.wait_for_standby()
        store = address_of_both(primary, standby)
        fleet = FleetUnderLoad(stack, primary, Path(name), store)
        with fleet.loaded():
            sleep(seconds)
            primary.stop()
            began = monotonic()
            standby.promote()
            back_s = back_after_s(fleet, began)
        sent = [one for shopper in fleet.shoppers for one in shopper.sent]
        found = {
            "requests": len(sent),
            "acknowledged": sum(len(each.acknowledged) for each in fleet.shoppers),
            "unknown": sum(not one.is_done for one in sent),
            "back_s": back_s,
            "faults": fleet.faults(),
        }
        # It was stopped already.
        primary.start()
    print(json.dumps(found))


if __name__ == "__main__":
    main(float(sys.argv[1]))

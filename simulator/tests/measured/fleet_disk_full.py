"""A fleet under load whose database has no room left for a while.

`python -m simulator.tests.measured.fleet_disk_full SECONDS` prints what came of it as JSON; only
root can mount the disk that it fills. What was acknowledged must read as it was acknowledged, of
every amount exactly what was not captured or refunded must be left, and every member must serve
again once there is room.
"""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.adapters.postgresql.small_disk import mounted_disk
from simulator.tests.measured.fleet_kills import FleetUnderLoad, back_after_s

DISK_MB = 64


def main(seconds: float) -> None:
    """Load a fleet, fill its disk, make room, and print what came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        mounted_disk(DISK_MB) as disk,
        TemporaryDirectory(prefix="sandgate-proof-") as name,
        ExitStack() as stack,
    ):
        store = cluster.create(disk=disk.folder)
        fleet = FleetUnderLoad(stack, cluster, Path(name), store)
        with fleet.loaded():
            sleep(seconds)
            disk.fill()
            filled = monotonic()
            sleep(seconds)
            disk.make_room()
            began = monotonic()
            back_s = back_after_s(fleet, began)
        sent = [one for shopper in fleet.shoppers for one in shopper.sent]
        found = {
            "requests": len(sent),
            "acknowledged": sum(len(each.acknowledged) for each in fleet.shoppers),
            "refused": sum(not one.is_done and filled <= one.began < began for one in sent),
            "back_s": back_s,
            "ended": sum(each.process.poll() is not None for each in fleet.members),
            "faults": fleet.faults(),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(float(sys.argv[1]))

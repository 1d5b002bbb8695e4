"""`kill -9` of a gateway that keeps its records in PostgreSQL, and crashes of the database with it.

`python -m simulator.tests.measured.postgresql_kills KILLS` prints what came of it as JSON: in every
second round the database ends at the same time, as after `pg_ctl -m immediate stop`, and recovers.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from load.proof.kills import KillRound, check_after_restart, load_and_kill
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster


def main(kills: int) -> None:
    """Kill so often, each time in a database of its own."""
    with running_cluster(is_durable=True) as cluster:
        rounds = [run_round(cluster, seed) for seed in range(kills)]
    found = {
        "crashes": kills // 2,
        "acknowledged": [each.acknowledged for each in rounds],
        "unknown": [each.unknown for each in rounds],
        "faults": [fault for each in rounds for fault in each.faults],
    }
    print(json.dumps(found))


def run_round(cluster: Cluster, seed: int) -> KillRound:
    """Load a gateway, kill it, perhaps its database too, and check what is there."""
    options = ("--store", cluster.create())
    with TemporaryDirectory(prefix="sandgate-proof-") as name:
        load = load_and_kill(Path(name), seed, options=options)
        if seed % 2:
            cluster.stop()
            cluster.start()
        return check_after_restart(Path(name), load, options=options)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""The conformance suite through a fleet, each request to a random member.

`python -m simulator.tests.measured.fleet_suite SIZE [ONLY]` prints what came of fleets of two
members up to so many as JSON, with ONLY of the cases that this selects; a last fleet of the largest
size has one member that writes at the level of the release before.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from features.target.writing import format_target_file
from load.gateway.server import ROOT, start_gateway
from simulator.adapters.postgresql.schema import LEVEL
from simulator.client.processes import authority_in
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster
from simulator.tests.measured.fleet_kills import KEY

FORMER = ("--write-level", str(LEVEL - 1))
CHECK = (sys.executable, "-m", "simulator", "check")
WORKERS = 2
PASSED, UNCHECKED = "passed", "not-checkable"
SMALLEST = 2


def main(largest: int, only: str = "") -> None:
    """Check fleets of two members and more and one of two releases; print what came of it."""
    more = ("--only", only) if only else ()
    with running_cluster() as cluster:
        fleets = [((),) * size for size in range(SMALLEST, largest + 1)]
        found = [check_fleet(cluster, each, more) for each in fleets]
        mixed = check_fleet(cluster, (FORMER, *fleets[-1][1:]), more)
    print(json.dumps({"fleets": found, "mixed": mixed}))


def check_fleet(
    cluster: Cluster, members: Sequence[tuple[str, ...]], more: Sequence[str] = ()
) -> dict[str, object]:
    """How many cases passed and did not at a fleet with members of these options, which ones did
    not though they can be checked, and the seconds that it took.
    """
    with TemporaryDirectory(prefix="sandgate-proof-") as name, ExitStack() as stack:
        folder, store = Path(name), cluster.create()
        common = ("--store", store, "--peer-key", KEY)
        started = [
            stack.enter_context(start_gateway(folder / "data", *common, *each)) for each in members
        ]
        target = folder / "target.toml"
        facts = {**started[0].facts, "ca_file": authority_in(folder)}
        target.write_text(format_target_file(facts), encoding="utf-8")
        return run_suite(
            target, [each.base_url for each in started[1:]], folder / "report.json", more
        )


def run_suite(
    target: Path,
    others: Sequence[str],
    report: Path,
    more: Sequence[str],
    *,
    workers: int = WORKERS,
) -> dict[str, object]:
    """What a run of the suite found."""
    members = [word for each in others for word in ("--member", each)]
    command = [*CHECK, str(target), *members, *more, "-n", str(workers), "--json", str(report)]
    subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)
    found = json.loads(report.read_text(encoding="utf-8"))
    counts = found["summary"]["counts"]
    failed = [each["id"] for each in found["cases"] if each["verdict"] not in (PASSED, UNCHECKED)]
    return {
        "members": 1 + len(others),
        "passed": counts[PASSED],
        "unchecked": counts[UNCHECKED],
        "failed": failed,
        "seconds": found["summary"]["seconds"],
    }


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])

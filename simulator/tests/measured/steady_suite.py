"""Whether the suite passes a right gateway however it is run.

`python -m simulator.tests.measured.steady_suite RUNS [ONLY]` prints what came of each run as JSON,
with ONLY of the cases that this selects. RUNS are numbers of workers with commas between them; with
an `s` after the number, answers arrive 50 to 200 ms later. Those runs mostly wait, and go on beside
the others.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from features.target.writing import format_target_file
from load.gateway.server import start_gateway
from simulator.client.processes import authority_in
from simulator.tests.measured.fleet_suite import run_suite
from simulator.tests.measured.slow_way import slow_way

SLOW = "s"
MOVED = ("base_url", "control_url")


def main(runs: str, only: str = "") -> None:
    """Run the suite so often; print what came of it."""
    named = runs.split(",")
    slow = [each for each in named if each.endswith(SLOW)]
    with ThreadPoolExecutor(len(slow) or 1) as beside:
        waiting = [beside.submit(run, each, only) for each in slow]
        found = [run(each, only) for each in named if each not in slow]
        found += [each.result() for each in waiting]
    print(json.dumps(found))


def run(named: str, only: str) -> dict[str, object]:
    """What a run found at a gateway of its own."""
    workers, is_slow = int(named.rstrip(SLOW)), named.endswith(SLOW)
    more = ("--only", only) if only else ()
    with TemporaryDirectory(prefix="sandgate-proof-") as name:
        folder = Path(name)
        with start_gateway(folder / "data") as server, way_to(server.facts, is_slow) as facts:
            target = folder / "target.toml"
            described = {**facts, "ca_file": authority_in(folder)}
            target.write_text(format_target_file(described), encoding="utf-8")
            found = run_suite(target, (), folder / "report.json", more, workers=workers)
    return {**found, "workers": workers, "slow": is_slow}


@contextmanager
def way_to(facts: Mapping[str, str], is_slow: bool) -> Iterator[Mapping[str, str]]:
    """The facts of a gateway, whose merchant and control API may be reached by a slow way."""
    if not is_slow:
        yield facts
        return
    port = urlsplit(facts["base_url"]).port or 80
    with slow_way(port) as slow_port:
        moved = {name: facts[name].replace(f":{port}", f":{slow_port}") for name in MOVED}
        yield {**facts, **moved}


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Ten thousand random power cuts under the store; the figures as one JSON object.

    python -m load.proof.powercut [CUTS]

The cuts are made by the gateway's own tests, run here at length in a process of their own: a
program beside the gateway imports nothing of it. The exit status is not 0 if anything is lost.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from load.machine import command_of, facts

CUTS = 10_000
PROJECT = Path(__file__).parents[2]
CUTTER = "simulator.tests.adapters.store.power_cuts"


def main(cuts: int = CUTS) -> int:
    """The exit status; figures go to the standard output, what was lost to the standard error."""
    started = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-m", CUTTER, str(cuts)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        check=False,
    )
    if run.returncode == 0:
        # The cutter ends at the first unit that is lost, there twice or there by half.
        figures = json.loads(run.stdout) | {"lost": 0, "twice": 0, "half": 0}
        figures["seconds"] = round(time.monotonic() - started, 1)
        document = {**facts(command_of("load.proof.powercut")), "figures": figures}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

"""Ten thousand random power cuts of the store; the figures as one JSON object.

    python -m load.proof.powercut [CUTS]

The cuts are made by the gateway's own tests in another process, since this package may not import
the store. The exit status is not 0 if anything is lost.
"""

import json
import subprocess
import sys
import time

from load.figures.machine import command_line_of, describe_run
from load.gateway.server import ROOT

CUTS = 10_000
POWER_CUTS = "simulator.tests.adapters.store.power_cuts"


def main(cuts: int = CUTS) -> int:
    """Print the figures, and losses to standard error; return the exit status."""
    started = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-m", POWER_CUTS, str(cuts)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=False,
    )
    if run.returncode == 0:
        # The script fails at the first commit that is lost, duplicated or incomplete.
        figures = json.loads(run.stdout) | {"lost": 0, "twice": 0, "half": 0}
        figures["seconds"] = round(time.monotonic() - started, 1)
        document = {**describe_run(command_line_of("load.proof.powercut")), "figures": figures}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

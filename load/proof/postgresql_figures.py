"""Kill gateways that keep their records in PostgreSQL, and turn the result into figures."""

import json
import subprocess
import sys

import typer

from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import ROOT
from load.proof.plan import ProofPlan

LINES_SHOWN = 40
NONE = Goal(AT_MOST, must=0, aim=0)
# One of the gateway's own tests: the database comes with them.
POSTGRESQL_KILLS = "simulator.tests.measured.postgresql_kills"


def postgresql_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a server that keeps its records in PostgreSQL, and every second time that as well."""
    command = [sys.executable, "-m", POSTGRESQL_KILLS, str(plan.postgresql_kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        _print_lines(done.stderr.splitlines()[-LINES_SHOWN:])
        return [Figure("postgresql: runs that failed", "count", (1,), NONE)]
    found = json.loads(done.stdout)
    _print_lines(found["faults"][:LINES_SHOWN])
    return [
        Figure("postgresql: kills of the gateway", "count", (plan.postgresql_kills,)),
        Figure("postgresql: crashes of the database", "count", (found["crashes"],)),
        Figure("postgresql: acknowledged", "payments/kill", tuple(found["acknowledged"])),
        Figure("postgresql: no response", "requests/kill", tuple(found["unknown"])),
        Figure("postgresql: faults", "count", (len(found["faults"]),), NONE),
    ]


def _print_lines(lines: list[str]) -> None:
    for line in lines:
        typer.echo(line, err=True)

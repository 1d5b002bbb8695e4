"""`python -m load.proof`: cut the power, kill the server, capture at once; keep what came of it."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, NamedTuple

import typer

from load.figure import AT_MOST, Figure, Goal, missed, print_table, write
from load.machine import command_of, facts
from load.proof.captures import AT_ONCE, captures_at_once
from load.proof.deliveries import delivery_round
from load.proof.kills import EXTERNAL, INTERNAL, Round, kill_round
from load.servers import ROOT

TITLE = "Figures of the proofs"
LINES_SHOWN = 40
NONE = Goal(AT_MOST, must=0, aim=0)


class Plan(NamedTuple):
    """How often each is done."""

    cuts: int
    kills: int
    captures: int
    deliveries: int


FULL = Plan(cuts=10_000, kills=50, captures=1000, deliveries=100)
QUICK = Plan(cuts=20, kills=1, captures=4, deliveries=2)


def main(
    quick: Annotated[bool, typer.Option(help="Try the proofs: too few rounds to prove.")] = False,
) -> None:
    """Try to make the gateway lose or double a payment. Whole runs are kept in load/figures/.

    Ends with status 1 when it did.
    """
    known = facts(command_of("load.proof"))
    figures = prove(QUICK if quick else FULL)
    print_table(TITLE, figures)
    if not quick:
        write("proof", TITLE, known, figures)
    if missed(figures):
        raise typer.Exit(1)


def prove(plan: Plan) -> list[Figure]:
    """The figures of all proofs."""
    figures: list[Figure] = []
    for name, proof in PROOFS.items():
        typer.echo(f"proving: {name}", err=True)
        began = perf_counter()
        figures += proof(plan)
        figures.append(Figure(f"{name}: time taken", "s", (perf_counter() - began,)))
    return figures


def power_cuts(plan: Plan) -> list[Figure]:
    """Power cuts under the store, on the simulated disk of the gateway's own tests."""
    command = [sys.executable, "-m", "load.proof.powercut", str(plan.cuts)]
    # The store under test logs every cut: only the end of that matters, and only if one hurt.
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        _tell(done.stderr.splitlines()[-LINES_SHOWN:])
        return [Figure("power cuts: runs that lost something", "count", (1,), NONE)]
    found = json.loads(done.stdout)["figures"]
    wrong = sum(found[name] for name in ("lost", "twice", "half"))
    named = ("cuts", "acknowledged", "unanswered", "unanswered_but_stored")
    counted = [
        Figure(f"power cuts: {name.replace('_', ' ')}", "count", (found[name],)) for name in named
    ]
    return [*counted, Figure("power cuts: lost, twice or half", "count", (wrong,), NONE)]


def kills(plan: Plan) -> list[Figure]:
    """Kills of a real server under load; each seed is another instant."""
    rounds, faults = _killed(plan, INTERNAL)
    return [
        Figure("kills", "count", (plan.kills,)),
        Figure("kills: acknowledged", "payments/kill", tuple(one.acknowledged for one in rounds)),
        Figure("kills: unanswered", "requests/kill", tuple(one.unanswered for one in rounds)),
        Figure("kills: faults", "count", (len(faults),), NONE),
    ]


def line_kills(plan: Plan) -> list[Figure]:
    """The same with a line to a card host between: what was open is taken back there."""
    rounds, faults = _killed(plan, EXTERNAL)
    advices = tuple(one.advices for one in rounds)
    return [
        Figure("kills on the line", "count", (plan.kills,)),
        Figure("kills on the line: taken back", "requests/kill", advices),
        Figure("kills on the line: faults, or books that differ", "count", (len(faults),), NONE),
    ]


def _killed(plan: Plan, mode: str) -> tuple[list[Round], list[str]]:
    """Every round, and what was wrong in any of them."""
    rounds = []
    for seed in range(plan.kills):
        with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder:
            rounds.append(kill_round(Path(folder), seed, mode))
    faults = [fault for one in rounds for fault in one.faults]
    _tell(faults)
    return rounds, faults


def deliveries(plan: Plan) -> list[Figure]:
    """Kills while notifications are on their way."""
    rounds = []
    for seed in range(plan.deliveries):
        with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder:
            rounds.append(delivery_round(Path(folder), seed))
    faults = [fault for one in rounds for fault in one.faults]
    _tell(faults)
    repeated = tuple(one.repeated for one in rounds)
    return [
        Figure("kills under delivery", "count", (plan.deliveries,)),
        Figure("deliveries: told", "notifications/kill", tuple(one.taken for one in rounds)),
        Figure("deliveries: told again", "notifications/kill", repeated),
        Figure("deliveries: lost, or under two identities", "count", (len(faults),), NONE),
    ]


def captures(plan: Plan) -> list[Figure]:
    """Captures of one authorisation at the same instant, over sockets."""
    with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder:
        done = captures_at_once(Path(folder), plan.captures)
    _tell(done.faults)
    approved = sum(count for code, count in done.answers.items() if code.startswith("000."))
    return [
        Figure(f"{AT_ONCE} captures at once", "rounds", (done.rounds,)),
        Figure("captures at once: approved", "count", (approved,)),
        Figure("captures at once: refused", "count", (done.answers.total() - approved,)),
        Figure("captures at once: faults", "count", (len(done.faults),), NONE),
    ]


PROOFS: Mapping[str, Callable[[Plan], list[Figure]]] = {
    "captures at once": captures,
    "kills": kills,
    "kills on the line": line_kills,
    "deliveries": deliveries,
    "power cuts": power_cuts,
}


def _tell(faults: list[str]) -> None:
    for fault in faults:
        typer.echo(fault, err=True)


if __name__ == "__main__":
    typer.run(main)

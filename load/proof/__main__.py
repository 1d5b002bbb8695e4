"""`python -m load.proof`: cut the power, kill, capture at once, throttle, soak; keep what came."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, NamedTuple

import typer

from load.figure import AT_LEAST, AT_MOST, Figure, Goal, missed, print_table, write
from load.machine import command_of, facts
from load.oracle import MUST_ADMIT, MUST_REFUSE, UNDECIDABLE
from load.proof.captures import AT_ONCE, captures_at_once
from load.proof.deliveries import delivery_round
from load.proof.kills import EXTERNAL, INTERNAL, Round, kill_round
from load.proof.soak import Soak, soaked
from load.proof.throttling import Throttling, throttled_runs
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
    throttled: int
    throttled_s: float
    soak_s: float
    knee_s: float


# fmt: off
FULL = Plan(
    cuts=10_000,       kills=50,        captures=1000, deliveries=100,
    throttled=100_000, throttled_s=60,  soak_s=600,    knee_s=96,
)
QUICK = Plan(
    cuts=20,           kills=1,         captures=4,    deliveries=2,
    throttled=1000,    throttled_s=4,   soak_s=15,     knee_s=20,
)
# fmt: on


def main(
    only: Annotated[list[str] | None, typer.Option(help="One of the proofs by name.")] = None,
    quick: Annotated[bool, typer.Option(help="Try the proofs: too few rounds to prove.")] = False,
) -> None:
    """Try to make the gateway lose or double a payment. Whole runs are kept in load/figures/.

    Ends with status 1 when it did.
    """
    known = facts(command_of("load.proof"))
    unknown = sorted(set(only or ()) - PROOFS.keys())
    if unknown:
        raise typer.BadParameter(f"no such proof: {', '.join(unknown)}; known: {', '.join(PROOFS)}")
    figures = prove(QUICK if quick else FULL, only or list(PROOFS))
    print_table(TITLE, figures)
    if not quick and not only:
        write("proof", TITLE, known, figures)
    if missed(figures):
        raise typer.Exit(1)


def prove(plan: Plan, names: list[str]) -> list[Figure]:
    """The figures of these proofs."""
    figures: list[Figure] = []
    for name in names:
        typer.echo(f"proving: {name}", err=True)
        began = perf_counter()
        figures += PROOFS[name](plan)
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


def throttling(plan: Plan) -> list[Figure]:
    """Answers of a gateway that is limited every second, judged by the throttle oracle."""
    done = throttled_runs(plan.throttled, seconds=plan.throttled_s, progress=_say)
    _tell(done.faults[:LINES_SHOWN])
    return throttle_figures(done, plan.throttled)


def throttle_figures(done: Throttling, answers: int) -> list[Figure]:
    """The figures of so many answers; fewer prove nothing."""
    share = done.marks[UNDECIDABLE] / max(done.marks.total(), 1)
    named = (MUST_ADMIT, MUST_REFUSE)
    return [
        Figure("throttle oracle: answers judged", "count", (done.marks.total(),),
               Goal(AT_LEAST, must=answers, aim=answers)),
        *(Figure(f"throttle oracle: {mark}", "count", (done.marks[mark],)) for mark in named),
        Figure("throttle oracle: undecidable", "share", (share,), Goal(AT_MOST, 0.01, 0.005)),
        Figure("throttle oracle: wrong, or books unclean", "count", (len(done.faults),), NONE),
    ]  # fmt: skip


def soak(plan: Plan) -> list[Figure]:
    """Minutes at four fifths of the knee: nothing creeps, nothing is lost."""
    done = soaked(plan.soak_s, knee_s=plan.knee_s, progress=_say)
    _tell([f"knee: {done.knee.why}", *done.outcome.certificate.faults[:LINES_SHOWN]])
    return soak_figures(done)


def soak_figures(done: Soak) -> list[Figure]:
    """The figures of a soak. A throughput that cannot be believed is not among them."""
    outcome, rate = done.outcome, done.knee.step.throughput if done.knee.step else 0.0
    unclean = int(not outcome.certificate.is_clean)
    withheld = bool(outcome.withheld) or outcome.is_cut_short
    throughput = Figure("soak: throughput", "answers/s", (outcome.summary.overall.throughput,))
    return [
        Figure("soak: knees that were not met", "count", (int(not done.has_knee),), NONE),
        Figure("soak: throughputs withheld", "count", (int(withheld),), NONE),
        Figure("soak: knee", "answers/s", (rate,)),
        Figure("soak: users", "count", (done.users,)),
        *([] if withheld else [throughput]),
        Figure("soak: p99 of the second part", "ms", (done.p99_early_ms,)),
        Figure("soak: p99 of the last part", "ms", (done.p99_late_ms,)),
        Figure("soak: p99 of last against second", "ratio", (done.p99_ratio,),
               Goal(AT_MOST, must=1.2, aim=1.1)),
        Figure("soak: payments stored", "count", (done.stored,)),
        Figure("soak: memory a stored payment", "KiB", (done.memory_kib,),
               Goal(AT_MOST, must=4, aim=2.5)),
        Figure("soak: errors", "share", (outcome.summary.overall.error_share,), NONE),
        Figure("soak: certificates that are not clean", "count", (unclean,), NONE),
    ]  # fmt: skip


PROOFS: Mapping[str, Callable[[Plan], list[Figure]]] = {
    "captures at once": captures,
    "kills": kills,
    "kills on the line": line_kills,
    "deliveries": deliveries,
    "power cuts": power_cuts,
    "throttle oracle": throttling,
    "soak": soak,
}


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _tell(faults: list[str]) -> None:
    for fault in faults:
        typer.echo(fault, err=True)


if __name__ == "__main__":
    typer.run(main)

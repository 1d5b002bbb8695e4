"""Run each proof of a plan and turn its result into figures."""

import tempfile
from functools import partial
from pathlib import Path

from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.oracle.throttle_oracle import MUST_ADMIT, MUST_REFUSE, UNDECIDABLE
from load.proof.captures import AT_ONCE, capture_at_once
from load.proof.deliveries import run_delivery_round
from load.proof.kills import EXTERNAL, INTERNAL, run_kill_round
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, print_line, print_lines, run_program, run_rounds
from load.proof.soak import SoakResult, run_soak
from load.proof.throttling import ThrottleProof, run_throttled
from load.results.summary import ERRORS
from load.traffic.requests import SUCCESS

# The power cuts are one of the gateway's own tests, since this package may not import the store.
POWER_CUTS = "simulator.tests.adapters.store.power_cuts"
# The counts of the power cuts, and their names in the figures.
POWER_CUT_COUNTS = {
    "cuts": "cuts",
    "acknowledged": "acknowledged",
    "unanswered": "no response",
    "unanswered_but_stored": "no response but stored",
}


def power_cut_figures(plan: ProofPlan) -> list[Figure]:
    """Cut the power of the store, on the simulated disk of the gateway's own tests."""
    # The script fails at the first commit that is lost, duplicated or incomplete.
    found = run_program(POWER_CUTS, plan.cuts)
    counts = [
        Figure(f"power cuts: {label}", "count", (found[name],))
        for name, label in POWER_CUT_COUNTS.items()
    ]
    return [*counts, Figure("power cuts: lost, duplicated or incomplete", "count", (0,), NONE)]


def kill_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a server under load; each seed is another instant."""
    rounds, faults = run_rounds(plan.kills, partial(run_kill_round, mode=INTERNAL))
    return [
        Figure("kills", "count", (plan.kills,)),
        Figure("kills: acknowledged", "payments/kill", tuple(one.acknowledged for one in rounds)),
        Figure("kills: no response", "requests/kill", tuple(one.unknown for one in rounds)),
        Figure("kills: faults", "count", (len(faults),), NONE),
    ]


def external_kill_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a server that is connected to a card host: requests in flight are reversed there."""
    rounds, faults = run_rounds(plan.kills, partial(run_kill_round, mode=EXTERNAL))
    advices = tuple(one.advices for one in rounds)
    return [
        Figure("external kills", "count", (plan.kills,)),
        Figure("external kills: reversal advices", "requests/kill", advices),
        Figure("external kills: faults, or ledgers that differ", "count", (len(faults),), NONE),
    ]


def delivery_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a server while notifications are being delivered."""
    rounds, faults = run_rounds(plan.deliveries, run_delivery_round)
    accepted = tuple(one.accepted for one in rounds)
    repeated = tuple(one.repeated for one in rounds)
    return [
        Figure("kills under delivery", "count", (plan.deliveries,)),
        Figure("deliveries: notified", "notifications/kill", accepted),
        Figure("deliveries: repeated", "notifications/kill", repeated),
        Figure("deliveries: lost, or under two event ids", "count", (len(faults),), NONE),
    ]


def capture_figures(plan: ProofPlan) -> list[Figure]:
    """Capture one authorization many times at the same instant, over sockets."""
    with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder:
        done = capture_at_once(Path(folder), plan.captures)
    print_lines(done.faults)
    approved = sum(count for code, count in done.codes.items() if code.startswith(SUCCESS))
    return [
        Figure(f"{AT_ONCE} captures at once", "rounds", (done.rounds,)),
        Figure("captures at once: approved", "count", (approved,)),
        Figure("captures at once: refused", "count", (done.codes.total() - approved,)),
        Figure("captures at once: faults", "count", (len(done.faults),), NONE),
    ]


def throttle_figures(plan: ProofPlan) -> list[Figure]:
    """Check a gateway with limits per second by the throttle oracle."""
    done = run_throttled(plan.throttled, seconds=plan.throttled_s, progress=print_line)
    print_lines(done.faults)
    return evaluate_throttling(done, plan.throttled)


def evaluate_throttling(done: ThrottleProof, requests: int) -> list[Figure]:
    """Return the figures of a throttle proof; fewer than `requests` prove nothing."""
    share = done.marks[UNDECIDABLE] / max(done.marks.total(), 1)
    marks = (MUST_ADMIT, MUST_REFUSE)
    return [
        Figure("throttle oracle: requests checked", "count", (done.marks.total(),),
               Goal(AT_LEAST, must=requests, aim=requests)),
        *(Figure(f"throttle oracle: {mark}", "count", (done.marks[mark],)) for mark in marks),
        Figure("throttle oracle: undecidable", "share", (share,), Goal(AT_MOST, 0.01, 0.005)),
        Figure("throttle oracle: wrong, or closing check not clean", "count", (len(done.faults),),
               NONE),
    ]  # fmt: skip


def soak_figures(plan: ProofPlan) -> list[Figure]:
    """Soak a gateway at four fifths of its knee: latencies do not grow, nothing is lost."""
    done = run_soak(plan.soak_s, knee_s=plan.knee_s, progress=print_line)
    wrong = [each for each in done.outcome.records if each.verdict in ERRORS]
    print_line(f"knee: {done.knee.reason}")
    print_lines(done.outcome.closing_check.faults)
    print_lines(map(str, wrong))
    return evaluate_soak(done)


def evaluate_soak(done: SoakResult) -> list[Figure]:
    """Return the figures of a soak test, without its throughput if that is withheld."""
    outcome, rate = done.outcome, done.knee.step.throughput if done.knee.step else 0.0
    unclean = int(not outcome.closing_check.is_clean)
    is_withheld = bool(outcome.withheld) or outcome.is_interrupted
    throughput = Figure("soak: throughput", "answers/s", (outcome.summary.overall.throughput,))
    return [
        Figure("soak: knees that were not reached", "count", (int(not done.has_knee),), NONE),
        Figure("soak: throughputs withheld", "count", (int(is_withheld),), NONE),
        Figure("soak: knee", "answers/s", (rate,)),
        Figure("soak: users", "count", (done.users,)),
        *([] if is_withheld else [throughput]),
        Figure("soak: p99 of the second part", "ms", (done.p99_early_ms,)),
        Figure("soak: p99 of the last part", "ms", (done.p99_late_ms,)),
        Figure("soak: p99 of last against second", "ratio", (done.p99_ratio,),
               Goal(AT_MOST, must=1.2, aim=1.1)),
        Figure("soak: payments stored", "count", (done.stored,)),
        Figure("soak: memory a stored payment", "KiB", (done.memory_kib,),
               Goal(AT_MOST, must=4, aim=2.5)),
        Figure("soak: errors", "requests", (outcome.summary.overall.errors,), NONE),
        Figure("soak: closing checks that are not clean", "count", (unclean,), NONE),
    ]  # fmt: skip

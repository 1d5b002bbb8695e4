"""The conformance suite, however it is run and through fleets, as figures."""

from typing import Any

from load.figures.figure import Figure
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, print_lines, run_program

STEADY_SUITE = "simulator.tests.measured.steady_suite"
FLEET_SUITE = "simulator.tests.measured.fleet_suite"


def steady_suite_figures(plan: ProofPlan) -> list[Figure]:
    """Check a right gateway with few and many workers, and over a way that takes longer."""
    runs = run_program(STEADY_SUITE, plan.suite_runs, *plan.suite_only)
    return [
        figure
        for number, each in enumerate(runs, start=1)
        for figure in _figures(f"{_steady_name(each)}, run {number}", each)
    ]


def fleet_suite_figures(plan: ProofPlan) -> list[Figure]:
    """Check fleets of two members and more, each request at a random one, and one of members of two
    releases.
    """
    found = run_program(FLEET_SUITE, plan.suite_members, *plan.suite_only)
    named = [(f"{each['members']} members", each) for each in found["fleets"]]
    return [
        figure
        for name, each in (*named, ("members of two releases", found["mixed"]))
        for figure in _figures(f"fleet suite: {name}", each)
    ]


def _steady_name(found: dict[str, Any]) -> str:
    name = f"suite: {found['workers']} workers"
    return f"{name}, slow" if found["slow"] else name


def _figures(name: str, found: dict[str, Any]) -> list[Figure]:
    print_lines(f"{name}: {each}" for each in found["failed"])
    return [
        Figure(f"{name}, passed", "cases", (found["passed"],)),
        Figure(f"{name}, failed", "cases", (len(found["failed"]),), NONE),
        Figure(f"{name}, not checkable", "cases", (found["unchecked"],)),
        Figure(f"{name}, time taken", "s", (found["seconds"],)),
    ]

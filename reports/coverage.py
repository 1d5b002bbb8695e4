"""Coverage: what is known of each requirement, from the scenarios alone or from a run as well.

A requirement is proven where all its cases passed and a broken gateway made for it is caught;
without such a gateway nobody knows whether its cases could fail.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from features.conformance.cases import known_cases
from features.mutants.catalogue import mutants_by_requirement
from reports.matrix import Standing, matrix_of
from reports.requirements import Requirement, planned, requirements
from reports.run import Run

CoverageState = Literal[
    "proven", "unguarded", "has-cases", "failed", "not-checkable", "planned", "missing"
]  # fmt: skip
MISSING: CoverageState = "missing"


class Covered(msgspec.Struct, frozen=True):
    """One requirement, what is known of it, and why."""

    id: str
    section: str
    statement: str
    state: CoverageState
    why: str


class Known(NamedTuple):
    """What is known without a run: cases, broken gateways and reasons, by requirement."""

    requirements: Sequence[Requirement]
    cases: Mapping[str, Sequence[str]]
    guards: Mapping[str, Sequence[str]]
    planned: Mapping[str, str]


def known_of(features: Path | None = None) -> Known:
    """What our own tables say of the shipped suite, or of a folder of features.

    Broken gateways were made for the shipped suite: they say nothing of another. Raises
    BadFeatures.
    """
    return Known(
        requirements(), cases_in(features), {} if features else mutants_by_requirement(), planned()
    )


def coverage_of(run: Run | None, known: Known) -> list[Covered]:
    """The coverage of every requirement, in the order of the specification.

    Without a run nothing is proven; it says which have cases, which are planned, and which are
    missing. An id is missing too where the run did not judge all its cases.
    """
    cases = run.cases if run else ()
    standings = matrix_of(cases, known.requirements, known.planned)
    judged = {case.id for case in cases}
    return [
        Covered(each.id, each.section, each.statement, *_state(each, run, judged, known))
        for each in standings
    ]


def cases_in(features: Path | None = None) -> dict[str, list[str]]:
    """The cases about each requirement, by their addresses: of the shipped suite, or of a folder.

    A row of examples is a case, and so is a boundary of a field. Raises BadFeatures.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for case in known_cases(features):
        for name in sorted(set(case.requirements)):
            found[name].append(case.id)
    return dict(found)


def counts_of(covered: Sequence[Covered]) -> dict[CoverageState, int]:
    """How many requirements are in each state that occurs."""
    return dict(Counter(each.state for each in covered))


def _state(
    standing: Standing, run: Run | None, judged: set[str], known: Known
) -> tuple[CoverageState, str]:
    reason = "; ".join(standing.reasons)
    match standing.state:
        case "failed":
            return "failed", f"failed: {', '.join(standing.cases[:3])}"
        case "waived":
            return "failed", f"waived: {reason}"
        case "not-checkable" | "not-judged":
            return "not-checkable", reason
        case "passed" if run:
            return _passed(standing.id, run, judged, known)
    cases = known.cases.get(standing.id, ())
    if standing.state == "planned" and not cases:
        return "planned", reason
    if not cases:
        return MISSING, "no case names it, nor is it planned"
    if run is None:
        return "has-cases", _cases(len(cases))
    return MISSING, f"not in this run: {_cases(len(cases))}; judge all of them"


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _passed(name: str, run: Run, judged: set[str], known: Known) -> tuple[CoverageState, str]:
    lacking = [case for case in known.cases.get(name, ()) if case not in judged]
    if run.lacks:
        return MISSING, run.lacks
    if lacking:
        return MISSING, f"this run lacks: {lacking[0]}"
    caught = known.guards.get(name, ())
    return ("proven", f"caught: {', '.join(caught)}") if caught else ("unguarded", "")

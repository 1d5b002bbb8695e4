"""Coverage: the state of each requirement and of each expectation of existing clients, from the
test cases alone or from a run as well.

One is proven where all its test cases passed and a mutant made for it is killed; without
a mutant it is not shown that its test cases can fail.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from reports.matrix import RequirementStatus, expectations_of, matrix_of
from reports.requirements import Requirement
from reports.run import RecordedRun

CoverageState = Literal[
    "proven", "unguarded", "has-cases", "failed", "not-checkable", "planned", "beside", "missing"
]  # fmt: skip
MISSING: CoverageState = "missing"


class RequirementCoverage(msgspec.Struct, frozen=True):
    """One requirement or expectation, what is known of it, and why."""

    id: str
    section: str
    statement: str
    state: CoverageState
    why: str


class SuiteFacts(NamedTuple):
    """What is known without a run: test cases, mutants and plans, by requirement or expectation;
    `beside` are those that other tests show.
    """

    requirements: Sequence[Requirement]
    cases: Mapping[str, Sequence[str]]
    mutants: Mapping[str, Sequence[str]]
    planned: Mapping[str, str]
    expectations: Sequence[Requirement] = ()
    beside: Mapping[str, str] = MappingProxyType({})


def coverage_of(run: RecordedRun | None, facts: SuiteFacts) -> list[RequirementCoverage]:
    """The coverage of every requirement, in the order of the specification.

    Without a run nothing is proven; it says which have cases, which are planned, and which are
    missing. A requirement is missing too where the run lacks one of its test cases.
    """
    cases = run.cases if run else ()
    return _covered(matrix_of(cases, facts.requirements, facts.planned), run, facts)


def coverage_of_expectations(
    run: RecordedRun | None, facts: SuiteFacts
) -> list[RequirementCoverage]:
    """The coverage of every expectation of existing clients, in the same way."""
    cases = run.cases if run else ()
    shown = matrix_of(cases, facts.expectations, facts.planned, shown_by=expectations_of)
    return _covered(shown, run, facts)


def _covered(
    standings: Sequence[RequirementStatus], run: RecordedRun | None, facts: SuiteFacts
) -> list[RequirementCoverage]:
    evaluated = {case.id for case in run.cases} if run else set()
    return [
        RequirementCoverage(
            each.id, each.section, each.statement, *_state(each, run, evaluated, facts)
        )
        for each in standings
    ]


def counts_of(covered: Sequence[RequirementCoverage]) -> dict[CoverageState, int]:
    """How many requirements are in each state that occurs."""
    return dict(Counter(each.state for each in covered))


def _state(
    standing: RequirementStatus, run: RecordedRun | None, evaluated: set[str], facts: SuiteFacts
) -> tuple[CoverageState, str]:
    reason = "; ".join(standing.reasons)
    match standing.state:
        case "failed":
            return "failed", f"failed: {', '.join(standing.cases[:3])}"
        case "error":
            return "not-checkable", f"ended in an error: {', '.join(standing.cases[:3])}"
        case "waived":
            return "failed", f"waived: {reason}"
        case "not-checkable" | "not-judged":
            return "not-checkable", reason
        case "passed" if run:
            return _passed(standing.id, run, evaluated, facts)
    cases = facts.cases.get(standing.id, ())
    if standing.state == "planned" and not cases:
        return "planned", reason
    if standing.id in facts.beside and not cases:
        return "beside", facts.beside[standing.id]
    if not cases:
        return MISSING, "no case names it, nor is it planned"
    if run is None:
        return "has-cases", _cases(len(cases))
    return MISSING, f"not in this run: {_cases(len(cases))}; run all of them"


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _passed(
    name: str, run: RecordedRun, evaluated: set[str], facts: SuiteFacts
) -> tuple[CoverageState, str]:
    lacking = [case for case in facts.cases.get(name, ()) if case not in evaluated]
    if run.lacks:
        return MISSING, run.lacks
    if lacking:
        return MISSING, f"this run lacks: {lacking[0]}"
    killed = facts.mutants.get(name, ())
    return ("proven", f"killed: {', '.join(killed)}") if killed else ("unguarded", "")

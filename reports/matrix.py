"""The matrix: for each requirement, what became of the cases that show it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from reports.events import CaseVerdict
from reports.requirements import Requirement
from reports.words import SIGNS, State, reason_of


class RequirementStatus(msgspec.Struct, frozen=True):
    """One requirement: its state, how many cases of each verdict show it, and why it stands so.

    Of several cases the worst one speaks: one that failed outweighs any that passed, and one that
    could not be checked does too. `cases` are the ids of those that speak, unless they passed.
    """

    id: str
    section: str
    statement: str
    state: State
    counts: dict[str, int]
    reasons: list[str]
    cases: list[str]


def requirements_of(case: CaseVerdict) -> Sequence[str]:
    """The requirements that a case shows."""
    return case.requirements


def expectations_of(case: CaseVerdict) -> Sequence[str]:
    """The expectations of existing clients that a case shows."""
    return case.expectations


def matrix_of(
    cases: Sequence[CaseVerdict],
    rows: Sequence[Requirement],
    planned: Mapping[str, str],
    *,
    shown_by: Callable[[CaseVerdict], Sequence[str]] = requirements_of,
) -> list[RequirementStatus]:
    """The standing of every requirement, in the order of the specification."""
    shown = defaultdict(list)
    for case in cases:
        for name in dict.fromkeys(shown_by(case)):
            shown[name].append(case)
    return [_standing(row, shown[row.id], planned.get(row.id)) for row in rows]


def _standing(row: Requirement, cases: list[CaseVerdict], plan: str | None) -> RequirementStatus:
    if not cases:
        idle: State = "planned" if plan else "no-case"
        return RequirementStatus(
            *row, state=idle, counts={}, reasons=[plan] if plan else [], cases=[]
        )
    counts: Counter[str] = Counter(case.verdict for case in cases)
    state = next(each for each in SIGNS if counts[each])
    speaking = [case for case in cases if case.verdict == state != "passed"]
    reasons = sorted(
        {reason_of(case) for case in speaking} if state not in ("failed", "error") else ()
    )
    return RequirementStatus(
        *row,
        state=state,
        counts=dict(counts),
        reasons=reasons,
        cases=[case.id for case in speaking],
    )

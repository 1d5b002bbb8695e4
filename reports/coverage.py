"""Coverage: what is known of each requirement, from the scenarios alone or from a run as well.

A requirement is proven where all its scenarios passed and a broken gateway made for it is caught;
without such a gateway nobody knows whether its scenarios could fail.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from features.broken.box import guards
from reports.matrix import Standing, matrix_of
from reports.requirements import FEATURES, Requirement, planned, requirements
from reports.run import Run

CoverageState = Literal[
    "proven", "unguarded", "has-scenarios", "failed", "not-checkable", "planned", "missing"
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
    """What is known without a run: scenarios, broken gateways and reasons, by requirement."""

    requirements: Sequence[Requirement]
    scenarios: Mapping[str, Sequence[str]]
    guards: Mapping[str, Sequence[str]]
    planned: Mapping[str, str]


def known_of(features: Path = FEATURES) -> Known:
    """What our own tables say, and the scenarios in a folder of features."""
    return Known(requirements(), scenarios_in(features), guards(), planned())


def coverage_of(run: Run | None, known: Known) -> list[Covered]:
    """The coverage of every requirement, in the order of the specification.

    Without a run nothing is proven; it says which have scenarios, which are planned, and which are
    missing. An id is missing too where the run did not judge all its scenarios.
    """
    cases = run.cases if run else ()
    standings = matrix_of(cases, known.requirements, known.planned)
    titles = {case.title for case in cases}
    return [
        Covered(each.id, each.section, each.statement, *_state(each, run, titles, known))
        for each in standings
    ]


def scenarios_in(folder: Path) -> dict[str, list[str]]:
    """The titles of the scenarios that name each id, read from their tags."""
    from pytest_bdd.feature import get_features

    found: dict[str, list[str]] = defaultdict(list)
    for feature in get_features([str(folder)]):
        for scenario in feature.scenarios.values():
            tags = scenario.tags | feature.tags | (scenario.rule.tags if scenario.rule else set())
            for tag in sorted(tag for tag in tags if tag.startswith("req:")):
                found[tag.removeprefix("req:")].append(scenario.name)
    return dict(found)


def counts_of(covered: Sequence[Covered]) -> dict[CoverageState, int]:
    """How many requirements are in each state that occurs."""
    return dict(Counter(each.state for each in covered))


def _state(
    standing: Standing, run: Run | None, titles: set[str], known: Known
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
            return _passed(standing.id, run, titles, known)
    scenarios = known.scenarios.get(standing.id, ())
    if standing.state == "planned" and not scenarios:
        return "planned", reason
    if not scenarios:
        return MISSING, "no scenario names it, nor is it planned"
    if run is None:
        return "has-scenarios", _scenarios(len(scenarios))
    return MISSING, f"not in this run: {_scenarios(len(scenarios))}; judge all of them"


def _scenarios(count: int) -> str:
    return "1 scenario" if count == 1 else f"{count:,} scenarios"


def _passed(
    name: str, run: Run, titles: set[str], known: Known
) -> tuple[CoverageState, str]:
    lacking = [title for title in known.scenarios.get(name, ()) if title not in titles]
    if run.lacks:
        return MISSING, run.lacks
    if lacking:
        return MISSING, f"this run lacks: {lacking[0]}"
    caught = known.guards.get(name, ())
    return ("proven", f"caught: {', '.join(caught)}") if caught else ("unguarded", "")

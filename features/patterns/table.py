"""The table of requirements and patterns: each cell has scenarios, or a reason why it has none."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product, starmap
from pathlib import Path
from typing import NamedTuple

from pytest_bdd.parser import ScenarioTemplate

from features.boundaries.cases import all_cases
from features.gherkin.step_catalogue import shipped_features
from features.patterns.recognition import PATTERNS, patterns_of
from features.spec.tables import requirements

REASONS = Path(__file__).with_name("reasons.csv")
# The requirement of the boundary cases, and the patterns they follow.
OF_BOUNDARIES = "LIM-04"
PATTERNS_OF_BOUNDARIES = ("values", "done", "limit")


class Cell(NamedTuple):
    """A requirement and a pattern."""

    requirement: str
    pattern: str


class Reason(NamedTuple):
    """Why a pattern does not apply to some requirements."""

    pattern: str
    requirements: tuple[str, ...]
    reason: str


def all_cells() -> Iterator[Cell]:
    """Every cell, in the order of the specification."""
    for requirement in requirements():
        for pattern in PATTERNS:
            yield Cell(requirement, pattern)


def scenarios_by_cell() -> Mapping[Cell, list[str]]:
    """The titles of the scenarios of each cell that has some."""
    found: dict[Cell, list[str]] = defaultdict(list)
    for feature in shipped_features():
        for scenario in feature.scenarios.values():
            for cell in _cells_of(scenario):
                found[cell].append(scenario.name)
    for pattern in PATTERNS_OF_BOUNDARIES:
        found[Cell(OF_BOUNDARIES, pattern)].append(f"{len(list(all_cases()))} boundary cases")
    return found


def _cells_of(scenario: ScenarioTemplate) -> Iterator[Cell]:
    """The cells that a scenario belongs to: each of its requirements, with each of its patterns."""
    tags = scenario.tags | scenario.feature.tags
    named = [tag.removeprefix("req:") for tag in tags if tag.startswith("req:")]
    return starmap(Cell, product(named, patterns_of(scenario)))


def read_reasons() -> list[Reason]:
    """The reasons of reasons.csv, in its order."""
    with REASONS.open(encoding="utf-8", newline="") as source:
        return [
            Reason(row["pattern"], tuple(row["requirements"].split()), row["reason"])
            for row in csv.DictReader(source)
        ]


def reasons_by_cell() -> Mapping[Cell, list[Reason]]:
    """The reasons of each cell that has some."""
    found: dict[Cell, list[Reason]] = defaultdict(list)
    for each in read_reasons():
        for requirement in each.requirements:
            found[Cell(requirement, each.pattern)].append(each)
    return found

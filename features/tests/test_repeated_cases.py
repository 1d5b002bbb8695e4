"""No row of examples is tried by another case too."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from pytest_bdd.parser import Step

from features.gherkin.step_catalogue import shipped_features

Lines = tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


class Case(NamedTuple):
    """A case as it is executed: where it stands, its tags, what it does and what it asks."""

    where: str
    is_row: bool
    tags: frozenset[str]
    does: Lines
    asks: Lines


def cases() -> Iterator[Case]:
    for feature in shipped_features():
        for scenario in feature.scenarios.values():
            tags = frozenset(scenario.tags | feature.tags)
            for row in [c for table in scenario.examples for c in table.as_contexts()] or [{}]:
                steps = scenario.render(row).steps
                where = f"{feature.rel_filename}: {scenario.name} [{row.get('why', '')}]"
                does, asks = lines_of(steps, "given", "when"), lines_of(steps, "then")
                yield Case(where, bool(row), tags, does, asks)


def lines_of(steps: list[Step], *kinds: str) -> Lines:
    """The steps of these kinds, each with its table; rows of tables in any order."""
    return tuple(
        (step.name, tuple(sorted(map(tuple, step.datatable.raw() if step.datatable else ()))))
        for step in steps
        if step.type in kinds
    )


def of_kinds(case: Case, *kinds: str) -> set[str]:
    return {tag for tag in case.tags if tag.partition(":")[0] in kinds}


def is_within(one: Case, other: Case) -> bool:
    """Whether a case asks nothing that another one does not, which runs wherever it does, and is
    for the same requirements or asks the very same. What existing clients expect is shown apart.
    """
    if of_kinds(one, "field") or of_kinds(other, "field"):
        return False
    needs = "needs", "decision"
    is_everywhere = of_kinds(other, *needs) <= of_kinds(one, *needs)
    is_same = set(one.asks) == set(other.asks)
    is_part = set(one.asks) <= set(other.asks)
    is_named = of_kinds(one, "req") <= of_kinds(other, "req")
    return is_everywhere and (is_same or (is_part and is_named))


def repeated(found: Iterator[Case]) -> list[tuple[str, str]]:
    alike = defaultdict(list)
    for case in found:
        alike[case.does].append(case)
    return [
        (one.where, other.where)
        for each in alike.values()
        for one in each
        for other in each
        if one.is_row and one is not other and is_within(one, other)
    ]


def test_no_row_is_tried_by_another_case_too() -> None:
    assert repeated(cases()) == []

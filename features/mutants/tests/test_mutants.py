"""Every mutant is killed, each for its own defect."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from features.conformance.cases import load_cases
from features.mutants.catalogue import MUTANTS, forward_unchanged, mutants_by_requirement
from features.mutants.mutant import Mutant
from features.mutants.plugin import CaseResult, TargetRun
from features.mutants.proxy import MutantFunction
from features.mutants.runner import run_apart, serve_mutants
from features.spec.tables import expectations, requirements
from reports.requirements import planned

ORIGINAL = forward_unchanged.__name__


def test_there_are_many_mutants_each_with_its_own_name() -> None:
    names = [each.name for each in MUTANTS]
    assert len(names) >= 250
    assert sorted(set(names)) == sorted(names)
    assert all(each.description and each.requirements and each.killed_by for each in MUTANTS)


def test_a_mutant_is_killed_by_cases_that_exist() -> None:
    known = {name for case in load_cases() for name in (case.title, case.id)}
    assert {name for each in MUTANTS for name in each.killed_by} <= known


def test_a_mutant_breaks_requirements_that_exist() -> None:
    named = {requirement for each in MUTANTS for requirement in each.requirements}
    assert named <= {*requirements(), *expectations()}
    assert set(mutants_by_requirement()) == named & set(requirements())


def test_every_requirement_that_is_not_planned_has_a_mutant() -> None:
    left = set(requirements()) - set(planned())
    assert left - set(mutants_by_requirement()) == set()
    assert len(left) >= 171


@pytest.mark.timeout(300)
def test_a_mutant_of_each_group_is_killed_for_its_own_defect(tmp_path: Path) -> None:
    assert problems_of_all(first_of_each_group(), tmp_path) == {}


@pytest.mark.proof
@pytest.mark.timeout(1200)
def test_every_mutant_is_killed_for_its_own_defect(tmp_path: Path) -> None:
    assert problems_of_all(MUTANTS, tmp_path) == {}


def first_of_each_group() -> list[Mutant]:
    """The first mutant of each group of requirements: PAY, CARD, TDS and so on."""
    chosen: dict[str, Mutant] = {}
    for each in MUTANTS:
        chosen.setdefault(each.requirements[0].rstrip("-0123456789"), each)
    return list(chosen.values())


def problems_of_all(mutants: Sequence[Mutant], folder: Path) -> Mapping[str, list[str]]:
    """The problems of each mutant that has any. The original gateway behind the same proxy has to
    pass all of their scenarios.
    """
    gateways: dict[str, MutantFunction] = {each.name: each for each in mutants}
    gateways[ORIGINAL] = forward_unchanged
    titles = tuple(sorted({title for each in mutants for title in each.killed_by}))
    with serve_mutants(folder, gateways) as targets:
        runs = [
            TargetRun(each.name, str(targets[each.name]), each.killed_by, once=True)
            for each in mutants
        ]
        runs.append(TargetRun(ORIGINAL, str(targets[ORIGINAL]), titles))
        results = by_target(run_apart(folder, runs))

    assert {each.name for each in results[ORIGINAL]} == set(titles)
    assert [each for each in results[ORIGINAL] if each.case.verdict != "passed"] == []
    found = {each.name: problems_of(each, results[each.name]) for each in mutants}
    return {name: problems for name, problems in found.items() if problems}


def problems_of(mutant: Mutant, results: list[CaseResult]) -> list[str]:
    """Why a mutant survived, or was killed for another reason; empty where it was killed."""
    failed = [each for each in results if each.has_failed]
    passed_by = set(mutant.killed_by) - {each.name for each in failed}
    text = "\n".join(each.text for each in failed)
    unnamed = [name for name in mutant.requirements if f"requirement: {name}," not in text]
    return [
        *(f"survives {title}" for title in sorted(passed_by)),
        *(f"{name} is not named" for name in unnamed),
        *(f"fails before a comparison: {each.text}" for each in failed
          if not (each.is_comparison and each.is_in_then)),
    ]  # fmt: skip


def by_target(results: Iterable[CaseResult]) -> Mapping[str, list[CaseResult]]:
    """The results of each target."""
    apart: defaultdict[str, list[CaseResult]] = defaultdict(list)
    for each in results:
        apart[each.target].append(each)
    return apart

"""The judge sees: gateways that are broken in one thing, each failed for that thing alone."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from features.mutants.catalogue import BOX, guards, none_at_all
from features.mutants.mutant import Fault
from features.mutants.plugin import Found, Order
from features.mutants.runner import broken_targets, judged
from features.spec.tables import expectations, requirements
from reports.requirements import planned

SOUND = none_at_all.__name__


def test_there_are_many_faults_and_each_has_a_name_of_its_own() -> None:
    names = [each.name for each in BOX]
    assert len(names) >= 250
    assert sorted(set(names)) == sorted(names)
    assert all(each.meaning and each.requirements and each.caught_by for each in BOX)


def test_a_fault_breaks_requirements_that_exist() -> None:
    named = {requirement for each in BOX for requirement in each.requirements}
    assert named <= {*requirements(), *expectations()}
    assert set(guards()) == named & set(requirements())


def test_every_requirement_that_is_not_planned_is_guarded() -> None:
    left = set(requirements()) - set(planned())
    assert left - set(guards()) == set()
    assert len(left) >= 171


@pytest.mark.timeout(600)
def test_every_broken_gateway_is_failed_for_what_is_wrong_with_it(tmp_path: Path) -> None:
    """A sound gateway behind the same listener passes all of it: so red is red for a reason."""
    gateways = {SOUND: none_at_all, **{each.name: each for each in BOX}}
    titles = tuple(sorted({title for each in BOX for title in each.caught_by}))
    with broken_targets(tmp_path, gateways) as described:
        orders = [
            Order(each.name, str(described[each.name]), each.caught_by, once=True) for each in BOX
        ]
        orders.append(Order(SOUND, str(described[SOUND]), titles))
        found = by_target(judged(tmp_path, orders))

    assert {each.name for each in found[SOUND]} == set(titles)
    assert [each for each in found[SOUND] if each.case.verdict != "passed"] == []
    wrong = {each.name: amiss for each in BOX if (amiss := what_is_amiss(each, found[each.name]))}
    assert wrong == {}


def what_is_amiss(fault: Fault, found: list[Found]) -> list[str]:
    """What was not found of a fault, or found for another reason; nothing where all is well."""
    failed = [each for each in found if each.has_failed]
    passed_by = set(fault.caught_by) - {each.name for each in failed}
    text = "\n".join(each.text for each in failed)
    unnamed = [name for name in fault.requirements if f"requirement: {name}," not in text]
    return [
        *(f"passed by {title}" for title in sorted(passed_by)),
        *(f"{name} is not named" for name in unnamed),
        *(f"fails on its way: {each.text}" for each in failed
          if not (each.is_compared and each.is_judgement)),
    ]  # fmt: skip


def by_target(found: list[Found]) -> Mapping[str, list[Found]]:
    """What was found, apart for each target."""
    apart: defaultdict[str, list[Found]] = defaultdict(list)
    for each in found:
        apart[each.target].append(each)
    return apart

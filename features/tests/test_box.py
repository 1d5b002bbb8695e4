"""The judge sees: gateways that are broken in one thing, each failed for that thing alone."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from features.broken.box import BOX, guards, none_at_all
from features.broken.fault import Fault
from features.broken.judging import broken_targets, judged
from features.broken.several import Found, Order
from features.spec.tables import expectations, requirements
from reports.requirements import planned

SOUND = none_at_all.__name__
# A plain request to a gateway that takes TLS alone: no listener in front of one can spoil that.
OUT_OF_REACH = {"TRN-01"}


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
    left = set(requirements()) - set(planned()) - OUT_OF_REACH
    assert left - set(guards()) == set()
    assert len(left) >= 169


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

    assert {each.case for each in found[SOUND]} == set(titles)
    assert [each for each in found[SOUND] if each.verdict != "passed"] == []
    wrong = {each.name: amiss for each in BOX if (amiss := what_is_amiss(each, found[each.name]))}
    assert wrong == {}


def what_is_amiss(fault: Fault, found: list[Found]) -> list[str]:
    """What was not found of a fault, or found for another reason; nothing where all is well."""
    failed = [case for case in found if case.verdict == "failed"]
    passed_by = set(fault.caught_by) - {case.case for case in failed}
    text = "\n".join(case.text for case in failed)
    unnamed = [name for name in fault.requirements if f"requirement: {name}," not in text]
    return [
        *(f"passed by {title}" for title in sorted(passed_by)),
        *(f"{name} is not named" for name in unnamed),
        *(f"fails at {each.step}: {each.text}" for each in failed if not of_judge(each)),
    ]


def of_judge(case: Found) -> bool:
    """Whether a case failed because the judge compared two things, and not on its way there."""
    return case.compared and (case.step.startswith("then ") or case.case.startswith("FIELD:"))


def by_target(found: list[Found]) -> Mapping[str, list[Found]]:
    """What was found, apart for each target."""
    apart: defaultdict[str, list[Found]] = defaultdict(list)
    for each in found:
        apart[each.target].append(each)
    return apart

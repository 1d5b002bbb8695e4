"""docs/makers/mutants.md is what the command prints, and its survivors do survive."""

from pathlib import Path

import pytest

from features.mutants.catalogue import BOX
from features.mutants.kills import caught, judge_all, of_scenarios, row_of, write
from features.mutants.page import guards_of, page
from features.mutants.plugin import Order
from features.mutants.relocated import moved
from features.mutants.runner import broken_targets, described, judged
from features.mutants.survivors import UNSEEN

STORED = Path(__file__).parents[3] / "docs" / "makers" / "mutants.md"
HOURS_MAX = 6


def test_the_stored_page_is_the_printed_one() -> None:
    command = "python -m features.mutants > docs/makers/mutants.md"
    assert STORED.read_text(encoding="utf-8") == page(), f"run {command}"


def test_a_requirement_without_a_broken_gateway_is_told_from_one_that_does_not_exist() -> None:
    assert guards_of("RCN-01") == "RCN-01: no broken gateway yet\n"
    assert guards_of("RCN-99") == "RCN-99: no such requirement\n"


def test_what_the_whole_suite_caught_is_of_the_box_and_was_caught() -> None:
    rows = caught()
    assert set(rows) <= {each.name for each in BOX}
    assert all(int(row["failed"]) > 0 for row in rows.values())


@pytest.mark.proof
@pytest.mark.timeout(HOURS_MAX * 3600)
def test_the_whole_suite_catches_every_broken_gateway(tmp_path: Path) -> None:
    for each, found in judge_all(of_scenarios(), tmp_path):
        failed = {case.name for case in found if case.has_failed}
        assert set(each.caught_by) <= failed, each.name
        write({**caught(), each.name: row_of(each, found)})


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_what_is_published_as_unseen_is_passed_by_every_scenario(tmp_path: Path) -> None:
    with broken_targets(tmp_path, {each.name: each.gateway for each in UNSEEN}) as targets:
        orders = [Order(each.name, str(targets[each.name])) for each in UNSEEN]
        found = judged(tmp_path, orders)

    passed = {each.target for each in found if each.case.verdict == "passed"}
    assert passed == {each.name for each in UNSEEN}
    assert [each for each in found if each.has_failed] == []


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_target_that_was_judged_before_is_judged_like_the_first_time(tmp_path: Path) -> None:
    with moved(tmp_path) as target:
        file = str(described(tmp_path / "moved.toml", target))
        found = judged(tmp_path, [Order("first", file), Order("again", file)])

    assert [each for each in found if each.has_failed] == []
    assert {each.target for each in found if each.case.verdict == "passed"} == {"first", "again"}

"""docs/makers/mutants.md is what the command prints, and its survivors survive."""

from pathlib import Path

import pytest

from features.mutants.page import render_mutants_of, render_page
from features.mutants.plugin import TargetRun
from features.mutants.relocated import relocated_gateway
from features.mutants.runner import run_apart, run_suite, serve_mutants, write_target
from features.mutants.survivors import SURVIVORS

STORED = Path(__file__).parents[3] / "docs" / "makers" / "mutants.md"


def test_the_stored_page_is_the_printed_one() -> None:
    command = "python -m features.mutants > docs/makers/mutants.md"
    assert STORED.read_text(encoding="utf-8") == render_page(), f"run {command}"


def test_the_mutants_of_a_requirement_are_shown_and_an_unknown_one_is_named() -> None:
    assert render_mutants_of("RCN-01").count("breaks RCN-01") == 2
    assert render_mutants_of("RCN-99") == "RCN-99: no such requirement\n"


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_survivors_pass_every_scenario(tmp_path: Path) -> None:
    with serve_mutants(tmp_path, {each.name: each.function for each in SURVIVORS}) as targets:
        runs = [TargetRun(each.name, str(targets[each.name])) for each in SURVIVORS]
        results = list(run_apart(tmp_path, runs))

    passed = {each.target for each in results if each.case.verdict == "passed"}
    assert passed == {each.name for each in SURVIVORS}
    assert [each for each in results if each.has_failed] == []


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_second_run_against_a_target_has_the_same_verdicts(tmp_path: Path) -> None:
    with relocated_gateway(tmp_path) as target:
        file = str(write_target(tmp_path / "moved.toml", target))
        results = run_suite(tmp_path, [TargetRun("first", file), TargetRun("again", file)])

    assert [each for each in results if each.has_failed] == []
    assert {each.target for each in results if each.case.verdict == "passed"} == {"first", "again"}

"""docs/makers/mutants.md is what the command prints, and its survivors survive."""

from pathlib import Path

import pytest

from features.mutants.catalogue import forward_unchanged
from features.mutants.page import render_mutants_of, render_page
from features.mutants.plugin import TargetRun
from features.mutants.relocated import relocated_gateway
from features.mutants.runner import run_apart, run_suite, serve_mutants, write_target
from features.mutants.survivors import SURVIVORS

ORIGINAL = forward_unchanged.__name__
PROXIED_FAIL_MAX = 4
STORED = Path(__file__).parents[3] / "docs" / "makers" / "mutants.md"


def test_the_stored_page_is_the_printed_one() -> None:
    command = "python -m features.mutants > docs/makers/mutants.md"
    assert STORED.read_text(encoding="utf-8") == render_page(), f"run {command}"


def test_the_mutants_of_a_requirement_are_shown_and_an_unknown_one_is_named() -> None:
    assert render_mutants_of("RCN-01").count("breaks RCN-01") == 2
    assert render_mutants_of("RCN-99") == "RCN-99: no such requirement\n"


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_survivors_fail_no_more_than_the_original_behind_the_same_proxy(tmp_path: Path) -> None:
    # The proxy lengthens addresses that it calls back: longest ones are too long there.
    gateways = {each.name: each.function for each in SURVIVORS} | {ORIGINAL: forward_unchanged}
    with serve_mutants(tmp_path, gateways) as targets:
        runs = [TargetRun(name, str(targets[name])) for name in gateways]
        results = list(run_apart(tmp_path, runs))

    failed = {
        name: {each.case.id for each in results if each.target == name and each.has_failed}
        for name in gateways
    }
    assert {each.target for each in results if each.case.verdict == "passed"} == set(gateways)
    assert failed == dict.fromkeys(gateways, failed[ORIGINAL])
    assert len(failed[ORIGINAL]) <= PROXIED_FAIL_MAX


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_second_run_against_a_target_has_the_same_verdicts(tmp_path: Path) -> None:
    with relocated_gateway(tmp_path) as target:
        file = str(write_target(tmp_path / "moved.toml", target))
        results = run_suite(tmp_path, [TargetRun("first", file), TargetRun("again", file)])

    assert [each for each in results if each.has_failed] == []
    assert {each.target for each in results if each.case.verdict == "passed"} == {"first", "again"}

"""Texts that no encoding has, such as half a surrogate pair: they end no run."""

import subprocess
from pathlib import Path

from features.tests.shop_folder import SANDGATE, cases_in, check
from simulator.client.listener import ListenerResponse, listening
from simulator.client.processes import without_settings

FEATURE = "Feature: Odd\n" + "".join(
    f"  Scenario: It {what}\n    Then an odd text {what}\n"
    for what in ("differs", "raises", "skips")
)
CONFTEST = r"""
import pytest
from pytest_bdd import then

@then("an odd text differs")
def differs():
    print("\ud800")
    assert "abc\ud800" == "abd"

@then("an odd text raises")
def raises():
    raise ValueError("abc\udcff")

@then("an odd text skips")
def skips():
    pytest.skip("abc\ud800")
"""


def test_a_step_that_shows_an_odd_text_ends_no_run(folder: Path) -> None:
    (folder / "odd").mkdir()
    (folder / "odd" / "odd.feature").write_text(FEATURE)
    (folder / "odd" / "conftest.py").write_text(CONFTEST)
    ran = check(folder, "target.toml", "--features", "odd", "-n", "2", "--events", "events.jsonl")
    cases = cases_in(folder / "events.jsonl")

    assert {name: case.verdict for name, case in cases.items()} == {
        "It differs": "failed", "It raises": "error", "It skips": "failed"
    }, ran.stderr  # fmt: skip
    assert "abc\\ud800" in cases["It differs"].failure.text


def test_a_state_page_with_half_a_surrogate_pair_is_judged(tmp_path: Path) -> None:
    odd = ListenerResponse(200, {"Content-Type": "application/json"}, rb'{"state": "\ud800"}')
    with listening(lambda _: odd) as url:
        ran = subprocess.run(
            [*SANDGATE, "check-merchant", "--webhook-url", f"{url}webhook",
             "--state-url", f"{url}state", "--only", "understands:then-paid", "--settle", "0.05",
             "--json", "report.json"],
            env={**without_settings(), "SANDGATE_WEBHOOK_SECRET": "a" * 64},
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip

    assert (ran.returncode, ran.stderr) == (3, "")
    assert r"not paid but \ud800" in ran.stdout
    assert rb"\\ud800" in (tmp_path / "report.json").read_bytes()

"""Scenarios that need a browser say what to install where there is none."""

import sys
from pathlib import Path

import pytest

from features.support.browsers import no_browser, problem_of
from features.tests.shop_folder import cases_in, check
from simulator.client.extras import install_command

DRIVER = f"this needs a browser: install Chromium, then run: {install_command('browser')}"


@pytest.mark.parametrize(
    ("has_driver", "named", "own", "problem"),
    [
        (False, "/usr/bin/chromium", True, DRIVER),
        (True, None, False, no_browser()),
        (True, "/usr/bin/chromium", False, ""),
        (True, None, True, ""),
    ],
)
def test_a_machine_lacks_the_driver_or_the_browser(
    has_driver: bool, named: str | None, own: bool, problem: str
) -> None:
    found = problem_of(has_driver=has_driver, find_named=lambda: named, find_own=lambda: own)

    assert found == problem


def test_a_run_without_a_browser_reports_what_to_install(tmp_path: Path) -> None:
    bare = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}

    ran = check(tmp_path, "--only", "FORM-08", "--events", "events.jsonl", **bare)

    cases = cases_in(tmp_path / "events.jsonl").values()
    assert {(each.verdict, each.reason) for each in cases} == {("not-checkable", no_browser())}
    assert f"{sys.executable} -m playwright install chromium" in ran.stdout

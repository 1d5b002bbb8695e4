"""The relocated target passes, except for cases that are not checkable there."""

import re
from pathlib import Path

import pytest

from features.conformance.cases import load_cases
from features.mutants.plugin import TargetRun
from features.mutants.relocated import relocated_gateway
from features.mutants.runner import run_suite, write_target

# What a target without a control API, and without a second host, cannot offer.
NEEDS = {
    "channels",
    "clock",
    "control",
    "live",
    "other",
    "pauses",
    "scripts",
    "settlement",
    "terminal",
    "throttling",
    "tls",
}
POSTED = "A notification is delivered to the merchant's receiver"
# The address of the redirect is in the response and in its notification.
REDIRECTED = "Every payment that is pending is notified as it is answered"
OTHERS = 8


def some_titles() -> tuple[str, ...]:
    """Every eighth scenario, one whose notification the misled target cannot open, and one whose
    notification says where the gateway is.
    """
    titles = sorted({case.title for case in load_cases()})
    return (POSTED, REDIRECTED, *titles[::OTHERS])


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("is_whole", "passed_least"),
    [(False, 70), pytest.param(True, 2000, marks=pytest.mark.proof)],
    ids=["some", "all"],
)
def test_the_relocated_target_passes_its_checkable_cases(
    tmp_path: Path, is_whole: bool, passed_least: int
) -> None:
    titles = () if is_whole else some_titles()
    with relocated_gateway(tmp_path) as target:
        assert "://localhost:" in target["base_url"]
        run = TargetRun("moved", str(write_target(tmp_path / "moved.toml", target)), titles)
        misled = write_target(tmp_path / "misled.toml", {**target, "receiver.key": "0" * 64})
        results = run_suite(tmp_path, [run, TargetRun("misled", str(misled), (POSTED,))])

    (unopened,) = [each for each in results if each.target == "misled"]
    assert unopened.has_failed
    assert "a payload in the wrapper" in unopened.text
    results.remove(unopened)
    assert POSTED in {each.name for each in results if each.case.verdict == "passed"}
    aside = [each.case.reason for each in results if each.case.verdict == "not-checkable"]
    assert {each.case.verdict for each in results} == {"passed", "not-checkable"}
    needed = {need for reason in aside for need in needs_in(reason)}
    assert needed <= NEEDS
    assert needed == NEEDS or not is_whole
    assert sum(each.case.verdict == "passed" for each in results) >= passed_least


def needs_in(text: str) -> list[str]:
    """The needs named in the reason of a case that is not checkable."""
    named = re.search(r"does not offer (.+)", text)
    return named[1].split(", ") if named else []

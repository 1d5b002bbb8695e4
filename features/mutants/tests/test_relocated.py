"""Our own gateway is judged wherever it is: what cannot be checked there is known."""

import re
from pathlib import Path

import pytest

from features.mutants.plugin import Order
from features.mutants.relocated import moved
from features.mutants.runner import described, judged

# What a target without a control API, and without a second host, cannot offer.
NEEDS = {"clock", "control", "inbox", "live", "scripts", "throttling", "tls"}
POSTED = "A notification is posted to the merchant's receiver"
PASSED_LEAST = 590


@pytest.mark.timeout(300)
def test_the_moved_gateway_passes_all_that_can_be_checked_there(tmp_path: Path) -> None:
    with moved(tmp_path) as target:
        assert "://localhost:" in target["base_url"]
        order = Order("moved", str(described(tmp_path / "moved.toml", target)))
        misled = described(tmp_path / "misled.toml", {**target, "receiver.key": "0" * 64})
        found = judged(tmp_path, [order, Order("misled", str(misled), (POSTED,))])

    (unopened,) = [each for each in found if each.target == "misled"]
    assert unopened.has_failed
    assert "a payload in the wrapper" in unopened.text
    found.remove(unopened)
    assert POSTED in {each.name for each in found if each.case.verdict == "passed"}
    aside = [each.case.reason for each in found if each.case.verdict == "not-checkable"]
    assert {each.case.verdict for each in found} == {"passed", "not-checkable"}
    assert {need for reason in aside for need in needs_in(reason)} == NEEDS
    assert sum(each.case.verdict == "passed" for each in found) >= PASSED_LEAST


def needs_in(text: str) -> list[str]:
    """The needs that are named where a case was not checkable."""
    named = re.search(r"does not offer (.+)", text)
    return named[1].split(", ") if named else []

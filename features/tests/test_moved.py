"""Our own gateway is judged wherever it is: what cannot be checked there is known."""

import re
from pathlib import Path

import pytest

from features.broken.judging import described, judged
from features.broken.moved import moved
from features.broken.several import Order

# What a target without a control API, and without a second host, cannot offer.
NEEDS = {
    "clock", "control", "inbox", "live", "scripts", "throttling", "tls", "webhooks",
}  # fmt: skip
PASSED_LEAST = 590


@pytest.mark.timeout(300)
def test_the_moved_gateway_passes_all_that_can_be_checked_there(tmp_path: Path) -> None:
    with moved(tmp_path) as target:
        assert "://localhost:" in target["base_url"]
        order = Order("moved", str(described(tmp_path / "moved.toml", target)))
        found = judged(tmp_path, [order])

    aside = [each.case.reason for each in found if each.case.verdict == "not-checkable"]
    assert {each.case.verdict for each in found} == {"passed", "not-checkable"}
    assert {need for reason in aside for need in needs_in(reason)} == NEEDS
    assert sum(each.case.verdict == "passed" for each in found) >= PASSED_LEAST


def needs_in(text: str) -> list[str]:
    """The needs that are named where a case was not checkable."""
    named = re.search(r"does not offer (.+)", text)
    return named[1].split(", ") if named else []

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

    skipped = [each.text for each in found if each.verdict == "skipped"]
    assert [each for each in found if each.verdict == "failed"] == []
    assert {need for text in skipped for need in needs_in(text)} == NEEDS
    assert all("not checkable: " in text for text in skipped)
    assert sum(each.verdict == "passed" for each in found) >= PASSED_LEAST


def needs_in(text: str) -> list[str]:
    """The needs that are named where a case was not checkable."""
    named = re.search(r"does not offer (.+)", text)
    return named[1].split(", ") if named else []

"""What a scenario must say that it needs: public calls alone are made by those that say nothing.

A fixture that is more than the merchant API entitles nobody who has not one of its tags. Opening
the sandbox of a scenario needs none: where there is no control API, the target's own merchant pays.
"""

from collections.abc import Mapping

import pytest

from features.target.records import OFFERS

#  fixture            one of these tags entitles to it
FIXTURES: Mapping[str, frozenset[str]] = {
    "control":        frozenset({"control", "clock", "scripts", "throttling", "inbox"}),
    "open_shops":     frozenset({"control", "throttling"}),
    "receiver":       frozenset({"webhooks"}),
    "notified":       frozenset({"webhooks"}),
    "live_client":    frozenset({"live"}),
}  # fmt: skip
#  call of Control    one of these tags entitles to it
CALLS: Mapping[str, frozenset[str]] = {
    "set_clock":        frozenset({"clock"}),
    "advance_clock":    frozenset({"clock"}),
    "arm_script":       frozenset({"scripts"}),
    "script":           frozenset({"scripts"}),
    "disarm_script":    frozenset({"scripts"}),
    "set_throttles":    frozenset({"throttling"}),
    "create_webhook":   frozenset({"control", "inbox"}),
    "inbox":            frozenset({"inbox"}),
    "notices":          frozenset({"inbox"}),
    "resend_notice":    frozenset({"inbox"}),
}  # fmt: skip
# Every other call of Control: clocks, scripts and listeners come with one.
ANY_OTHER_CALL = FIXTURES["control"]


class MissingTagError(AssertionError):
    """A scenario uses something that none of its tags says it needs."""


def demand_tag(node: pytest.Item, fixture: str) -> None:
    """Refuse a fixture to a scenario that has no tag for it. Raises MissingTagError.

    What is no scenario, such as a test of the judge itself, may have it.
    """
    needs = {mark.args[0] for mark in node.iter_markers("needs")}
    entitling = FIXTURES[fixture]
    if not needs & entitling:
        tags = ", ".join(f"@needs:{offer}" for offer in OFFERS if offer in entitling)
        raise MissingTagError(f"{node.name} uses {fixture} and has none of the tags {tags}")

"""The tags a scenario must have: without one it may use the merchant API alone.

A fixture beyond the merchant API is refused to a scenario without one of its tags. Creating the
sandbox of a scenario needs none: without a control API, the target's own merchant pays.
"""

from collections.abc import Mapping

import pytest

from features.target.records import OFFERS

#  fixture            one of these tags is required
FIXTURES: Mapping[str, frozenset[str]] = {
    "control":        frozenset({"control", "clock", "scripts", "settlement"}),
    "open_shops":     frozenset({"control", "settlement"}),
    "open_channel":   frozenset({"control", "channels"}),
    "two_merchants":  frozenset({"control", "other", "throttling"}),
    "foreign_merchant": frozenset({"control", "other"}),
    "inbox":          frozenset({"inbox"}),
    "let_pass":       frozenset({"pauses"}),
    "limited_merchant": frozenset({"throttling"}),
    "receiver":       frozenset({"webhooks"}),
    "known_terminal": frozenset({"control", "terminal"}),
    "notified":       frozenset({"webhooks"}),
    "live_client":    frozenset({"live"}),
    "shop_with_form": frozenset({"browser"}),
}  # fmt: skip
#  call of Control    one of these tags is required
CALLS: Mapping[str, frozenset[str]] = {
    "set_clock":        frozenset({"clock", "settlement"}),
    "advance_clock":    frozenset({"clock", "settlement"}),
    "settle":           frozenset({"settlement"}),
    "settlement":       frozenset({"settlement"}),
    "plant_settlement_faults": frozenset({"settlement"}),
    "set_sftp_access":  frozenset({"settlement"}),
    "arm_script":       frozenset({"scripts"}),
    "script":           frozenset({"scripts"}),
    "disarm_script":    frozenset({"scripts"}),
    "set_throttles":    frozenset({"control"}),
}  # fmt: skip
# Every other call of Control: clocks, scripts and listeners come with one.
ANY_OTHER_CALL = FIXTURES["control"]


class MissingTagError(AssertionError):
    """A scenario uses something for which it has no tag."""


def demand_tag(node: pytest.Item, fixture: str) -> None:
    """Refuse a fixture to a scenario that has no tag for it. Raises MissingTagError.

    A test that is no scenario may have it.
    """
    needs = {mark.args[0] for mark in node.iter_markers("needs")}
    entitling = FIXTURES[fixture]
    if not needs & entitling:
        tags = ", ".join(f"@needs:{offer}" for offer in OFFERS if offer in entitling)
        raise MissingTagError(f"{node.name} uses {fixture} and has none of the tags {tags}")

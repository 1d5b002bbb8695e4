"""The tags a scenario must have: without one it may use the merchant API alone.

A fixture beyond the merchant API is refused to a scenario without one of its tags. Creating the
sandbox of a scenario needs none: without a control API, the target's own merchant pays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from features.gherkin.other_accounts import NEED, OTHER_BRANDS
from features.target.records import OFFERS
from simulator.client import Answer, OutgoingRequest, SendRequest

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
SHIPPED = Path(__file__).parents[1]
BRAND = b"paymentBrand"
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


@dataclass
class BrandGuard:
    """Refuses brands that are no cards to a shipped case without the need of them."""

    name: str = ""
    is_free: bool = True

    def begin(self, item: pytest.Item) -> None:
        """Guard the requests of this test case."""
        needs = {mark.args[0] for mark in item.iter_markers("needs")}
        self.name = item.name
        self.is_free = NEED in needs or not item.path.is_relative_to(SHIPPED)

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """Send a request, unless the case may not. Raises MissingTagError."""
        if not self.is_free and asked.body is not None and BRAND in asked.body:
            brands = parse_qs(asked.body.decode("utf-8", "replace")).get(BRAND.decode(), [])
            others = sorted({*brands} & {*OTHER_BRANDS})
            if others:
                raise MissingTagError(
                    f"{self.name} pays by {', '.join(others)} and has no tag @needs:{NEED}"
                )
        return send()

"""Webhook events: what one row of `catalogue/events.py` says."""

from typing import NamedTuple

# The types of events.
PAYMENT, REGISTRATION, SCHEDULE, RISK = "PAYMENT", "REGISTRATION", "SCHEDULE", "RISK"
SETTLEMENT = "SETTLEMENT"


class Emission(NamedTuple):
    """One row: what happens by requests of which types, and the webhook event it emits."""

    change: str
    payment_types: tuple[str, ...]
    type: str
    action: str
    means: str
    choice: str = "D-80"

    @property
    def name(self) -> str:
        """The event as commands write it: payment.created."""
        return f"{self.type}.{self.action}".lower()

"""What a gateway shows after a run, as the evidence of the closing check. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from load.ledger.records import ReceivedEvent


class PaymentSnapshot(NamedTuple):
    """A payment or registration as the gateway shows it; status 0 if a report showed it."""

    id: str
    type: str
    amount: str
    currency: str
    code: str
    status: int = 0


class GatewayCounters(NamedTuple):
    """What the gateway counted: responses by operation and status, and payments by type."""

    responses: Mapping[tuple[str, int], int]
    payments: Mapping[str, int]
    throttled: Mapping[str, int]

    def since(self, before: "GatewayCounters") -> "GatewayCounters":
        """Return what was counted after `before`."""
        return GatewayCounters(
            Counter(self.responses) - Counter(before.responses),
            Counter(self.payments) - Counter(before.payments),
            Counter(self.throttled) - Counter(before.throttled),
        )


@dataclass(frozen=True, slots=True)
class ClosingEvidence:
    """What the gateway shows after a run. What is not available is None, and not checked.

    `payments` are payments and registrations by id, `trees` all payments by merchantTransactionId.
    `unread` are ids and references that could not be read: those are neither lost nor found.
    With `is_exclusive` the gateway has no other clients, so it may have counted nothing more.
    """

    payments: Mapping[str, PaymentSnapshot] | None = None
    trees: Mapping[str, Sequence[PaymentSnapshot]] | None = None
    unread: frozenset[str] = frozenset()
    events: Sequence[ReceivedEvent] | None = None
    unreadable_events: int = 0
    counters: GatewayCounters | None = None
    is_exclusive: bool = True

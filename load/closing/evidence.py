"""What a gateway shows after a run, as the evidence of the closing check. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
class SettledFiles:
    """What the merchant's settlement files say: the amounts of the lines of each payment, without
    fees, and the rules that a line breaks. `not_checked` is why there is none.
    """

    amounts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    broken: Sequence[str] = ()
    not_checked: str = ""


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
    settled: SettledFiles | None = None

"""Closing the books of gateway and card host against each other. Choice: D-188."""

from decimal import Decimal

from simulator.domain.card_books import CardEntry, Difference, differences
from simulator.domain.ports import Ports, key_of
from simulator.domain.records import Payment, State
from simulator.service.external import travels

LAST = "~"
MOVED_NOTHING = frozenset({State.FAILED, State.OPEN, State.PENDING})


def open_books(ports: Ports) -> list[Difference]:
    """Where the two sides differ about a payment that travelled; none where the books close."""
    entries = ports.store.between(CardEntry, "date", "", LAST)
    return sorted(differences(_moved(ports), entries), key=lambda each: each.payment)


def _moved(ports: Ports) -> dict[str, Decimal]:
    """What each payment that travelled moved, by the gateway's records."""
    found = {}
    for merchant in ports.sandbox.merchants:
        bounds = (key_of(merchant.id, ""), key_of(merchant.id, LAST))
        for payment in ports.store.between(Payment, "history", *bounds):
            is_moved = payment.state not in MOVED_NOTHING and payment.money is not None
            if travels(payment) and is_moved:
                found[payment.id] = payment.moved.amount
    return found

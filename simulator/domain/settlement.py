"""Settling an attempt: what the acquirer's answer does to the payment, to its parent and to the
books.
"""

from datetime import datetime

from msgspec.structs import replace

from simulator.catalogue.references import REFERENCES
from simulator.catalogue.results import class_of
from simulator.domain.ledger import postings_of
from simulator.domain.records import (
    Outcome,
    Payment,
    PaymentType,
    Registration,
    SealedCard,
    State,
)
from simulator.domain.transitions import APPROVED, Event, next_state
from simulator.grammar.references import REPEAT, VOID

APPROVALS = frozenset({"success", "review"})
DEFERRALS = frozenset({"pending", "pending_delayed"})
REVERSED_AT_START = Outcome(code="900.100.301", decided_by="attempt open at start")


def event_of(payment: Payment, outcome: Outcome) -> Event:
    """What `outcome` means for `payment`, by the class of its result code."""
    kind = class_of(outcome.code)
    if kind in DEFERRALS:
        return Event.DEFERRED
    return APPROVED[payment.type] if kind in APPROVALS else Event.DECLINED


def settle(payment: Payment, parent: Payment | None, outcome: Outcome, *, now: datetime) -> tuple:
    """The records an answer leaves: the payment settled, its parent, and the ledger entries.

    The attempt is gone. The first record is the payment.
    """
    event = event_of(payment, outcome)
    settled = replace(
        payment, state=next_state(payment.state, event), outcome=outcome, attempt=None
    )
    if event is Event.DEFERRED:
        return (settled,)
    approved = event is not Event.DECLINED
    after = _parent_after(parent, payment, approved=approved)
    reversed_type = parent.type if parent is not None else None
    return (settled, *after, *(postings_of(settled, reversed_type, now) if approved else ()))


def _parent_after(
    parent: Payment | None, payment: Payment, *, approved: bool
) -> tuple[Payment, ...]:
    if parent is None or REFERENCES[payment.type].effect == REPEAT:
        return ()
    freed = replace(parent, reserved=parent.reserved - payment.moved.amount)
    if not approved:
        return (freed,)
    if REFERENCES[payment.type].effect == VOID:
        return (replace(freed, state=next_state(parent.state, Event.VOIDED)),)
    taken = parent.taken + payment.moved.amount
    event = Event.TAKEN_WHOLLY if taken == parent.moved.amount else Event.TAKEN_PARTLY
    return (replace(freed, taken=taken, state=next_state(parent.state, event)),)


def registers(payment: Payment) -> bool:
    """Whether a settled payment leaves a registration: an approved RG, or createRegistration=true.
    """
    if payment.state in (State.FAILED, State.PENDING):
        return False
    asked = payment.sent.get("createRegistration") in ("true", "1")
    return payment.type is PaymentType.RG or (asked and payment.sealed_card is not None)


def registration_of(payment: Payment, identity: str, sealed: SealedCard) -> Registration:
    """The registration an approved payment leaves. Source: Tokenization and registration."""
    assert payment.brand is not None and payment.card is not None, "only a card is registered"
    return Registration(
        id=identity,
        stamp=payment.stamp,
        created_at=payment.created_at,
        brand=payment.brand,
        card=payment.card,
        sealed_card=sealed,
        payment=payment.id,
        host=payment.host,
    )

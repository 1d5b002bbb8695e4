"""Applies the acquirer's response to a payment, its parent and the ledger."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import class_of
from simulator.domain.accounts.accounts import account_in
from simulator.domain.chargebacks import apply_chargeback, apply_chargeback_reversal, returns_of
from simulator.domain.core.money import ZERO, Money, as_part
from simulator.domain.core.parameters import receiving_in
from simulator.domain.core.records import (
    Outcome,
    Payment,
    PaymentType,
    Registration,
    SealedCard,
    State,
)
from simulator.domain.payments.ledger import accounts_moved, is_recorded_only
from simulator.domain.payments.transitions import APPROVED, Event, next_state
from simulator.domain.recurring import ISSUED, TRANSACTION
from simulator.grammar.payment_types import RESERVING, PaymentEffect
from simulator.grammar.results import APPROVALS, DEFERRALS

REVERSED_AT_START = Outcome(code="900.100.301", decided_by="attempt open at start")
REVERSED_UNSTORED = Outcome(code="900.100.301", decided_by="its response was not stored")


def event_of(payment: Payment, outcome: Outcome) -> Event:
    """What `outcome` means for `payment`, by the class of its result code."""
    kind = class_of(outcome.code)
    if kind in DEFERRALS:
        return Event.DEFERRED
    return APPROVED[payment.type] if kind in APPROVALS else Event.DECLINED


def apply_outcome(
    payment: Payment,
    parent: Payment | None,
    outcome: Outcome,
    *,
    now: datetime,
    root: Payment | None = None,
) -> tuple[Any, ...]:
    """The records an answer leaves: the payment settled, with the accounts of its ledger entry, its
    parent, what a dispute is about (`root`, where that is not the parent), and money that will be
    returned.

    The attempt is gone. The first record is the payment.
    """
    event = event_of(payment, outcome)
    answered = outcome if outcome.returned is None else replace(outcome, returned=None)
    is_approved = event not in (Event.DEFERRED, Event.DECLINED)
    posted = accounts_moved(payment, root or parent) if is_approved else None
    settled = replace(
        payment,
        state=next_state(payment.state, event),
        money=_approved_money(payment, outcome),
        outcome=answered,
        attempt=None,
        posted=posted,
        posted_at=None if posted is None else now,
    )
    if event is Event.DEFERRED:
        # What it holds of its parent stays held, and may not have been stored yet.
        return (settled, *_reserving(parent, payment))
    if event is Event.DECLINED:
        return (settled, *_release_reserved(parent, payment))
    after = () if parent is None else _parent_after(parent, payment, root or parent)
    returned = () if outcome.returned is None else returns_of(settled, outcome.returned, now)
    return (settled, *after, *returned)


def _approved_money(payment: Payment, outcome: Outcome) -> Money | None:
    """What a payment is for: the part of its amount that was approved, where not all of it was."""
    if payment.money is None or outcome.approved is None:
        return payment.money
    return Money(outcome.approved, payment.money.currency)


def _reserving(parent: Payment | None, payment: Payment) -> tuple[Payment, ...]:
    """The parent, where something is held of it."""
    if parent is None or PAYMENT_TYPES[payment.type].effect not in RESERVING:
        return ()
    return (parent,)


def _release_reserved(parent: Payment | None, payment: Payment) -> tuple[Payment, ...]:
    """The parent without what was held of it."""
    return tuple(
        replace(each, reserved=max(each.reserved - as_part(payment.moved), ZERO))
        for each in _reserving(parent, payment)
    )


def _parent_after(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    return AFTER[PAYMENT_TYPES[payment.type].effect](parent, payment, root)


def _after_use(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    (freed,) = _release_reserved(parent, payment)
    taken = parent.taken + as_part(payment.moved)
    event = Event.WHOLLY_USED if taken >= parent.moved.amount else Event.PARTLY_USED
    return (replace(freed, taken=taken, state=next_state(parent.state, event)),)


def _after_receipt(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    if not is_recorded_only(payment.type, parent.type):
        return _after_use(parent, payment, root)
    return (replace(parent, received=parent.received + payment.moved.amount),)


def _after_reversal(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    (freed,) = _release_reserved(parent, payment)
    return (replace(freed, state=next_state(parent.state, Event.REVERSED)),)


def _after_rebill(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    return ()


def _after_chargeback(parent: Payment, payment: Payment, root: Payment) -> tuple[Payment, ...]:
    return apply_chargeback(root, parent, payment)


def _after_chargeback_reversal(
    parent: Payment, payment: Payment, root: Payment
) -> tuple[Payment, ...]:
    return apply_chargeback_reversal(root, parent, payment)


# fmt: off
AFTER: Mapping[PaymentEffect, Callable[[Payment, Payment, Payment], tuple[Payment, ...]]] = {
    PaymentEffect.CAPTURE:             _after_use,
    PaymentEffect.RECEIPT:             _after_receipt,
    PaymentEffect.REFUND:              _after_use,
    PaymentEffect.REVERSAL:            _after_reversal,
    PaymentEffect.REBILL:              _after_rebill,
    PaymentEffect.CHARGEBACK:          _after_chargeback,
    PaymentEffect.CHARGEBACK_REVERSAL: _after_chargeback_reversal,
}
# fmt: on


def needs_completion(payment: Payment) -> bool:
    """Whether an answered payment may leave or change a registration or an agreement."""
    return (
        payment.agreement is not None
        or TRANSACTION in payment.sent
        or payment.registration is not None
        or payment.type is PaymentType.RG
        or "createRegistration" in payment.sent
        or (payment.outcome is not None and ISSUED in payment.outcome.details)
    )


def leaves_registration(payment: Payment) -> bool:
    """Whether a settled payment leaves a registration: an approved RG, or createRegistration=true.

    A payment that was made from one leaves no second.
    """
    if payment.state in (State.FAILED, State.PENDING) or payment.registration is not None:
        return False
    asked = payment.sent.get("createRegistration") in ("true", "1")
    return payment.type is PaymentType.RG or (asked and payment.referenced is None)


def registration_of(payment: Payment, identity: str, sealed: SealedCard | None) -> Registration:
    """The registration an approved payment leaves. Source: Tokenization and registration."""
    assert payment.brand is not None, "a registration has a brand"
    return Registration(
        id=identity,
        stamp=payment.stamp,
        created_at=payment.created_at,
        brand=payment.brand,
        card=payment.card,
        sealed_card=sealed,
        account=account_in(payment.sent),
        sent=payment.sent,
        shown=receiving_in(payment.shown),
        outcome=payment.outcome,
        ndc=payment.ndc,
        payment=payment.id,
        host=payment.host,
    )

"""Chargebacks, chargeback reversals, and direct debits that a bank returns after some days.

A chargeback (CB) reduces the payment it is about as a refund does; a chargeback reversal (CR)
restores it, and a second chargeback may follow, which is final.
Source: Chargeback back-office parameter. Choices: D-147 to D-149.
"""

from datetime import datetime, timedelta
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES, RETURNABLE_TYPES
from simulator.catalogue.results import RESULTS
from simulator.domain.core.money import ZERO, as_part, as_settled
from simulator.domain.core.records import Dispute, Outcome, Payment, Returned
from simulator.domain.payments.transitions import Event, next_state
from simulator.grammar.payment_types import PaymentEffect

REASON = "chargebackResultCode"
NO_REASON = "000.100.200"
# Source: Hosts, Test modes; by the test mode of the payment. Choices: D-16, D-88.
BOOKED = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112"}
BOOKED_LIVE = "000.000.000"
BY_HAND = "back office"


class Return(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A return by the bank of the payment of the same id, and when it is due. Choice: D-149."""

    id: str
    version: int = 0
    due: datetime
    code: str


def returns_of(payment: Payment, returned: Returned, now: datetime) -> tuple[Return, ...]:
    """The return that an approved payment will have, where its type can have one."""
    if payment.type not in RETURNABLE_TYPES:
        return ()
    return (Return(id=payment.id, due=now + timedelta(days=returned.days), code=returned.code),)


def dispute_of(parent: Payment) -> Dispute:
    """What a chargeback of `parent`, or what takes `parent` back, is about in the end."""
    return parent.dispute or Dispute(parent.id, parent.type)


def outcome_of_report(payment: Payment, reason: str | None) -> Outcome:
    """How a chargeback, or what takes one back, ends: the acquirer is not asked, it has happened.

    The result of a chargeback is its reason. Choice: D-148.
    """
    if PAYMENT_TYPES[payment.type].effect is PaymentEffect.CHARGEBACK:
        code = reason if reason is not None and reason in RESULTS else NO_REASON
    else:
        code = BOOKED.get(payment.test_mode, BOOKED_LIVE)
    return Outcome(code=code, decided_by=BY_HAND)


def apply_chargeback(root: Payment, parent: Payment, payment: Payment) -> tuple[Payment, ...]:
    """What a chargeback changes: the payment it is about, and what it refers to if that is
    another.
    """
    part = as_part(payment.moved)
    taken = replace(
        root,
        taken=root.taken + part,
        charged_back=root.charged_back + part,
        state=next_state(root.state, Event.CHARGED_BACK),
    )
    if parent.id == root.id:
        return (replace(taken, chargeback=payment.id),)
    state = next_state(parent.state, Event.CHARGED_BACK)
    return (replace(parent, chargeback=payment.id, state=state), taken)


def apply_chargeback_reversal(
    root: Payment, parent: Payment, payment: Payment
) -> tuple[Payment, ...]:
    """What taking a chargeback back changes: the chargeback, and the payment it was about."""
    freed = as_part(parent.moved) - _still_held(parent, payment)
    taken, left = max(root.taken - freed, ZERO), max(root.charged_back - freed, ZERO)
    event = Event.CHARGEBACK_REVERSED_REFUNDED if taken > ZERO else Event.CHARGEBACK_REVERSED
    if left > ZERO:
        event = Event.CHARGEBACK_PARTLY_REVERSED
    restored = replace(root, taken=taken, charged_back=left, state=next_state(root.state, event))
    return (replace(parent, state=next_state(parent.state, Event.REVERSED)), restored)


def _still_held(chargeback: Payment, reversal: Payment) -> Decimal:
    """What a chargeback takes once it is taken back in part: what is left of it, or of it as it is
    settled. Choice: D-381.
    """
    settled = as_settled(chargeback.moved) - as_settled(reversal.moved)
    return max(chargeback.moved.amount - reversal.moved.amount, settled)

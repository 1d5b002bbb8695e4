"""One payment in the console, and what people do to it."""

import re
from collections.abc import Sequence
from decimal import Decimal

from simulator.catalogue.console_words import plain
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.errors import InvalidInputError, UnknownReferenceError
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, State
from simulator.grammar.payment_types import PaymentEffect, PaymentTypeRow
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.pipeline import PipelinePorts, refer_payment

AMOUNT = re.compile(r"[0-9]{1,10}\.[0-9]{2}")
# What a person may do to a payment with a button.
DOABLE = (PaymentEffect.CAPTURE, PaymentEffect.REFUND, PaymentEffect.REVERSAL)


def payment_with(ports: HasStore, identity: str) -> Payment:
    """The payment, of whatever merchant and host. Raises UnknownReferenceError."""
    payment = ports.store.get(Payment, identity)
    if payment is None:
        raise UnknownReferenceError("700.400.580", "no payment has the id in the path")
    return payment


def doable_to(payment: Payment) -> Sequence[PaymentTypeRow]:
    """What may be done to a payment as it stands; how much, its references decide."""
    if payment.state is State.FAILED or payment.money is None:
        return ()
    rows = (row for row in PAYMENT_TYPES.values() if row.effect in DOABLE)
    return [row for row in rows if payment.type in row.to]


def open_amount(payment: Payment) -> Decimal:
    """What a button offers to capture or refund: what was not yet, else the whole amount."""
    if payment.money is None:
        return ZERO
    left = payment.money.amount - payment.taken - payment.reserved
    return left if left > 0 else payment.money.amount


def act_on_payment(ports: PipelinePorts, identity: str, kind: str, amount: str) -> Payment:
    """Capture, refund or reverse a payment as its merchant would. Raises InvalidInputError,
    Refusal, UnknownReferenceError.
    """
    payment = payment_with(ports, identity)
    row = PAYMENT_TYPES.get(kind)
    if row is None or row not in doable_to(payment):
        known = ", ".join(each.code for each in doable_to(payment)) or plain("errors.nothing")
        raise InvalidInputError("paymentType", known, kind[:10])
    sent = {"paymentType": kind}
    if row.amount_needed:
        if not AMOUNT.fullmatch(amount):
            raise InvalidInputError("amount", plain("errors.amount"), amount[:20])
        sent |= {"amount": amount, "currency": payment.moved.currency}
    context = context_of(ports, payment.stamp, payment.host)
    ticket = new_transaction_ids(ports, payment.stamp.channel, ports.clock.now())
    return refer_payment(context, identity, sent, ticket)

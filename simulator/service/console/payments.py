"""One payment in the console, and what people do to it."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.console.marks import MARK
from simulator.domain.core.errors import (
    EpochEndedError,
    InvalidInputError,
    Refusal,
    UnknownReferenceError,
)
from simulator.domain.core.money import ZERO, Money
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.initial import PaymentAttempt, money_in
from simulator.domain.payments.references import (
    EFFECTS,
    ReferenceCase,
    open_amount,
    refuse_parent,
)
from simulator.domain.payments.repeats import (
    RepeatedTransactionError,
    TransactionKey,
    form_key_id,
)
from simulator.grammar.payment_types import PaymentEffect, PaymentTypeRow
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.pipeline import PipelinePorts, open_reference, run_attempt

AMOUNT = re.compile(r"[0-9]{1,10}\.[0-9]{2}")
# What a person may do to a payment with a button.
DOABLE = (PaymentEffect.CAPTURE, PaymentEffect.REFUND, PaymentEffect.REVERSAL)


class PaymentOrder(NamedTuple):
    """What a form on the page of a payment asks for; its mark is that of no other form."""

    kind: str
    amount: str
    mark: str


def payment_with(ports: HasStore, identity: str) -> Payment:
    """The payment, of whatever merchant and host. Raises UnknownReferenceError."""
    payment = ports.store.get(Payment, identity)
    if payment is None:
        raise UnknownReferenceError("700.400.580", "no payment has the id in the path")
    return payment


def doable_to(ports: PipelinePorts, payment: Payment) -> Sequence[PaymentTypeRow]:
    """What may be done to a payment as it stands, by the rules that its references are judged by:
    no button can only be refused.
    """
    return [row for row in _rows_for(payment) if _is_allowed(ports, payment, row)]


def amount_left(payment: Payment) -> Decimal:
    """What a button offers to capture or refund: what was not yet."""
    return ZERO if payment.money is None else open_amount(payment)


def _rows_for(payment: Payment) -> Sequence[PaymentTypeRow]:
    """What refers to a payment of its type."""
    if payment.state is State.FAILED or payment.money is None:
        return ()
    rows = (row for row in PAYMENT_TYPES.values() if row.effect in DOABLE)
    return [row for row in rows if payment.type in row.to]


def _is_allowed(ports: PipelinePorts, payment: Payment, row: PaymentTypeRow) -> bool:
    money = Money(open_amount(payment), payment.moved.currency)
    case = ReferenceCase(row, payment, money, ports.clock.now().date(), payment)
    try:
        channel = context_of(ports, payment.stamp, payment.host).channel
        refuse_parent(payment, row, channel=channel, choices=ports.choices)
        EFFECTS[row.effect](case)
    except (Refusal, EpochEndedError):
        return False
    return True


def act_on_payment(ports: PipelinePorts, identity: str, order: PaymentOrder) -> Payment:
    """Capture, refund or reverse a payment as its merchant would, once for each form: raises
    RepeatedTransactionError for one that has done it. Raises InvalidInputError, Refusal,
    UnknownReferenceError too. Choice: D-691.
    """
    payment = payment_with(ports, identity)
    sent = _sent_by(order, payment)
    context = context_of(ports, payment.stamp, payment.host)
    ticket = new_transaction_ids(ports, payment.stamp.channel, ports.clock.now())
    key = TransactionKey(id=form_key_id(identity, order.kind, order.mark), payment=ticket.id)

    def decide() -> PaymentAttempt:
        _refuse_used(ports, key, sent)
        attempt = open_reference(context, identity, sent, ticket)
        return replace(attempt, records=(*attempt.records, key))

    try:
        return run_attempt(ports, decide)
    except RepeatedTransactionError:
        ports.store.wait_durable()
        raise


def _sent_by(order: PaymentOrder, payment: Payment) -> Mapping[str, str]:
    """What the merchant would send. Raises InvalidInputError."""
    row = PAYMENT_TYPES.get(order.kind)
    if row is None or row not in _rows_for(payment):
        known = ", ".join(each.code for each in _rows_for(payment)) or plain("errors.nothing")
        raise InvalidInputError("paymentType", known, beginning_of(order.kind, 10))
    if not MARK.fullmatch(order.mark):
        raise InvalidInputError("mark", plain("errors.mark"), plain("errors.another"))
    if not row.amount_needed:
        return {"paymentType": order.kind}
    if not AMOUNT.fullmatch(order.amount):
        raise InvalidInputError("amount", plain("errors.amount"), beginning_of(order.amount, 20))
    return {
        "paymentType": order.kind,
        "amount": order.amount,
        "currency": payment.moved.currency,
    }


def _refuse_used(ports: HasStore, key: TransactionKey, sent: Mapping[str, str]) -> None:
    """Raise RepeatedTransactionError for a form that was sent before, InvalidInputError where it
    has another amount now.
    """
    known = ports.store.get(TransactionKey, key.id)
    if known is None:
        return
    first = payment_with(ports, known.payment)
    if money_in(sent) not in (None, first.money):
        raise InvalidInputError("amount", plain("errors.used_form"), plain("errors.another"))
    raise RepeatedTransactionError(first)

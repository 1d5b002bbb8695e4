"""Reserving a merchantTransactionId for one payment of its channel. Choice: D-285."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, PaymentSource
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.repeats import (
    REFERENCE,
    TransactionKey,
    decide_key,
    digest_of,
    key_id,
    key_id_of,
)


class RepeatPorts(HasStore, Protocol):
    """What a reserved key needs."""


def first_with_key(context: ChannelContext[RepeatPorts], sent: Mapping[str, str]) -> Payment | None:
    """The payment that has the merchantTransactionId of a request, on a channel that repeats."""
    reference = sent.get(REFERENCE)
    if context.channel.repeated_merchant_transaction_id != "repeat" or reference is None:
        return None
    store, identity = context.ports.store, key_id(context.stamp.channel, context.host, reference)
    known = store.get(TransactionKey, identity)
    return None if known is None else store.get(Payment, known.payment)


def reserve_key(context: ChannelContext[RepeatPorts], attempt: PaymentAttempt) -> PaymentAttempt:
    """The attempt, which stores its key if it needs one. Raises RepeatedTransactionError, Refusal.

    Of two at once only one stores it: the other finds it when it is tried again. Called for a
    channel that accepts no merchantTransactionId again.
    """
    store, payment = context.ports.store, attempt.payment
    identity = key_id_of(payment)
    is_new = payment.type in INITIAL_TYPES and payment.source is PaymentSource.OPP
    if identity is None or not is_new:
        return attempt
    known = store.get(TransactionKey, identity)
    first = None if known is None else store.get(Payment, known.payment)
    repeats = context.channel.repeated_merchant_transaction_id == "repeat"
    asked = digest_of(payment, attempt.asked)
    key = decide_key(payment, known, first, asked=asked, repeats=repeats)
    return replace(attempt, records=(*attempt.records, key))

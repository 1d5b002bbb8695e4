"""Reserving a merchantTransactionId for one payment of its channel. Choice: D-285."""

from typing import Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, PaymentSource
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.repeats import TransactionKey, decide_key, digest_of, key_id_of


class RepeatPorts(HasStore, Protocol):
    """What a reserved key needs."""


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

"""Reserving a merchantTransactionId for one payment of its channel. Choice: D-285."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasStore, HasVault
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType, State
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.repeats import (
    TransactionKey,
    decide_key,
    digest_of,
    key_id_of,
    refuse_known,
    request_of,
    sent_before,
)
from simulator.domain.payments.transitions import UNANSWERED

ACCEPT, REPEAT = "accept", "repeat"
# A capture by a registration is a payment of its own.
TYPES = (*INITIAL_TYPES, PaymentType.CP)


class RepeatPorts(HasStore, HasVault, Protocol):
    """What a reserved key needs."""


def mark_request(
    context: ChannelContext[RepeatPorts], sent: Mapping[str, str], origin: Origin
) -> str:
    """The mark of a request to a channel that accepts no merchantTransactionId again, by which the
    same one is known; empty where it has no key.

    Raises RepeatedTransactionError, Refusal for one that was sent before: it is judged first, and
    by nothing that ages.
    """
    channel = context.channel
    identity = key_id_of(channel.id, context.host, sent)
    is_new = origin.source is PaymentSource.OPP and sent.get("paymentType") in TYPES
    if identity is None or not is_new:
        return ""
    mark = context.ports.vault.fingerprint(request_of(sent, origin.registration, context.host))
    store = context.ports.store
    known = store.get(TransactionKey, identity)
    first = None if known is None else store.get(Payment, known.payment)
    if known is not None and first is not None and origin.checkout is None:
        repeats = channel.repeated_merchant_transaction_id == REPEAT
        refuse_known(known, first, mark=mark, repeats=repeats)
    return mark


def refuse_paid_key(context: ChannelContext[HasStore], sent: Mapping[str, str]) -> None:
    """Raise Refusal for a merchantTransactionId with which nothing more can be paid: a payment that
    has it succeeded. Choice: D-128.
    """
    channel = context.channel
    identity = key_id_of(channel.id, context.host, sent)
    is_payment = sent.get("paymentType") in INITIAL_TYPES
    if channel.repeated_merchant_transaction_id == ACCEPT or identity is None or not is_payment:
        return
    known = context.ports.store.get(TransactionKey, identity)
    first = None if known is None else context.ports.store.get(Payment, known.payment)
    if first is not None and first.state not in {*UNANSWERED, State.FAILED}:
        raise sent_before(first)


def reserve_key(context: ChannelContext[RepeatPorts], attempt: PaymentAttempt) -> PaymentAttempt:
    """The attempt, which stores its key if it needs one. Raises RepeatedTransactionError, Refusal.

    Of two at once only one stores it: the other finds it when it is tried again. Called for a
    channel that accepts no merchantTransactionId again.
    """
    store, payment = context.ports.store, attempt.payment
    identity = key_id_of(payment.stamp.channel, payment.host, payment.sent)
    is_new = payment.type in INITIAL_TYPES and payment.source is PaymentSource.OPP
    if identity is None or not is_new:
        return attempt
    known = store.get(TransactionKey, identity)
    first = None if known is None else store.get(Payment, known.payment)
    repeats = context.channel.repeated_merchant_transaction_id == REPEAT
    asked = digest_of(payment, attempt.asked)
    own = TransactionKey(id=identity, payment=payment.id, asked=asked, mark=attempt.mark)
    key = decide_key(payment, known, first, own=own, repeats=repeats)
    return replace(attempt, records=(*attempt.records, key))

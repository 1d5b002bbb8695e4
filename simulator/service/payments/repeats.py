"""Reserving a merchantTransactionId for one payment of its channel. Choice: D-285."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasStore, HasVault
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType, State
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.repeats import (
    REFERENCE,
    TransactionKey,
    decide_key,
    digest_of,
    key_id_of,
    refuse_known,
    request_key_id,
    request_of,
    sent_before,
)
from simulator.domain.payments.transitions import UNANSWERED
from simulator.service.payments.dispatched import names_merchant

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
    mark = _mark_of(context.ports, sent, origin.registration, context.host)
    known, first = _known(context.ports, identity)
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
    _, first = _known(context.ports, identity)
    if first is not None and first.state not in {*UNANSWERED, State.FAILED}:
        raise sent_before(first)


def channel_of_first(
    ports: RepeatPorts,
    merchant: str,
    sent: Mapping[str, str],
    *,
    host: Host,
    registration: str | None,
) -> str | None:
    """The channel of the payment that the same request to a merchant has made: it is asked there
    again, however the rules would pick now. None for a new one.
    """
    if REFERENCE not in sent or sent.get("paymentType") not in TYPES:
        return None
    mark = _mark_of(ports, sent, registration, host)
    _, first = _known(ports, request_key_id(merchant, host, mark))
    return None if first is None or first.state is State.FAILED else first.stamp.channel


def reserve_key(context: ChannelContext[RepeatPorts], attempt: PaymentAttempt) -> PaymentAttempt:
    """The attempt, which stores its key if it needs one. Raises RepeatedTransactionError, Refusal.

    Of two at once only one stores it: the other finds it when it is tried again. Called for a
    channel that accepts no merchantTransactionId again.
    """
    payment = attempt.payment
    identity = key_id_of(payment.stamp.channel, payment.host, payment.sent)
    is_new = payment.type in INITIAL_TYPES and payment.source is PaymentSource.OPP
    if identity is None or not is_new:
        return attempt
    repeats = context.channel.repeated_merchant_transaction_id == REPEAT
    asked = digest_of(payment, attempt.asked)
    own = TransactionKey(id=identity, payment=payment.id, asked=asked, mark=attempt.mark)
    of_request = _reserve_request(context, attempt, own, repeats=repeats)
    known, first = _known(context.ports, identity)
    key = decide_key(payment, known, first, own=own, repeats=repeats)
    return replace(attempt, records=(*attempt.records, key, *of_request))


def _reserve_request(
    context: ChannelContext[RepeatPorts],
    attempt: PaymentAttempt,
    own: TransactionKey,
    *,
    repeats: bool,
) -> tuple[TransactionKey, ...]:
    """The key of the request itself, where rules have picked the channel: they may change before
    the first is stored. Raises RepeatedTransactionError, Refusal.
    """
    payment = attempt.payment
    if payment.checkout is not None or not names_merchant(context, attempt.asked):
        return ()
    identity = request_key_id(context.stamp.merchant, payment.host, own.mark)
    known, first = _known(context.ports, identity)
    version = 0
    if known is not None and first is not None:
        refuse_known(known, first, mark=own.mark, repeats=repeats)
        version = known.version
    return (replace(own, id=identity, version=version),)


def _mark_of(ports: HasVault, sent: Mapping[str, str], registration: str | None, host: Host) -> str:
    return ports.vault.fingerprint(request_of(sent, registration, host))


def _known(ports: HasStore, identity: str) -> tuple[TransactionKey | None, Payment | None]:
    """The key with this id, and the payment that has it."""
    known = ports.store.get(TransactionKey, identity)
    return known, None if known is None else ports.store.get(Payment, known.payment)

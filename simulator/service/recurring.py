"""Series of payments: their place in one, and the agreement they rest on, before anybody is asked.

Source: Recurring; Card on file. Choices: D-123 to D-126.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.accounts.accounts import Account
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasChoices, HasStore
from simulator.domain.core.records import Origin, Payment, PaymentType, Registration
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.recurring import (
    TRANSACTION,
    Agreement,
    is_merchant_initiated,
    is_next_authorization,
    key_of,
    refuse_beyond,
    refuse_ended,
    refuse_missing_duties,
    refuse_no_installments,
    refuse_past,
    refuse_two_modes,
    refuse_unknown_agreement,
    reserve_next,
)


class AgreementPorts(HasChoices, HasStore, Protocol):
    """What an agreement is decided from."""


def apply_agreement(
    context: ChannelContext[AgreementPorts],
    sent: Mapping[str, str],
    account: Account,
    origin: Origin,
    *,
    now: datetime,
) -> Mapping[str, str]:
    """`sent` with the reference of the agreement it rests on, where its registration has that.

    Raises Refusal for a place in a series that the payment cannot have, Violations where 3-D Secure
    asks for more.
    """
    refuse_two_modes(sent)
    refuse_past(sent, now=now, choices=context.ports.choices)
    refuse_no_installments(sent, choices=context.ports.choices)
    refuse_missing_duties(sent, context.channel, account.brand)
    if not is_merchant_initiated(sent):
        return sent
    agreement = find_agreement(context, sent, origin.registration)
    refuse_unknown_agreement(sent, agreement, context.channel)
    if agreement is None or TRANSACTION in sent or not agreement.transaction:
        return sent
    return {**sent, TRANSACTION: agreement.transaction}


def refuse_place(
    context: ChannelContext[AgreementPorts],
    sent: Mapping[str, str],
    now: datetime,
    registration: str | None = None,
) -> None:
    """Raise Refusal for a place in a series that no payment could have from `now` on, whatever
    account pays, or with the account of a registration where one is given.
    """
    refuse_two_modes(sent)
    refuse_past(sent, now=now, choices=context.ports.choices)
    refuse_no_installments(sent, choices=context.ports.choices)
    agreement = find_agreement(context, sent, registration)
    is_known = TRANSACTION in sent or registration is not None
    if is_known and is_merchant_initiated(sent):
        refuse_unknown_agreement(sent, agreement, context.channel)
    kind = sent.get("paymentType", PaymentType.RG)
    if agreement is not None and is_next_authorization(sent, kind, agreement):
        refuse_ended(agreement, sent, now=now, choices=context.ports.choices)


def reserve_authorization(
    context: ChannelContext[AgreementPorts], attempt: PaymentAttempt
) -> PaymentAttempt:
    """The attempt of the next authorization of an agreement, which is reserved there.

    Raises Refusal where the agreement gives none. Asked anew whenever the agreement has changed.
    """
    payment = attempt.payment
    agreement = find_agreement(context, payment.sent, payment.registration)
    if agreement is None or not is_next_authorization(payment.sent, payment.type, agreement):
        return attempt
    now, choices = payment.created_at, context.ports.choices
    refuse_beyond(agreement, payment.sent, now=now, choices=choices)
    return replace(
        attempt,
        payment=replace(payment, agreement=agreement.id),
        agreement=reserve_next(agreement),
    )


def find_agreement(
    context: ChannelContext[AgreementPorts], sent: Mapping[str, str], registration: str | None
) -> Agreement | None:
    """The agreement whose reference was sent, or that of the registration. One look-up each."""
    reference = sent.get(TRANSACTION)
    if reference is not None:
        return context.ports.store.get(Agreement, key_of(context.stamp, context.host, reference))
    return _agreement_of_registration(context.ports, registration)


def reserved_agreement_of(ports: AgreementPorts, payment: Payment) -> Agreement | None:
    """The agreement in which a stored payment holds an authorization."""
    return None if payment.agreement is None else ports.store.get(Agreement, payment.agreement)


def _agreement_of_registration(ports: AgreementPorts, identity: str | None) -> Agreement | None:
    registration = None if identity is None else ports.store.get(Registration, identity)
    if registration is None or registration.agreement is None:
        return None
    return ports.store.get(Agreement, registration.agreement)

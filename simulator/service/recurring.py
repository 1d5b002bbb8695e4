"""Series of payments: their place in one, the agreement they rest on, and the limits that they send
themselves, before anybody is asked.

Source: Recurring; Card on file. Choices: D-123 to D-126, D-698.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.accounts.accounts import Account
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasChoices, HasStore
from simulator.domain.core.records import (
    Origin,
    Payment,
    PaymentSource,
    PaymentType,
    Registration,
)
from simulator.domain.payments.initial import DIRECT, PaymentAttempt
from simulator.domain.recurring import (
    TRANSACTION,
    Agreement,
    is_authorization,
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
from simulator.domain.series import scheduled_series, scope_of, series_key
from simulator.service.series import counted_series, stored_series


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
    # What a schedule pays never runs with 3-D Secure, and owes it nothing. Choice: D-124.
    if origin.source is PaymentSource.OPP:
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
    origin: Origin = DIRECT,
) -> None:
    """Raise Refusal for a place in a series that no payment could have from `now` on, whatever
    account pays, or with the account of a registration where there is one.
    """
    refuse_two_modes(sent)
    refuse_no_installments(sent, choices=context.ports.choices)
    registration = origin.registration
    if is_merchant_initiated(sent) and (TRANSACTION in sent or registration is not None):
        agreement = find_agreement(context, sent, registration)
        refuse_unknown_agreement(sent, agreement, context.channel)
    refuse_over(context, sent, now, origin)


def refuse_over(
    context: ChannelContext[AgreementPorts],
    sent: Mapping[str, str],
    now: datetime,
    origin: Origin = DIRECT,
) -> None:
    """Raise Refusal where the limits of its series leave no such payment from `now` on, however
    those that are under way end.
    """
    choices = context.ports.choices
    refuse_past(sent, now=now, choices=choices)
    kind = sent.get("paymentType", PaymentType.RG)
    for each in _standing(context, sent, kind, origin):
        refuse_ended(each, sent, now=now, choices=choices)


def _standing(
    context: ChannelContext[AgreementPorts], sent: Mapping[str, str], kind: str, origin: Origin
) -> list[Agreement]:
    """The agreement and the series, as they are stored, that such a payment would be counted in."""
    scope = scope_of(sent, origin.registration)
    found = [find_agreement(context, sent, origin.registration)]
    found += stored_series(context.ports, (context.stamp, context.host), scope, sent)
    counted = [each for each in found if each and is_next_authorization(sent, kind, each)]
    if origin.series is not None and is_authorization(sent, kind):
        identity = series_key(context.stamp, context.host, origin.series)
        scheduled = context.ports.store.get(Agreement, identity)
        counted += () if scheduled is None else (scheduled_series(scheduled, sent),)
    return counted


def reserve_authorization(
    context: ChannelContext[AgreementPorts], attempt: PaymentAttempt, origin: Origin
) -> PaymentAttempt:
    """The attempt of the next authorization of an agreement, of a series, or of both, which is
    reserved there.

    Raises Refusal where one of them gives none. Asked anew whenever one of them has changed.
    """
    payment, ports = attempt.payment, context.ports
    agreement = find_agreement(context, payment.sent, payment.registration)
    if agreement is not None and not is_next_authorization(payment.sent, payment.type, agreement):
        agreement = None
    series = counted_series(ports, payment, agreement, origin.series)
    counted = series if agreement is None else (agreement, *series)
    for each in counted:
        refuse_beyond(each, payment.sent, now=payment.created_at, choices=ports.choices)
    identity = None if agreement is None else agreement.id
    return replace(
        attempt,
        payment=replace(payment, agreement=identity, series=tuple(each.id for each in series)),
        agreements=tuple(reserve_next(each) for each in counted),
    )


def find_agreement(
    context: ChannelContext[AgreementPorts], sent: Mapping[str, str], registration: str | None
) -> Agreement | None:
    """The agreement whose reference was sent, or that of the registration. One look-up each."""
    reference = sent.get(TRANSACTION)
    if reference is not None:
        return context.ports.store.get(Agreement, key_of(context.stamp, context.host, reference))
    return _agreement_of_registration(context.ports, registration)


def reserved_of(ports: HasStore, payment: Payment) -> tuple[Agreement, ...]:
    """The agreement and the series in which a stored payment holds an authorization."""
    first = () if payment.agreement is None else (payment.agreement,)
    found = (ports.store.get(Agreement, each) for each in (*first, *payment.series))
    return tuple(each for each in found if each is not None)


def _agreement_of_registration(ports: AgreementPorts, identity: str | None) -> Agreement | None:
    registration = None if identity is None else ports.store.get(Registration, identity)
    if registration is None or registration.agreement is None:
        return None
    return ports.store.get(Agreement, registration.agreement)

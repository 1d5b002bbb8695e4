"""Registrations: making, reading, changing and removing them, and payments that use them.

Source: Tokenization and registration; Endpoints, note 2. Choices: D-119 to D-122.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec.structs import replace

from simulator.catalogue.events import CHANGED, REMOVED
from simulator.domain.checkouts.checkouts import Checkout, without_registration
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import ConflictError, Refusal, UnknownReferenceError
from simulator.domain.core.parameters import WholeCheck, normalised, refuse_whole
from simulator.domain.core.ports import HasVault, unit_of
from simulator.domain.core.records import (
    Origin,
    Outcome,
    Payment,
    PaymentSource,
    PaymentType,
    Registration,
    State,
)
from simulator.domain.core.transact import transact
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import DIRECT, TransactionIds, success_of
from simulator.domain.registrations import (
    charged,
    extended,
    forgotten,
    removed,
    updated,
    whole_after,
)
from simulator.service.payments.contexts import find_visible, read_payment
from simulator.service.payments.pipeline import PipelinePorts, take_payment
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import prepare_record_events, redact_events

WRONG_FORM, UNKNOWN, UNCONFIRMED = "100.150.101", "100.150.200", "100.150.201"
REMOVED_ALREADY, REJECTED, NO_REGISTRATION = "100.150.202", "100.150.203", "100.150.204"
NOTHING_TO_EXTEND, LAPSED = "100.350.316", "100.150.206"
REGISTRATION_ID = re.compile(r"[A-Za-z0-9]{32}")


def register(
    context: ChannelContext[PipelinePorts], sent: Mapping[str, str], ticket: TransactionIds
) -> Registration | Payment:
    """The registration that an RG makes; the RG itself where it is declined or pending.

    Raises Refusal. Source: SVC-11.
    """
    payment = take_payment(context, {**sent, "paymentType": PaymentType.RG}, ticket)
    return context.ports.store.get(Registration, payment.registration or "") or payment


def charge(
    context: ChannelContext[PipelinePorts],
    registration_id: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    origin: Origin = DIRECT,
) -> Payment:
    """Take a payment with the account and the brand of a registration. Raises Refusal,
    UnknownReferenceError. Source: SVC-13, END-08.
    """

    def completed(sent: Mapping[str, str]) -> Mapping[str, str]:
        if origin.source is PaymentSource.OPP:
            refuse_lacking(sent, context)
        return paid_by(context.ports, find(context, registration_id), sent)

    find = usable if origin.checkout is None else named_registration
    origin = replace(origin, registration=registration_id)
    return take_payment(context, sent, ticket, origin, completed=completed)


def paid_by(
    ports: HasVault, registration: Registration, sent: Mapping[str, str]
) -> Mapping[str, str]:
    """The parameters of a payment with the account of a registration, the number of its card in the
    open.
    """
    number, sealed = None, registration.sealed_card
    if sealed is not None:
        number = ports.vault.open(registration.id, sealed.number)
    return charged(registration, sent, number)


def read_registration(context: ChannelContext[PipelinePorts], identity: str) -> Registration:
    """The registration with the id `identity`. Raises Refusal, UnknownReferenceError.

    One that was removed is no longer there. Choice: D-120.
    """
    registration = _known(context, identity)
    if registration.removed_at is not None:
        raise UnknownReferenceError(
            REMOVED_ALREADY, f"it was removed on {registration.removed_at:%Y-%m-%d}"
        )
    context.ports.store.wait_durable()
    return registration


def read_by_any_id(context: ChannelContext[PipelinePorts], identity: str) -> Payment | Registration:
    """The payment with the id `identity`, or where profile `field` looks for one, the registration.

    Raises UnknownReferenceError. Source: E07. Choice: D-119.
    """
    try:
        return read_payment(context, identity)
    except UnknownReferenceError:
        found = find_visible(context, Registration, identity)
        answers = context.ports.choices["registration_read"] == "answer"
        if not answers or found is None or found.removed_at is not None:
            raise
        return found


def update_registration(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    check: WholeCheck,
) -> tuple[Registration, Outcome]:
    """The registration with other data, and how that went. Raises Refusal, Violations,
    UnknownReferenceError. `check` looks at the whole. Choices: D-121, D-701.
    """
    outcome, asked = success(context, sent), normalised(sent)

    def change(registration: Registration) -> Registration:
        whole = whole_after(registration, asked)
        refuse_whole(whole, asked, check, stored=registration.sent)
        return updated(registration, asked, whole, ticket.now)

    return _changed(context, identity, change, outcome=outcome, ticket=ticket), outcome


def extend_life(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
) -> tuple[Registration, Outcome]:
    """The registration kept longer, and how that went. Raises Refusal, UnknownReferenceError.

    Choice: D-122.
    """
    outcome = success(context, sent)
    found = find_visible(context, Registration, identity)
    if found is None:
        raise UnknownReferenceError(NOTHING_TO_EXTEND, "no registration has the id in the path")
    if found.removed_at is not None:
        code = LAPSED if found.lapsed else NOTHING_TO_EXTEND
        raise Refusal(code, f"extendlife: it was removed on {found.removed_at:%Y-%m-%d}")
    return _changed(context, identity, extended, outcome=outcome, ticket=ticket), outcome


def remove_registration(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
) -> tuple[Registration, Outcome]:
    """What is left of a registration that the merchant removes, and how that went.

    No processor is asked, whatever test mode is sent. Raises Refusal, UnknownReferenceError.
    Source: E50. Choices: D-120, D-677.
    """
    outcome = success(context, {"testMode": "INTERNAL"} if "testMode" in sent else {})

    def change() -> Registration:
        registration = usable(context, identity)
        return _remove(context.ports, registration, ticket.now, outcome=outcome, ndc=ticket.ndc)

    return transact(context.ports.store, change), outcome


def remove_lapsed(ports: PipelinePorts, registration: Registration) -> None:
    """Remove a registration whose retention is over. Choice: D-122."""
    stored = ports.store.get(Registration, registration.id)
    if stored is None or stored.due is None or stored.due > ports.clock.now():
        return
    try:
        _remove(ports, stored, ports.clock.now(), lapsed=True)
    except ConflictError:
        return


def usable(context: ChannelContext[PipelinePorts], identity: str) -> Registration:
    """The registration with the id `identity`, which is there. Raises Refusal,
    UnknownReferenceError.
    """
    registration = _known(context, identity)
    if registration.removed_at is not None:
        raise Refusal(REMOVED_ALREADY, f"it was removed on {registration.removed_at:%Y-%m-%d}")
    return registration


def named_registration(context: ChannelContext[PipelinePorts], identity: str) -> Registration:
    """The registration that is named by the parameter registrationId: one that is not there is no
    unknown path. Raises Refusal. Choice: D-119.
    """
    try:
        return usable(context, identity)
    except Refusal as refusal:
        raise Refusal(refusal.code, f"registrationId: {refusal.detail}") from refusal


def success(context: ChannelContext[PipelinePorts], sent: Mapping[str, str]) -> Outcome:
    """What a request that no acquirer is asked for succeeds with. Choices: D-16, D-88."""
    return success_of(sent, context.host)


def _known(context: ChannelContext[PipelinePorts], identity: str) -> Registration:
    if REGISTRATION_ID.fullmatch(identity) is None:
        raise UnknownReferenceError(
            WRONG_FORM, "the id of a registration has 32 letters and digits"
        )
    registration = find_visible(context, Registration, identity)
    if registration is None:
        raise _absence(find_visible(context, Payment, identity))
    return registration


def _absence(payment: Payment | None) -> UnknownReferenceError:
    """Why there is no registration of this id, where something else has it. Choice: D-119."""
    if payment is None:
        return UnknownReferenceError(UNKNOWN, "no registration has the id")
    if payment.type is not PaymentType.RG:
        return UnknownReferenceError(NO_REGISTRATION, f"the id is that of a {payment.type}")
    if payment.state is State.FAILED:
        return UnknownReferenceError(REJECTED, "the RG that was to make it was declined")
    return UnknownReferenceError(UNCONFIRMED, f"the RG that is to make it is {payment.state}")


def _changed(
    context: ChannelContext[PipelinePorts],
    identity: str,
    change: Callable[[Registration], Registration],
    *,
    outcome: Outcome,
    ticket: TransactionIds,
) -> Registration:
    """Store what `change` makes of a registration, made anew whenever that was not the newest."""
    ports = context.ports

    def store() -> Registration:
        registration = change(usable(context, identity))
        events = prepare_record_events(
            ports, registration, CHANGED, now=ticket.now, outcome=outcome, ndc=ticket.ndc
        )
        ports.store.commit(unit_of(registration, *events))
        dispatch_events(ports, events)
        return registration

    registration = transact(ports.store, store)
    ports.scheduler.wake()
    return registration


def _remove(
    ports: PipelinePorts,
    registration: Registration,
    now: datetime,
    *,
    outcome: Outcome | None = None,
    ndc: str = "",
    lapsed: bool = False,
) -> Registration:
    """Store that it is removed, and that nothing is left of the RG of the same id and its checkout,
    in the journal and in stored webhook events as well. Raises ConflictError.
    """
    stored = redact_events(ports, registration)
    events = prepare_record_events(ports, registration, REMOVED, now=now, outcome=outcome, ndc=ndc)
    left = removed(registration, now, lapsed=lapsed)
    made_by = ports.store.get(Payment, registration.id)
    made = () if made_by is None else (forgotten(made_by), *_checkout_left(ports, made_by))
    ports.store.commit(unit_of(left, *made, *stored, *events))
    ports.journal.forget_content(registration.id)
    if made_by is not None and made_by.checkout is not None:
        # What was fixed with the checkout went into the registration.
        ports.journal.forget_content(made_by.checkout)
    dispatch_events(ports, events)
    return left


def _checkout_left(ports: PipelinePorts, made_by: Payment) -> tuple[Checkout, ...]:
    """What is left of the checkout in which an RG was made, where there is one still."""
    checkout = ports.store.get(Checkout, made_by.checkout or "")
    return () if checkout is None else (without_registration(checkout),)

"""What a payment that has its answer leaves beside itself: a registration, an agreement, and traces
in those it used.

Source: Tokenization and registration; Card on file; Recurring migration.
"""

from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from simulator.domain.core.ports import HasIds, HasStore, HasVault
from simulator.domain.core.records import Payment, PaymentType, Registration, State
from simulator.domain.payments.responses import leaves_registration, registration_of
from simulator.domain.recurring import (
    ISSUED,
    MIGRATED_TYPE,
    TRANSACTION,
    Agreement,
    agreement_of,
    begins_agreement,
    count_authorization,
    is_in_series,
    migrated_agreement,
)
from simulator.domain.registrations import begun, used
from simulator.service.recurring import reserved_of
from simulator.service.series import begin_series


class CompletionPorts(HasIds, HasStore, HasVault, Protocol):
    """What the completion of a payment needs."""


class Completion(NamedTuple):
    """The payment as it is then, the registration it made, and other records that changed."""

    payment: Payment
    made: Registration | None = None
    others: tuple[Any, ...] = ()


def complete_payment(
    ports: CompletionPorts, payment: Payment, decided_on: tuple[Agreement, ...]
) -> Completion:
    """What a payment leaves. `decided_on` are the agreement and the series that it holds an
    authorization of, where that is not stored yet.

    While it is pending that authorization stays reserved; most payments leave nothing at all.
    """
    if payment.state is State.PENDING:
        return Completion(payment, None, decided_on)
    approved = payment.state is not State.FAILED
    agreement = _begin_agreement(payment) if approved else None
    if agreement is not None and agreement.transaction:
        payment = replace(payment, sent={**payment.sent, TRANSACTION: agreement.transaction})
    others: tuple[Any, ...] = () if agreement is None else _new_agreement(ports, agreement)
    if payment.agreement is not None or payment.series:
        held = decided_on or reserved_of(ports, payment)
        others += tuple(count_authorization(each, payment, approved=approved) for each in held)
    made = _make_registration(ports, payment, agreement) if leaves_registration(payment) else None
    if approved and payment.referenced is None and is_in_series(payment.sent):
        registration = payment.registration if made is None else made.id
        others += begin_series(ports, payment, registration, agreement)
    if made is not None:
        return Completion(replace(payment, registration=made.id), made, others)
    if approved and payment.registration is not None:
        others += _use_registration(ports, payment, agreement)
    return Completion(payment, None, others)


def _begin_agreement(payment: Payment) -> Agreement | None:
    """By a migration, or where the acquirer gave a reference to the shopper's first payment."""
    assert payment.outcome is not None, "an approved payment has its outcome"
    details = payment.outcome.details
    if ISSUED in details and begins_agreement(payment.sent, payment.type):
        return agreement_of(payment, details[ISSUED])
    if payment.type is PaymentType.RG and MIGRATED_TYPE in payment.sent:
        return migrated_agreement(payment)
    return None


def _new_agreement(ports: CompletionPorts, agreement: Agreement) -> tuple[Agreement, ...]:
    """The agreement, unless the merchant has one under that reference: it goes on."""
    return () if ports.store.get(Agreement, agreement.id) is not None else (agreement,)


def _make_registration(
    ports: CompletionPorts, payment: Payment, agreement: Agreement | None
) -> Registration:
    """A registration made by RG has the id of that payment; one made beside a payment has its
    own.
    """
    identity, sealed = payment.id, payment.sealed_card
    if payment.type is not PaymentType.RG:
        identity = ports.ids.record()
        if sealed is not None:
            number = ports.vault.open(payment.id, sealed.number)
            sealed = ports.vault.seal_card(identity, number)
    made = begun(registration_of(payment, identity, sealed))
    return replace(made, agreement=payment.agreement if agreement is None else agreement.id)


def _use_registration(
    ports: CompletionPorts, payment: Payment, agreement: Agreement | None
) -> tuple[Registration, ...]:
    """The registration a payment used, where that changes it."""
    registration = ports.store.get(Registration, payment.registration or "")
    if registration is None or registration.removed_at is not None:
        return ()
    if agreement is not None:
        registration = replace(registration, agreement=agreement.id)
    elif registration.card is not None:
        return ()
    return (used(registration, payment.created_at),)

"""The channel context of a request that names its merchant: of the record it is about, or as
rules pick.
"""

from collections.abc import Mapping

from simulator.catalogue.operations.payments import CREATE_PAYMENT
from simulator.catalogue.operations.registrations import PAY_REGISTRATION
from simulator.catalogue.operations.schedules import CREATE_SCHEDULE, CREATE_SCHEDULE_OLD
from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import AccountHierarchy, Payment, Registration
from simulator.domain.merchants.dispatching import channel_for, with_registration
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.schedules.schedules import Schedule, payment_in
from simulator.grammar.operations import Operation
from simulator.service.payments.repeats import ACCEPT, channel_of_first
from simulator.service.wallets import with_brand_of_token


def dispatch_to_channel(
    principal: Principal, operation: Operation, sent: Mapping[str, str], *, of: str | None
) -> ChannelContext[Ports]:
    """The context of the channel of the record `of`; without one, and for what a registration
    pays, as the merchant's rules pick: by what the payment will be, as one of a schedule is
    REPEATED. A payment that was sent before goes where the first was paid, before rules look at
    anything. A report is of all channels. Choices: D-111, D-285, D-670.

    Raises Refusal where the data selects none.
    """
    first = _first(principal, sent, of) if operation in PAYING else None
    if first is not None:
        return first
    if operation is PAY_REGISTRATION:
        return _paying(principal, sent, of)
    if of is not None:
        return _of_record(principal, of)
    if operation.method == "GET":
        return _any(principal)
    known = payment_in(sent) if operation in SCHEDULING else sent
    return _picked(principal, known, sent.get("registrationId"))


def _first(
    principal: Principal, sent: Mapping[str, str], registration: str | None
) -> ChannelContext[Ports] | None:
    """The context of the first payment, where its channel does not accept it again."""
    contexts, merchant = principal.contexts, principal.merchant
    if all(_accepts(each.channel) for each in contexts.values()):
        return None
    picked = channel_of_first(
        principal.ports, merchant.id, sent, host=principal.host, registration=registration
    )
    found = None if picked is None else contexts.get(picked)
    return None if found is None or _accepts(found.channel) else found


def _accepts(channel: Channel) -> bool:
    return channel.repeated_merchant_transaction_id == ACCEPT


def _paying(
    principal: Principal, sent: Mapping[str, str], identity: str | None
) -> ChannelContext[Ports]:
    """One that was removed still has the channel of what it has paid (Choice: D-285)."""
    registration = None if identity is None else _registration(principal, identity)
    if registration is None:
        return _any(principal)
    try:
        return _dispatched(principal, with_registration(registration, sent))
    except Refusal:
        if registration.removed_at is None:
            raise
        return _any(principal)


def _picked(
    principal: Principal, sent: Mapping[str, str], identity: str | None
) -> ChannelContext[Ports]:
    registration = None if identity is None else _registration(principal, identity)
    if registration is None or registration.removed_at is not None:
        return _dispatched(principal, sent)
    return _dispatched(principal, with_registration(registration, sent))


def _dispatched(principal: Principal, known: Mapping[str, str]) -> ChannelContext[Ports]:
    known = with_brand_of_token(principal.ports, known)
    return principal.contexts[channel_for(principal.merchant.dispatching, known)]


def _registration(principal: Principal, identity: str) -> Registration | None:
    """The registration of this merchant and host, also one that was removed."""
    found = principal.ports.store.get(Registration, identity)
    if found is None or found.host != principal.host:
        return None
    return found if found.stamp.merchant == principal.merchant.id else None


def _of_record(principal: Principal, identity: str) -> ChannelContext[Ports]:
    stamps = (_stamp_of(principal, kind, identity) for kind in NAMED_IN_PATHS)
    found = next(
        (principal.contexts.get(stamp.channel) for stamp in stamps if stamp is not None), None
    )
    return found or _any(principal)


def _any(principal: Principal) -> ChannelContext[Ports]:
    """A context of the merchant, for what is of all its channels, or of no record of it."""
    return next(iter(principal.contexts.values()))


def _stamp_of(principal: Principal, kind: type, identity: str) -> AccountHierarchy | None:
    record = principal.ports.store.get(kind, identity)
    return None if record is None else record.stamp


NAMED_IN_PATHS = (Payment, Registration, Checkout, Schedule)
PAYING = (CREATE_PAYMENT, PAY_REGISTRATION)
SCHEDULING = (CREATE_SCHEDULE, CREATE_SCHEDULE_OLD)

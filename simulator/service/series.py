"""Series with limits of their own: what a payment is counted in, and what it begins.

Source: Card on file. Choices: D-125, D-698.
"""

from collections.abc import Mapping

from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import AccountHierarchy, Payment
from simulator.domain.recurring import (
    Agreement,
    is_authorization,
    is_initial,
    is_next_authorization,
)
from simulator.domain.series import (
    begun_series,
    exceeds,
    is_limited,
    open_series,
    scheduled_series,
    scope_of,
    series_key,
    types_of,
    with_terms,
)

Sent = Mapping[str, str]


def counted_series(
    ports: HasStore,
    payment: Payment,
    agreement: Agreement | None,
    schedule: str | None,
) -> tuple[Agreement, ...]:
    """The series that a payment is counted in, beside the agreement: those that others began, and
    its own where it sends limits that neither of them has.
    """
    sent, kind = payment.sent, payment.type
    scope = scope_of(sent, payment.registration)
    if not is_authorization(sent, kind):
        return ()
    found = stored_series(ports, (payment.stamp, payment.host), scope, sent)
    counted = {each.id: each for each in found if is_next_authorization(sent, kind, each)}
    if schedule is not None or scope is None:
        own = _scheduled(ports, payment, schedule)
    else:
        own = _unscheduled(ports, payment, scope, agreement)
    return tuple({**counted, **{each.id: each for each in own}}.values())


def _scheduled(ports: HasStore, payment: Payment, schedule: str | None) -> tuple[Agreement, ...]:
    """The series of a schedule that has limits which are counted, whatever mode it sends."""
    if schedule is None or not exceeds(payment.sent, None):
        return ()
    identity = series_key(payment.stamp, payment.host, schedule)
    stored = ports.store.get(Agreement, identity)
    return (scheduled_series(stored or open_series(payment, identity), payment.sent),)


def _unscheduled(
    ports: HasStore,
    payment: Payment,
    scope: str,
    agreement: Agreement | None,
) -> tuple[Agreement, ...]:
    """The series that a payment is of by the limits it sends, which its agreement has not."""
    if not exceeds(payment.sent, agreement):
        return ()
    identity = series_key(payment.stamp, payment.host, scope, types_of(payment.sent)[0])
    stored = ports.store.get(Agreement, identity) or open_series(payment, identity)
    goes_on = is_next_authorization(payment.sent, payment.type, stored)
    return (with_terms(stored, payment.sent),) if goes_on else ()


def stored_series(
    ports: HasStore, owner: tuple[AccountHierarchy, Host], scope: str | None, sent: Sent
) -> tuple[Agreement, ...]:
    """The series of a registration or a reference that a payment can be of."""
    if scope is None:
        return ()
    keys = (series_key(*owner, scope, each) for each in types_of(sent))
    found = (ports.store.get(Agreement, key) for key in keys)
    return tuple(each for each in found if each is not None)


def begin_series(
    ports: HasStore, payment: Payment, registration: str | None, agreement: Agreement | None
) -> tuple[Agreement, ...]:
    """What an approved payment begins: its own series, where it has limits and begins no
    `agreement`; and each series that it would else have gone on with, anew. `registration` is the
    one it left or used.
    """
    scope = scope_of(payment.sent, registration)
    leaves = payment.registration is None and registration is not None
    begins = is_initial(payment.sent) or (leaves and not payment.agreement and not payment.series)
    if scope is None or payment.schedule is not None or not begins:
        return ()
    begun = list[Agreement]()
    for number, kind in enumerate(types_of(payment.sent)):
        key = series_key(payment.stamp, payment.host, scope, kind)
        before = ports.store.get(Agreement, key)
        new = begun_series(payment, key, before)
        is_new = number == 0 and agreement is None and is_limited(new)
        begun += (new,) if is_new or before is not None else ()
    return tuple(begun)

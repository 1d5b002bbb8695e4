"""What the parties beside the diagram see: the shop, the shopper's phone, the receiver of webhooks.

Choice: D-532.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.errors import UnknownReferenceError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasSandbox, HasStore
from simulator.domain.core.records import Payment, State
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.service.checkouts.standing import Standing, checkout_page
from simulator.service.console.lists import find_newest
from simulator.service.payments.responses import ResponsePorts
from simulator.service.webhooks.deliveries import DeliveryPorts, find_events, with_deliveries

EVENTS_SHOWN = 10


class PartyPorts(DeliveryPorts, ResponsePorts, HasSandbox, Protocol):
    """What looking at all parties needs."""


class PartyViews(NamedTuple):
    """The newest checkout that can be paid and the newest payment whose shopper is waited for, by
    id or empty, and the newest events with their deliveries.
    """

    checkout: str
    payment: str
    events: Sequence[tuple[WebhookEvent, Sequence[Delivery]]]


def view_parties(ports: PartyPorts, host: Host) -> PartyViews:
    """What the parties of a sandbox see now on a host."""
    merchant = ports.sandbox.merchants[0].id
    checkouts = find_newest(ports, Checkout, merchant, host=host).records
    can_pay = (Standing.OPEN, Standing.DECLINED)
    open_now = (one.id for one in checkouts if checkout_page(ports, one).standing in can_pay)
    payments = find_newest(ports, Payment, merchant, host=host).records
    awaited = (one.id for one in payments if _awaits_shopper(one))
    events = list(islice(find_events(ports, failed=False, payment=None), EVENTS_SHOWN))
    return PartyViews(
        next(open_now, ""),
        next(awaited, ""),
        [*with_deliveries(ports, events)],
    )


def awaited_payment(ports: HasStore, identity: str) -> tuple[str, str]:
    """The page that the shopper of a payment is sent to, and that of the ACS it leads on to, or
    empty. Raises UnknownReferenceError where no shopper is waited for.
    """
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.redirect is None or not _awaits_shopper(payment):
        raise UnknownReferenceError("700.400.580", "no payment with the id waits for its shopper")
    authentication = ports.store.get(Authentication, identity)
    return payment.redirect.url, authentication.acs_url if authentication else ""


def _awaits_shopper(payment: Payment) -> bool:
    # What began in a checkout goes on in its form.
    is_open = payment.state is State.PENDING and payment.redirect is not None
    return is_open and payment.checkout is None

"""The call of shopperResultUrl for a checkout that was posted and not read.

Source: Events, 2; Limits. Choice: D-132.
"""

from contextlib import suppress

from simulator.domain.checkouts.checkouts import Checkout, CheckoutCall, expires_at, unread_call
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import unit_of
from simulator.domain.payments.redirects import RESULT_URL
from simulator.domain.urls import is_web_url
from simulator.domain.webhooks.records import create_url_delivery
from simulator.service.payments.checkout_attempts import attempt_in
from simulator.service.payments.responses import ResponsePorts
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import EventRecords


def call_unread(ports: ResponsePorts, call: CheckoutCall) -> None:
    """Make the call that is due, unless the checkout was read or removed meanwhile."""
    events = _prepare_call(ports, call)
    with suppress(ConflictError):
        ports.store.commit(unit_of(*events, removes=(call,)))
        dispatch_events(ports, events)


def _prepare_call(ports: ResponsePorts, call: CheckoutCall) -> EventRecords:
    checkout = ports.store.get(Checkout, call.id)
    attempt = None if checkout is None else attempt_in(ports, checkout)
    if checkout is None or attempt is None or checkout.read_at is not None:
        return ()
    url = attempt.sent.get(RESULT_URL)
    if url is None or not is_web_url(url):
        return ()
    now = ports.clock.now()
    event = unread_call(attempt, identity=ports.ids.record(), now=now)
    merchant, identity, until = attempt.stamp.merchant, ports.ids.record(), expires_at(checkout)
    return event, create_url_delivery(url, event, merchant=merchant, identity=identity, until=until)

"""The call of shopperResultUrl for a checkout that was posted and that nobody read.

Source: Events, 2; Limits. Choice: D-132.
"""

from contextlib import suppress

from simulator.domain.checkouts.checkouts import Checkout, CheckoutCall, unread_call
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.payments.redirects import RESULT_URL
from simulator.domain.webhooks.records import Delivery
from simulator.service.checkouts.sessions import attempt_in
from simulator.service.webhooks.events import Post, hand_over


def call_unread(ports: Ports, call: CheckoutCall) -> None:
    """Make the call that is due, unless the checkout was read or removed meanwhile."""
    post = _post_for(ports, call)
    with suppress(ConflictError):
        ports.store.commit(unit_of(*post.records, removes=(call,)))
        hand_over(ports, post)


def _post_for(ports: Ports, call: CheckoutCall) -> Post:
    checkout = ports.store.get(Checkout, call.id)
    attempt = None if checkout is None else attempt_in(ports, checkout)
    if checkout is None or attempt is None or checkout.read_at is not None:
        return Post()
    url = attempt.sent.get(RESULT_URL)
    if url is None:
        return Post()
    now = ports.clock.now()
    notice = unread_call(attempt, identity=ports.ids.record(), now=now)
    delivery = Delivery(
        id=ports.ids.record(), notice=notice.id, url=url, began_at=now, under_way=True
    )
    return Post((notice, delivery), (delivery,))

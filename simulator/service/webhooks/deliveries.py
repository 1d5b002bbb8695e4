"""Dispatch stored deliveries, read the events of a sandbox, and replay them.

Source: Events. Choice: D-84.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Protocol

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import HasClock, HasScheduler, HasStore, unit_of
from simulator.domain.core.slices import (
    SLICE_DELIVERIES,
    SLICE_RECORDS,
    read_in_slices,
    with_pauses,
)
from simulator.domain.core.transact import transact
from simulator.domain.ports.webhooks import HasDispatcher
from simulator.domain.webhooks.records import (
    Delivery,
    Endpoint,
    WebhookEvent,
    restart_delivery,
    start_delivery,
)

END_OF_TIME = "9999-12-31"
# Events that are read first, and at most at once.
READ_FIRST, READ_AT_ONCE_MAX = 100, 6400


class DeliveryPorts(HasClock, HasDispatcher, HasScheduler, HasStore, Protocol):
    """What deliveries need."""


class UnknownEventError(Exception):
    """No webhook event has the id."""


def dispatch_events(ports: DeliveryPorts, records: Sequence[Any]) -> None:
    """Dispatch the deliveries among `records`, which are stored; those due later are scheduled."""
    deliveries = [each for each in records if isinstance(each, Delivery)]
    if not deliveries:
        return
    # Nothing is sent that a power cut could take back.
    ports.store.wait_durable()
    ports.dispatcher.enqueue(deliveries)
    if any(each.due is not None for each in deliveries):
        ports.scheduler.wake()


def dispatch_due(ports: DeliveryPorts, delivery: Delivery) -> None:
    """Dispatch this delivery, which is due, and with it others that are: a slice, for the scheduler
    comes back to those that are left. Others have their turn before that.
    """
    now = ports.clock.now()
    waiting = ports.store.between(Delivery, "due", "", END_OF_TIME)
    # They come in the order in which they are due: what follows the first later one is not read.
    due = takewhile(lambda each: each.due is not None and each.due <= now, waiting)
    started = [start_delivery(each) for each in islice(due, SLICE_DELIVERIES)]
    try:
        ports.store.commit(unit_of(*started))
    except ConflictError:
        return  # They are still due, and the scheduler comes back to them.
    ports.store.wait_durable()
    ports.dispatcher.enqueue(started)
    ports.store.pause(0)


def resume_deliveries(ports: DeliveryPorts) -> int:
    """Dispatch again what was under way when the server stopped; the number of deliveries."""
    found = ports.store.find(Delivery, "under_way", "yes")
    ports.dispatcher.enqueue(found)
    return len(found)


def find_events(
    ports: DeliveryPorts, *, failed: bool = False, payment: str | None = None
) -> Iterator[WebhookEvent]:
    """The events of a sandbox, newest first: all, those that failed so far, or those about one
    payment. Others have their turn now and then.
    """
    if payment is None:
        found = _newest_first(ports)
    else:
        about = ports.store.ids_found(WebhookEvent, "payment", payment)
        found = read_in_slices(ports, WebhookEvent, about[::-1])
    if not failed:
        yield from with_pauses(ports, found)
        return
    for event, deliveries in with_deliveries(ports, found):
        if any(map(has_failed, deliveries)):
            yield event


def with_deliveries(
    ports: HasStore, events: Iterable[WebhookEvent]
) -> Iterator[tuple[WebhookEvent, list[Delivery]]]:
    """Each event with its deliveries, one for each endpoint. Others have their turn now and then,
    and where an event has many.
    """
    for event in with_pauses(ports, events):
        deliveries = find_deliveries(ports, event.id)
        if len(deliveries) >= SLICE_RECORDS:
            ports.store.pause(0)
        yield event, deliveries


def _newest_first(ports: HasStore) -> Iterator[WebhookEvent]:
    """Every event, of which some at a time are looked up, then more: pages that are looked at each
    second show a few, and who looks for those that failed reads all. Of long ones few are in
    memory: many may read them.
    """
    bounds, at_once, seen = ("", END_OF_TIME), READ_FIRST, set[str]()
    _, end = ports.store.page(WebhookEvent, "date", bounds, start=0, most=0)
    while end > 0:
        start = max(0, end - at_once)
        found, _ = ports.store.page(WebhookEvent, "date", bounds, start=start, most=end - start)
        some = [each.id for each in with_pauses(ports, found)]
        # Those that were removed meanwhile were the oldest: the others moved down.
        unseen = [each for each in reversed(some) if each not in seen]
        seen.update(unseen)
        yield from read_in_slices(ports, WebhookEvent, unseen)
        end, at_once = start, min(2 * at_once, READ_AT_ONCE_MAX)


def has_failed(delivery: Delivery) -> bool:
    """Whether a delivery was attempted without success so far."""
    return delivery.attempts > 0 and not delivery.delivered


def read_event(ports: DeliveryPorts, identity: str) -> WebhookEvent:
    """The event with the id `identity`. Raises UnknownEventError."""
    event = ports.store.get(WebhookEvent, identity)
    if event is None:
        raise UnknownEventError("no webhook event has the id in the path")
    return event


def find_deliveries(ports: HasStore, event: str) -> list[Delivery]:
    """The deliveries of an event, one for each endpoint."""
    return ports.store.find(Delivery, "notice", event)


def url_of(ports: HasStore, delivery: Delivery) -> str | None:
    """Where a delivery goes; None where its endpoint was removed."""
    if delivery.endpoint is None:
        return delivery.url
    endpoint = ports.store.get(Endpoint, delivery.endpoint)
    return None if endpoint is None else endpoint.url


def replay_event(ports: DeliveryPorts, identity: str) -> WebhookEvent:
    """Deliver an event again, now, to every endpoint it was for, under the same id.

    Raises UnknownEventError.
    """
    event = read_event(ports, identity)

    def restart() -> list[Delivery]:
        now = ports.clock.now()
        stopped = (each for each in find_deliveries(ports, identity) if not each.under_way)
        restarted = [restart_delivery(each, now=now) for each in stopped]
        ports.store.commit(unit_of(*restarted))
        return restarted

    restarted = transact(ports.store, restart)
    # Nothing is sent that a power cut could take back.
    ports.store.wait_durable()
    ports.dispatcher.enqueue(restarted)
    return event

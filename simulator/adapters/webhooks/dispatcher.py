"""The webhook dispatcher of one sandbox: each endpoint has a queue of its own.

    dispatcher    puts each stored delivery into the queue of its endpoint
    endpoint queue    attempts its deliveries in order, one at a time
    sender    sends a request over the queue's kept-alive connection
    result writer    stores the results of all queues in batches

A queue is a greenlet that lives while it has work: an endpoint that does not respond delays only
its own queue, and an idle sandbox has none. Each URL of a single payment has a queue as well, where
there is a place for it. A result that a crash took away is attempted again, under the same event
id. Choices: D-84, D-666.
"""

from collections.abc import Iterable, Mapping, Sequence

import gevent

from simulator.adapters.webhooks.attempts import AttemptBuilder, DispatcherPorts
from simulator.adapters.webhooks.endpoint_queue import EndpointQueue
from simulator.adapters.webhooks.large_events import LargeEvents
from simulator.adapters.webhooks.queue_turns import QueueTurns
from simulator.adapters.webhooks.results import PAUSE_S, AttemptResultWriter
from simulator.adapters.webhooks.sender import Sender
from simulator.adapters.webhooks.url_places import UrlPlaces
from simulator.domain.core.ports import InFlightCounter
from simulator.domain.webhooks.records import (
    INBOX,
    AttemptResult,
    Delivery,
    Endpoint,
    WebhookEvent,
)

# How long a queue without work keeps its connection, unless others wait for its place.
KEEP_ALIVE_S = 2.0
# Endpoints, of which there are few, have a queue always. Choice: D-666.
URL_QUEUES_MAX = 200


class WebhookDispatcher:
    """Implements ports.Dispatcher. After a fault a queue pauses for `pause_s` of wire time. At most
    `url_queues_max` queues are of URLs of single payments.
    """

    __slots__ = (
        "_endpoints",
        "_in_flight",
        "_large",
        "_pause_s",
        "_places",
        "_ports",
        "_queues",
        "_reloads",
        "_results",
        "_turns",
    )

    def __init__(
        self,
        ports: DispatcherPorts,
        in_flight: InFlightCounter,
        *,
        pause_s: float = PAUSE_S,
        url_queues_max: int = URL_QUEUES_MAX,
    ):
        self._ports = ports
        self._in_flight = in_flight
        self._pause_s = pause_s
        self._large = LargeEvents(ports.store, ports.connector.large_bodies)
        self._results = AttemptResultWriter(ports.store, ports.wake, in_flight, pause_s=pause_s)
        self._turns = QueueTurns()
        self._endpoints: dict[str, list[Endpoint]] | None = None
        self._reloads = 0
        self._queues: dict[str, EndpointQueue] = {}
        self._places = UrlPlaces(url_queues_max)

    @property
    def endpoints(self) -> Mapping[str, Sequence[Endpoint]]:
        """The active endpoints by their entity, oldest first, read from the store once."""
        while (endpoints := self._endpoints) is None:
            reloads, found = self._reloads, self._read_endpoints()
            if reloads == self._reloads:
                self._endpoints = found
        return endpoints

    @property
    def is_idle(self) -> bool:
        """Whether no queue has work or an open connection."""
        return not self._queues

    def reload_endpoints(self) -> None:
        """Read the endpoints again, after some were stored or removed."""
        self._endpoints = None
        self._reloads += 1
        for queue in self._queues.values():
            queue.reload_endpoint()

    def enqueue(self, deliveries: Iterable[Delivery]) -> None:
        """Attempt those deliveries that are stored as under way; returns at once."""
        for delivery in deliveries:
            if not delivery.under_way:
                continue
            if delivery.endpoint is None and not self._places.take(delivery):
                self._let_wait(delivery)
            else:
                self._queue_of(delivery.queue_key, delivery.endpoint).enqueue(delivery.id)

    def take_up(self, deliveries: Iterable[Delivery]) -> None:
        """Attempt those of the deliveries that are not known here: others stored them."""
        for delivery in deliveries:
            queue = self._queues.get(delivery.queue_key)
            if queue is None or not queue.knows(delivery.id):
                self.enqueue([delivery])

    def attempt_once(self, endpoint: Endpoint, event: WebhookEvent) -> AttemptResult:
        """Make one attempt that is not stored: the activation of an endpoint."""
        delivery = Delivery(id=event.id, event_id=event.id, began_at=event.created_at)
        request = AttemptBuilder(self._ports).build_request(endpoint, event, delivery)
        sender = Sender(self._ports.connector, self._ports.inbox)
        try:
            return sender.send(request)
        finally:
            sender.close()

    def check_url(self, url: str) -> None:
        """Raise InvalidInputError or RefusedAddressError unless events may be sent to `url`."""
        if url != INBOX:
            self._ports.connector.check_url(url)

    def stop(self) -> None:
        """Drop everything at once: the epoch of the sandbox has ended."""
        self._places.clear()
        gevent.killall([queue.greenlet for queue in self._queues.values()], block=False)
        self._results.stop()

    def _read_endpoints(self) -> dict[str, list[Endpoint]]:
        by_entity: dict[str, list[Endpoint]] = {}
        for each in self._ports.store.find(Endpoint, "all", "yes"):
            if each.active:
                by_entity.setdefault(each.entity, []).append(each)
        return by_entity

    def _let_wait(self, delivery: Delivery) -> None:
        if not self._places.has_waiting:
            self._in_flight.begin()
            # From now on none stays without work.
            for queue in map(self._queues.__getitem__, self._places.urls):
                if queue.is_idle:
                    queue.end()
        self._places.wait(delivery)

    def _queue_of(self, key: str, endpoint: str | None) -> EndpointQueue:
        queue, is_of_url = self._queues.get(key), endpoint is None
        if queue is None:
            queue = self._queues[key] = EndpointQueue(
                self._ports,
                self._results,
                self._in_flight,
                large=self._large,
                turns=self._turns,
                pause_s=self._pause_s,
                keep_alive_s=lambda: 0 if is_of_url and self._places.has_waiting else KEEP_ALIVE_S,
                on_end=lambda: self._end(key),
            )
        return queue

    def _end(self, key: str) -> None:
        """A queue has ended: others that wait may begin in its place."""
        del self._queues[key]
        if key not in self._places.urls:
            return
        had_waiting = self._places.has_waiting
        self._places.give_back(key)
        while (following := self._places.take_next()) is not None:
            url, identities = following
            queue = self._queue_of(url, None)
            for identity in identities:
                queue.enqueue(identity)
        if had_waiting and not self._places.has_waiting:
            self._in_flight.end()

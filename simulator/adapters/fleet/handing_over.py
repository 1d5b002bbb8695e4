"""Handing deliveries to the home of their sandbox, which keeps the order of each endpoint.

Requests that wait at once share a message. A payment is answered once the home has its events, so
that those of the next one follow them. Where the home is lost, the next one finds what is stored.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import gevent
from gevent.event import Event

from simulator.adapters.fleet.calm_messages import HandedOver
from simulator.adapters.fleet.peers import LostForwardError, UnservedError
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.domain.core.agenda import Agenda, StoredRecord
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
)
from simulator.domain.webhooks.records import AttemptResult, Delivery, Endpoint, WebhookEvent

LOG = logging.getLogger("sandgate.fleet")
TRIES_MAX, AGAIN_S = 60, 0.5
# Why deliveries are not taken yet: the home, the database, or a sandbox that is just moving.
LATER = (UnservedError, LostForwardError, DiskError, HomeNeededError)


class WaitingDeliveries:
    """Deliveries that go in one message, and the requests that wait for that."""

    __slots__ = ("deliveries", "done")

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.done = Event()

    def message(self) -> HandedOver:
        return HandedOver(tuple(self.deliveries))


class HomeLine:
    """Hands over by `send`, and by `send_again` to the member that is the home then."""

    def __init__(
        self, send: Callable[[HandedOver], object], send_again: Callable[[HandedOver], object]
    ):
        self._send = send
        self._send_again = send_again
        self._batch: WaitingDeliveries | None = None
        self._greenlet: gevent.Greenlet | None = None

    def hand(self, deliveries: Iterable[Delivery] = ()) -> None:
        """Return when the home has them, or could not be reached: it gets them later then."""
        batch = self._batch
        if batch is None:
            batch = self._batch = WaitingDeliveries()
        batch.deliveries += deliveries
        if self._greenlet is None:
            self._greenlet = gevent.spawn(self._run)
        batch.done.wait()

    def _run(self) -> None:
        try:
            while (batch := self._batch) is not None:
                self._batch = None
                try:
                    self._send(batch.message())
                except LATER as error:
                    LOG.debug("deliveries are handed over later: %s", error)
                    gevent.spawn(self._try_again, batch.message())
                finally:
                    batch.done.set()
        finally:
            self._greenlet = None

    def _try_again(self, message: HandedOver) -> None:
        for _ in range(TRIES_MAX):
            gevent.sleep(AGAIN_S)
            try:
                self._send_again(message)
                return
            except LATER as error:
                LOG.debug("deliveries are handed over later: %s", error)
            except (EpochEndedError, DamagedLogError) as error:
                LOG.warning("deliveries are not handed over: %s", error)
                return
        LOG.warning("deliveries were not handed over: the next home of the sandbox finds them")


class RemoteDispatcher:
    """Implements ports.Dispatcher beside the home; `local` reads the endpoints."""

    def __init__(self, local: WebhookDispatcher, line: HomeLine):
        self._local = local
        self._line = line

    @property
    def endpoints(self) -> Mapping[str, Sequence[Endpoint]]:
        return self._local.endpoints

    def reload_endpoints(self) -> None:
        """Endpoints change at home, which ends the calm."""
        raise HomeNeededError("endpoints change at home")

    def enqueue(self, deliveries: Iterable[Delivery]) -> None:
        """Hand those deliveries over that are stored as under way."""
        under_way = [each for each in deliveries if each.under_way]
        if under_way:
            self._line.hand(under_way)

    def attempt_once(self, endpoint: Endpoint, event: WebhookEvent) -> AttemptResult:
        """The home sends."""
        raise HomeNeededError("the home sends")

    def check_url(self, url: str) -> None:
        self._local.check_url(url)


class RemoteScheduler:
    """Implements agenda.Scheduler beside the home, which does all due work."""

    def __init__(self, line: HomeLine):
        self._line = line

    def wake(self) -> None:
        """The home looks for due work with what it is handed."""
        self._line.hand()

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        raise HomeNeededError("due work is done at home")

    def is_running(self, name: str) -> bool:
        raise HomeNeededError("due work is done at home")

    def end_attempt(self, identity: str) -> None:
        """The next home of the sandbox ends it."""
        LOG.warning("payment %s is pending until the sandbox has another home", identity)

    def carry_out(self, record: StoredRecord, work: Callable[[], object]) -> None:
        raise HomeNeededError("due work is done at home")

    def set_aside(self, record: StoredRecord, reason: str) -> None:
        raise HomeNeededError("due work is done at home")

    def is_set_aside(self, record: StoredRecord) -> bool:
        raise HomeNeededError("due work is done at home")

    def looking(self, failed_writes: int) -> AbstractContextManager[Agenda]:
        raise HomeNeededError("due work is done at home")

    @property
    def set_aside_count(self) -> int:
        raise HomeNeededError("due work is done at home")

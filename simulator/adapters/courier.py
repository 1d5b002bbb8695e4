"""The courier of one sandbox: hands deliveries to lanes, one for each endpoint.

A lane is a greenlet that lives while there is something to carry, so a dead endpoint delays nobody
but itself, and an idle sandbox has none. Ends of attempts are stored several at a time; what a
crash takes of them is attempted again, under the same identity. Choice: D-84.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic

import gevent
from gevent.event import Event

from simulator.adapters.carrier import Carrier, End, Ledger, Load, Tools
from simulator.adapters.links import check_url
from simulator.domain.errors import Gone
from simulator.domain.ports import Flight
from simulator.domain.webhooks import INBOX, Delivery, Endpoint, Notice, Reply

LOG = logging.getLogger("sandgate.webhooks")
# Attempts whose ends are stored together, and how long the first of them waits for the others.
BATCH_MAX = 100
BATCH_S = 0.2
# How long a lane without work keeps its connection.
LINGER_S = 2.0
FAULT_PAUSE_S = 1.0


class Courier:
    """Implements ports.Outbox."""

    __slots__ = ("_endpoints", "_flight", "_lanes", "_ledger", "_tools")

    def __init__(self, tools: Tools, flight: Flight):
        self._tools = tools
        self._flight = flight
        self._ledger = Ledger(tools)
        self._endpoints: tuple[Endpoint, ...] | None = None
        self._lanes: dict[str, Lane] = {}

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Those that are active; asking costs next to nothing."""
        if self._endpoints is None:
            found = self._tools.store.find(Endpoint, "all", "yes")
            self._endpoints = tuple(each for each in found if each.active)
        return self._endpoints

    @property
    def is_idle(self) -> bool:
        """Whether no lane carries anything, or keeps a connection for what may follow."""
        return not self._lanes

    def changed(self) -> None:
        """Endpoints were stored or removed: look again."""
        self._endpoints = None

    def carry(self, deliveries: Iterable[Delivery]) -> None:
        """Take over those deliveries that are stored as under way."""
        for delivery in deliveries:
            if delivery.under_way:
                self._lane(delivery.lane).put(delivery.id)

    def try_now(self, endpoint: Endpoint, notice: Notice) -> Reply:
        """One attempt that nothing is stored of: the activation of an endpoint."""
        carrier = Carrier(self._tools)
        try:
            return carrier.try_now(endpoint, notice)
        finally:
            carrier.close()

    def check(self, url: str) -> None:
        """Raise BadInput or RefusedAddress unless notifications may go to `url`."""
        if url != INBOX:
            check_url(self._tools.links, url)

    def stop(self) -> None:
        """Let go of everything at once: the epoch is over."""
        gevent.killall([lane.greenlet for lane in self._lanes.values()], block=False)

    def _lane(self, name: str) -> "Lane":
        lane = self._lanes.get(name)
        if lane is None:
            carrier = Carrier(self._tools)
            lane = Lane(carrier, self._ledger, self._flight, left=lambda: self._lanes.pop(name))
            self._lanes[name] = lane
        return lane


class Lane:
    """What is carried to one endpoint, in order, by one greenlet; `left` is called when it ends."""

    __slots__ = (
        "greenlet", "_ahead", "_busy", "_carrier", "_flight", "_ledger", "_left", "_more", "_queue",
        "_taken",
    )  # fmt: skip

    def __init__(self, carrier: Carrier, ledger: Ledger, flight: Flight, *, left: Callable) -> None:
        self._carrier = carrier
        self._ledger = ledger
        self._flight = flight
        self._left = left
        self._queue: deque[str] = deque()
        self._ahead: gevent.Greenlet | None = None
        self._taken: list[str] = []
        self._more = Event()
        self._busy = False
        self.greenlet = gevent.spawn(self._run)

    def put(self, identity: str) -> None:
        """One more to carry; until it is done, the sandbox has something under way."""
        self._queue.append(identity)
        self._more.set()
        if not self._busy:
            self._busy = True
            self._flight.__enter__()

    def _run(self) -> None:
        try:
            while self._more.wait(LINGER_S):
                self._carry_all()
        except Gone:
            LOG.debug("the sandbox was reset or deleted: what was under way in it is dropped")
        finally:
            # Nothing switches between the end of the wait and here: nobody can have put more.
            self._left()
            self._rest()
            self._carrier.close()

    def _carry_all(self) -> None:
        while self._queue or self._ahead is not None:
            try:
                self._ledger.keep(list(self._ends()))
            except Gone:
                raise
            except Exception:
                self._carry_again()
            # What is made ready already is carried with the next batch.
            self._taken = self._taken[-1:] if self._ahead is not None else []
        self._rest()

    def _carry_again(self) -> None:
        """A fault of ours loses nothing: what was taken is carried again, behind the others."""
        LOG.exception("a delivery met a fault, it is carried again")
        self._queue.extend(self._taken)
        self._ahead = None
        gevent.sleep(FAULT_PAUSE_S)

    def _ends(self) -> Iterator[End]:
        """The ends of the next attempts: as many as are stored together."""
        until = monotonic() + BATCH_S
        for _ in range(BATCH_MAX):
            load = self._next()
            if load is not None:
                yield self._carrier.attempt(load)
            elif self._ahead is None:
                return
            if monotonic() > until:
                return

    def _next(self) -> Load | None:
        """The next load. The one after it is made ready while this one waits for its answer."""
        # A greenlet that has ended counts as false.
        ahead = self._made_ready() if self._ahead is None else self._ahead
        self._ahead = self._made_ready()
        return None if ahead is None else ahead.get()

    def _made_ready(self) -> gevent.Greenlet | None:
        if not self._queue:
            return None
        self._taken.append(self._queue.popleft())
        return gevent.spawn(self._load, self._taken[-1])

    def _load(self, identity: str) -> Load | None:
        # The lane itself meets the end of the epoch as soon as it stores something.
        with suppress(Gone):
            return self._carrier.load(identity)
        return None

    def _rest(self) -> None:
        self._more.clear()
        if self._busy:
            self._busy = False
            self._flight.__exit__(None, None, None)

"""The courier of one sandbox: hands deliveries to lanes, one for each endpoint.

A lane is a greenlet that lives while there is something to carry, so a dead endpoint delays nobody
but itself, and an idle sandbox has none. How attempts ended is stored beside the lanes; what a
crash takes of that is attempted again, under the same identity. Choice: D-84.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable

import gevent
from gevent.event import Event

from simulator.adapters.webhooks.endpoint_queue import Carrier, Load, Tools
from simulator.adapters.webhooks.results import PAUSE_S, Ends
from simulator.adapters.webhooks.sender import check_url
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import InFlightCounter
from simulator.domain.webhooks.records import INBOX, Delivery, Endpoint, Notice, Reply

LOG = logging.getLogger("sandgate.webhooks")
# How long a lane without work keeps its connection.
LINGER_S = 2.0


class Courier:
    """Implements ports.Outbox. After a fault it pauses for `pause_s` of wire time."""

    __slots__ = ("_endpoints", "_ends", "_flight", "_lanes", "_pause_s", "_tools")

    def __init__(self, tools: Tools, in_flight: InFlightCounter, *, pause_s: float = PAUSE_S):
        self._tools = tools
        self._flight = in_flight
        self._pause_s = pause_s
        self._ends = Ends(tools.store, tools.wake, pause_s=pause_s)
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
        for lane in self._lanes.values():
            lane.carrier.forget()

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
        self._ends.stop()

    def _lane(self, name: str) -> "Lane":
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = Lane(
                Carrier(self._tools),
                self._ends,
                self._flight,
                pause_s=self._pause_s,
                left=lambda: self._lanes.pop(name),
            )
        return lane


class Lane:
    """What is carried to one endpoint, in order, by one greenlet; `left` is called when it ends."""

    __slots__ = (
        "carrier", "greenlet", "_ahead", "_busy", "_ends", "_faulty", "_flight", "_left", "_more",
        "_pause_s", "_queue",
    )  # fmt: skip

    def __init__(
        self,
        carrier: Carrier,
        ends: Ends,
        in_flight: InFlightCounter,
        *,
        pause_s: float,
        left: Callable[[], object],
    ):
        self.carrier = carrier
        self._ends = ends
        self._flight = in_flight
        self._pause_s = pause_s
        self._left = left
        self._queue: deque[str] = deque()
        self._ahead: Load | None = None
        self._more = Event()
        self._busy = False
        self._faulty = False
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
        except EpochEndedError:
            LOG.debug("the sandbox was reset or deleted: what was under way in it is dropped")
        finally:
            # Nothing switches between the end of the wait and here: nobody can have put more.
            self._left()
            self._rest()
            self.carrier.close()

    def _carry_all(self) -> None:
        while self._queue or self._ahead is not None:
            self._prepare()
            load, self._ahead = self._ahead, None
            if load is not None:
                self._attempt(load)
                # An answer that is there already makes nobody wait: others get a turn here.
                gevent.sleep(0)
            if self._faulty:
                self._faulty = False
                gevent.sleep(self._pause_s)
            if not self._queue and self._ahead is None:
                self._ends.settle()
        self._rest()

    def _attempt(self, load: Load) -> None:
        try:
            end = self.carrier.attempt(load, meanwhile=self._prepare)
        except EpochEndedError:
            raise
        except Exception:
            self._carry_again(load.delivery.id)
        else:
            self._ends.put(end)

    def _prepare(self) -> None:
        """Make the next load ready: while an attempt waits for its answer there is time for it."""
        while self._queue and self._ahead is None and not self._faulty:
            identity = self._queue.popleft()
            try:
                self._ahead = self.carrier.load(identity)
            except EpochEndedError:
                # Whoever stores something meets the end of the epoch.
                self._queue.clear()
            except Exception:
                self._carry_again(identity)

    def _carry_again(self, identity: str) -> None:
        """A fault of ours loses nothing: it is carried again, behind the others, after a pause."""
        LOG.exception("a delivery met a fault, it is carried again")
        self._queue.append(identity)
        self._faulty = True

    def _rest(self) -> None:
        self._more.clear()
        if self._busy:
            self._busy = False
            self._flight.__exit__(None, None, None)

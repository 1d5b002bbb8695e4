"""Turns of new connections, in rounds over the addresses of their clients.

A connection that is new costs as much of the processor as a request: its handshake, or the first
thing it sends. They are accepted sooner than they can be served, since those of all clients wait in
one row in the system, and then wait here until it is their turn. What else costs without a token
waits here too: a request of no sandbox, and the end of a connection.

- Each address that waits has one turn in a round. A client that opens many connections delays its
  own ones.
- Turns end after a slice of time: what else is ready comes before the next ones.
- What goes on over a connection has turns beside what begins one: what was begun is finished.
- Where many of one address wait to begin, the last one comes first: those before it are too late
  for their clients in any order, as soon as more come than can be served. What goes on comes in its
  order: a client that has its answer asks again, and would be the last one each time.

Choice: D-664.
"""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from gevent.hub import Waiter, get_hub

from simulator.adapters.turns import SLICE_S

# So many take some 30 ms: until then those that came first come first.
WAITING_IN_ORDER = 100


class AddressTurns:
    """Turns for which connections wait, each with the address of its client."""

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        *,
        slice_s: float = SLICE_S,
        in_order: int = WAITING_IN_ORDER,
    ):
        self._clock = clock
        self._slice_s = slice_s
        self._in_order = in_order
        self._hub = get_hub()
        self._timer = self._hub.loop.timer(0)
        # By address and whether they go on with something, in the order in which they come next.
        self._waiting: OrderedDict[tuple[str, bool], OrderedDict[Waiter, None]] = OrderedDict()

    def take(self, address: str, *, is_begun: bool = False) -> None:
        """Wait for a turn, which ends where the greenlet waits for something else."""
        key, turn = (address, is_begun), Waiter(self._hub)
        if not self._waiting:
            self._timer.start(self._give)
        self._waiting.setdefault(key, OrderedDict())[turn] = None
        try:
            turn.get()
        except BaseException:
            # The connection was ended meanwhile.
            self._leave(key, turn)
            raise

    def is_crowded(self, address: str) -> bool:
        """Whether so many wait that those that came first come last."""
        return len(self._waiting.get((address, False), ())) > self._in_order

    def has_waiting(self, address: str) -> bool:
        """Whether one of this address waits."""
        return (address, False) in self._waiting

    def close(self) -> None:
        """Give no more turns."""
        self._timer.close()

    def _leave(self, key: tuple[str, bool], turn: Waiter) -> None:
        waiting = self._waiting.get(key, OrderedDict())
        waiting.pop(turn, None)
        if not waiting:
            self._waiting.pop(key, None)

    def _give(self) -> None:
        """Give turns for a slice of time. This runs in the event loop, where everything waits."""
        until = self._clock() + self._slice_s
        while self._waiting:
            self._next().switch(None)
            if self._clock() >= until:
                break
        if self._waiting:
            self._timer.start(self._give)

    def _next(self) -> Waiter:
        key, waiting = self._waiting.popitem(last=False)
        _, is_begun = key
        turn, _ = waiting.popitem(last=len(waiting) > self._in_order and not is_begun)
        if waiting:
            self._waiting[key] = waiting
        return turn

"""Turns of the queues of one sandbox: of many that have work, few go on in each turn of the event
loop. An event for a hundred endpoints is a hundred requests, and others wait for all of them.
"""

import gevent
from gevent.lock import BoundedSemaphore

from simulator.adapters.turns import next_turn

# Each takes about half a millisecond.
QUEUES_AT_ONCE = 8


class QueueTurns:
    """Taken before each delivery. `busy` is the number of queues that have work."""

    __slots__ = ("busy", "_few")

    def __init__(self) -> None:
        self.busy = 0
        self._few = BoundedSemaphore(QUEUES_AT_ONCE)

    def take(self) -> None:
        """Wait for one; where few queues have work, other greenlets run here, and no more."""
        if self.busy <= QUEUES_AT_ONCE:
            # A response that is there at once causes no wait.
            gevent.sleep(0)
            return
        with self._few:
            next_turn()

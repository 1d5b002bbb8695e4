"""Turns of requests, in rounds over those whose work they are.

All requests that have come begin in one turn of the event loop. Where a client sends many at once,
each of which takes long, all others would wait for all of them. Those of an owner whose first one
of a turn began too long ago begin in the next turns, where what else is ready comes before them.

Whose work a request is, is known once it is read. Before that it is taken for that of the sandbox
of which the last one of its connection was. One of no sandbox has a turn of its address instead.

Choice: D-695.
"""

from collections.abc import Callable
from time import monotonic

from gevent.hub import get_hub

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.limits import CONNECTIONS_MAX

# Some thirty payments take so long.
SHARE_S = 0.01
NO_BOUND = float("inf")


class OwnerTurns:
    """Turns in which requests begin; with `NO_BOUND` as their share all begin at once."""

    def __init__(self, clock: Callable[[], float] = monotonic, *, share_s: float = SHARE_S):
        self._clock, self._share_s = clock, share_s
        self.is_bounded = share_s != NO_BOUND
        self._loop = get_hub().loop
        # Those of one owner come in the order in which they came.
        self._turns = AddressTurns(clock, slice_s=share_s, in_order=CONNECTIONS_MAX)
        self._turn = 0
        # When the first of an owner began, in this turn of the loop.
        self._began: dict[str, float] = {}

    def take(self, owner: str) -> None:
        """Return when a request of the owner may begin: at once, as a rule."""
        if self._is_late(owner) or self._turns.has_waiting(owner):
            self._turns.take(owner)
            # It may be the first of the turn that it was given.
            self._is_late(owner)

    def _is_late(self, owner: str) -> bool:
        """Whether the share of the owner in this turn is over, which begins with its first one."""
        if self._loop.iteration != self._turn:
            self._turn = self._loop.iteration
            self._began.clear()
        now = self._clock()
        return now - self._began.setdefault(owner, now) > self._share_s

    def close(self) -> None:
        """Give no more turns."""
        self._turns.close()

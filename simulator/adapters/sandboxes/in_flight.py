"""What is under way in one sandbox, counted, so that a caller can wait for its end."""

from collections.abc import Callable
from time import monotonic

import gevent

STEP_S = 0.001


class GreenletCounter:
    """Implements ports.Flight. `waiting` counts those who wait for the sandbox's clock."""

    __slots__ = ("_count", "_waiting")

    def __init__(self, waiting: Callable[[], int]):
        self._count = 0
        self._waiting = waiting

    def __enter__(self) -> None:
        self._count += 1

    def __exit__(self, *error: object) -> None:
        self._count -= 1

    @property
    def count(self) -> int:
        """How many are under way, waiters included."""
        return self._count

    def quiesce(self, timeout_s: float) -> bool:
        """Whether, within so much wire time, nothing but waiters for the clock was under way."""
        return _within(timeout_s, lambda: self._count <= self._waiting())

    def drain(self, timeout_s: float) -> bool:
        """Whether, within so much wire time, nothing at all was under way."""
        return _within(timeout_s, lambda: self._count == 0)


def _within(timeout_s: float, holds: Callable[[], bool]) -> bool:
    # A greenlet that was woken just now runs first: it may be about to enter.
    gevent.sleep(0)
    until = monotonic() + timeout_s
    while not holds():
        if monotonic() >= until:
            return False
        gevent.sleep(STEP_S)
    return True

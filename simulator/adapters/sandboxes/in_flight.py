"""The in-flight counter of one sandbox, with which a caller can wait until nothing runs."""

from collections.abc import Callable
from time import monotonic

import gevent

STEP_S = 0.001


class GreenletCounter:
    """Implements ports.InFlightCounter. `waiting` gives the number of waits for the clock."""

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
        """How many are in flight, those that wait for the clock included."""
        return self._count

    def quiesce(self, timeout_s: float) -> bool:
        """Whether everything in flight waits for the clock, within this much wire time."""
        return _within(timeout_s, lambda: self._count <= self._waiting())

    def drain(self, timeout_s: float) -> bool:
        """Whether nothing is in flight, within this much wire time."""
        return _within(timeout_s, lambda: self._count == 0)


def _within(timeout_s: float, holds: Callable[[], bool]) -> bool:
    # Greenlets that were woken just now run first: one may be about to enter.
    gevent.sleep(0)
    until = monotonic() + timeout_s
    while not holds():
        if monotonic() >= until:
            return False
        gevent.sleep(STEP_S)
    return True

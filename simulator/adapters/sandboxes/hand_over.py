"""A sandbox that goes from this gateway to another one."""

from collections.abc import Callable
from typing import NamedTuple

from simulator.adapters.sandboxes.in_flight import GreenletCounter


class HandOverSteps(NamedTuple):
    """How many requests for a sandbox are under way, how nothing more is begun in it, and how it is
    given.
    """

    requests: Callable[[], int]
    let_go: Callable[[], object]
    give: Callable[[], object]

    def is_drained(self, in_flight: GreenletCounter | None, within_s: float) -> bool:
        """Whether nothing of it is under way, but requests that wait for what others do, within
        this much wire time; `in_flight` counts what it does where it is in memory.
        """
        return (in_flight or GreenletCounter(int)).finish(self.requests, within_s)

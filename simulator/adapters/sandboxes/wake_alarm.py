"""The alarm: rings for each sandbox that rests when its next due work comes."""

import logging
from collections.abc import Callable
from datetime import timedelta
from heapq import heappop, heappush
from time import monotonic

import gevent
from gevent.event import Event

from simulator.domain.core.errors import DamagedLogError, EpochEndedError

RETRY = timedelta(seconds=1)
LOG = logging.getLogger("sandgate.due")
# Times that are no longer meant and still stand in the heap, beyond as many as are meant.
SPARE = 64


class Alarm:
    """Calls `ring` with what it was set for. Its greenlet lives while it is set for anything."""

    __slots__ = ("_changed", "_due", "_greenlet", "_heap", "_ring")

    def __init__(self, ring: Callable[[str], object]):
        self._ring = ring
        self._due: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._changed = Event()
        self._greenlet: gevent.Greenlet | None = None

    def __len__(self) -> int:
        return len(self._due)

    def set(self, name: str, after: timedelta | None) -> None:
        """Ring for `name` after so much wire time, and at no time set before; None: not at all."""
        self._due.pop(name, None)
        if after is None:
            return
        self._due[name] = due = monotonic() + after.total_seconds()
        heappush(self._heap, (due, name))
        if len(self._heap) > 2 * len(self._due) + SPARE:
            self._heap = sorted((due, name) for name, due in self._due.items())
        self._changed.set()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._run)

    def stop(self) -> None:
        """Never ring again."""
        self._due.clear()
        if self._greenlet is not None:
            self._greenlet.kill()

    def _run(self) -> None:
        while self._heap:
            due, name = self._heap[0]
            if self._due.get(name) != due:
                heappop(self._heap)
            elif due <= monotonic():
                heappop(self._heap)
                del self._due[name]
                self._ring_safely(name)
            else:
                self._changed.clear()
                self._changed.wait(due - monotonic())

    def _ring_safely(self, name: str) -> None:
        """What goes wrong in one sandbox must not keep the others asleep."""
        try:
            self._ring(name)
        except (EpochEndedError, DamagedLogError):
            # Whose log is damaged does not get well by being asked again.
            return
        except Exception:
            LOG.exception("a sandbox with due work could not be woken, it is tried again")
            self.set(name, RETRY)

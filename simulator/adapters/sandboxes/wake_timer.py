"""The wake timer: wakes each evicted sandbox when its next due work comes."""

import logging
from collections.abc import Callable
from datetime import timedelta
from heapq import heappop, heappush
from time import monotonic

import gevent
from gevent.event import Event

from simulator.domain.core.errors import (
    DamagedLogError,
    DamagedRecordError,
    DiskError,
    EpochEndedError,
)

RETRY = timedelta(seconds=1)
DAMAGED_RETRY = timedelta(minutes=1)
LOG = logging.getLogger("sandgate.due")
# Cancelled times that may stay in the heap, beyond as many as there are valid ones.
CANCELLED_MAX = 64


class WakeTimer:
    """Calls `wake` with each name at its time. Its greenlet lives while a time is set."""

    __slots__ = ("_changed", "_due", "_greenlet", "_heap", "_is_stopped", "_wake")

    def __init__(self, wake: Callable[[str], object]):
        self._wake = wake
        self._due: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._changed = Event()
        self._greenlet: gevent.Greenlet | None = None
        self._is_stopped = False

    def __len__(self) -> int:
        return len(self._due)

    def set(self, name: str, after: timedelta | None) -> None:
        """Wake `name` after this much wire time, instead of the time set before; None: never."""
        self._due.pop(name, None)
        if after is None or self._is_stopped:
            return
        self._due[name] = due = monotonic() + after.total_seconds()
        heappush(self._heap, (due, name))
        if len(self._heap) > 2 * len(self._due) + CANCELLED_MAX:
            self._heap = sorted((due, name) for name, due in self._due.items())
        self._changed.set()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._run)

    def stop(self) -> None:
        """Wake nothing any more, also not what is set later."""
        self._is_stopped = True
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
                self._wake_safely(name)
            else:
                self._changed.clear()
                self._changed.wait(due - monotonic())

    def _wake_safely(self, name: str) -> None:
        """Wake a sandbox; an error in one must not stop the timer of the others."""
        try:
            self._wake(name)
        except DamagedRecordError:
            self.set(name, DAMAGED_RETRY)  # A record of a database is repaired while it is served.
        except (EpochEndedError, DamagedLogError):
            return  # Another try would fail as well.
        except DiskError as error:
            LOG.error("a sandbox with due work is not loaded: %s", error)
            self.set(name, RETRY)
        except Exception:
            LOG.exception("a sandbox with due work could not be loaded; it is tried again")
            self.set(name, RETRY)

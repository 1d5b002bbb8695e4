"""What waits for instants of a sandbox clock: a move of it costs what it ends, not what waits."""

from collections import deque
from datetime import datetime
from heapq import heapify, heappop, heappush
from itertools import count

import gevent
from gevent.event import Event

# Others have their turn after so many: what has waited goes on at once, for a millisecond or so.
ENDED_AT_ONCE = 10
# Of waits that are over so many are kept, or as many as wait.
OVER_MAX = 64


class ClockWaits:
    """The waits of one clock, by their instants."""

    __slots__ = ("_due", "_ended", "_events", "_heap", "_numbers")

    def __init__(self) -> None:
        self._numbers = count()
        self._events: dict[int, Event] = {}
        # Some of those that are over are among them still.
        self._heap: list[tuple[datetime, int]] = []
        # Those whose instant has come, until they go on.
        self._due: dict[int, datetime] = {}
        self._ended: deque[int] = deque()

    def wait(self, due: datetime, seconds: float | None) -> None:
        """Return when the wait is ended, or after so many seconds."""
        number, ended = next(self._numbers), Event()
        self._events[number] = ended
        heappush(self._heap, (due, number))
        try:
            ended.wait(seconds)
        finally:
            del self._events[number]
            self._due.pop(number, None)
            self._forget_over()

    @property
    def count(self) -> int:
        """How many wait for an instant that has not come."""
        return len(self._events) - len(self._due)

    @property
    def first(self) -> datetime | None:
        """The earliest instant of all, or None."""
        if self._due:
            return next(iter(self._due.values()))
        self._forget_first()
        return self._heap[0][0] if self._heap else None

    def end_until(self, now: datetime) -> None:
        """End the waits for instants up to `now`, the earliest first, some at a time."""
        is_ending = bool(self._ended)
        while self._heap and self._heap[0][0] <= now:
            due, number = heappop(self._heap)
            if number in self._events:
                self._due[number] = due
                self._ended.append(number)
        if self._ended and not is_ending:
            self._end_some()

    def end_all(self) -> None:
        """End every wait: its instant may have another time to come."""
        for each in [*self._events.values()]:
            each.set()

    def _forget_first(self) -> None:
        while self._heap and self._heap[0][1] not in self._events:
            heappop(self._heap)

    def _forget_over(self) -> None:
        self._forget_first()
        if len(self._heap) > 2 * len(self._events) + OVER_MAX:
            self._heap = [each for each in self._heap if each[1] in self._events]
            heapify(self._heap)

    def _end_some(self) -> None:
        for _ in range(min(len(self._ended), ENDED_AT_ONCE)):
            ended = self._events.get(self._ended.popleft())
            if ended is not None:
                ended.set()
        if self._ended:
            gevent.spawn(self._end_some)

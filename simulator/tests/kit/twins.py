"""The twins of clock and ids: one stands until it is moved, the others repeat at every run."""

import random
from datetime import UTC, datetime, timedelta

from gevent.event import Event

from simulator.adapters.ids import RandomIds

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class HandClock:
    """A clock that stands until it is moved.

    With `jumps`, waiting moves it: a single greenlet that waits would otherwise wait for ever.
    """

    __slots__ = ("_now", "_jumps", "_moved")

    def __init__(self, start: datetime = START, *, jumps: bool = False):
        self._now = start
        self._jumps = jumps
        self._moved = Event()

    def now(self) -> datetime:
        """The instant it was last moved to, aware, UTC."""
        return self._now

    def real(self) -> datetime:
        """What the clocks of people show, which is the same here."""
        return self._now

    def wait(self, span: timedelta) -> None:
        """Return when the clock has been moved by `span` or more."""
        due = self._now + span
        if self._jumps:
            self.advance(span)
        while self._now < due:
            self._moved.wait()

    def reach(self, instant: datetime) -> None:
        """Show this instant or a later one."""
        self._now = max(self._now, instant)

    def advance(self, span: timedelta) -> None:
        """Move the clock; who waited for less goes on at the next turn of the loop."""
        self._now += span
        moved, self._moved = self._moved, Event()
        moved.set()


class SeededIds:
    """The same ids at every run, for tests; traces start at 1."""

    __slots__ = ("record", "hex", "short", "trace")

    def __init__(self, seed: int):
        drawn = RandomIds(random.Random(seed).randbytes, first_trace=1)
        self.record, self.hex = drawn.record, drawn.hex
        self.short, self.trace = drawn.short, drawn.trace

"""World time as it passes here, and a clock that tests move by hand."""

from datetime import UTC, datetime, timedelta

import gevent
from gevent.event import Event

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class RealClock:
    """The clock of this machine."""

    __slots__ = ()

    def now(self) -> datetime:
        """The present, aware, UTC."""
        return datetime.now(UTC)

    def wait(self, span: timedelta) -> None:
        """Return when `span` has passed; other greenlets go on meanwhile."""
        gevent.sleep(span.total_seconds())


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

    def wait(self, span: timedelta) -> None:
        """Return when the clock has been moved by `span` or more."""
        due = self._now + span
        if self._jumps:
            self.advance(span)
        while self._now < due:
            self._moved.wait()

    def advance(self, span: timedelta) -> None:
        """Move the clock; who waited for less goes on at the next turn of the loop."""
        self._now += span
        moved, self._moved = self._moved, Event()
        moved.set()

"""The clock of one sandbox: real time seen through a setting that may change at any moment.

Where the clock of the machine is set back, that of a sandbox goes on from what it showed. Choice:
D-48.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic

from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.adapters.sandboxes.clock_waits import ClockWaits
from simulator.domain.core.clock import EARLIEST, ClockSetting, wire_span, world_time
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import Clock

NOT_AHEAD = timedelta(0)


def monotonic_now() -> datetime:
    """The present of a clock that is never set: it begins anywhere, and only spans of it count."""
    return EARLIEST + timedelta(seconds=monotonic())


class MovableClock:
    """Implements ports.SandboxClock over the real clock. `read` gives the stored setting, at first
    use.
    """

    __slots__ = (
        "_ahead",
        "_began",
        "_changed",
        "_halts",
        "_has_ended",
        "_latest",
        "_read",
        "_real",
        "_setting",
        "_waits",
        "turn",
    )

    def __init__(self, real: Clock, read: Callable[[], ClockSetting]):
        self._real = real
        self._read = read
        self._setting: ClockSetting | None = None
        self._latest, self._ahead = EARLIEST, NOT_AHEAD
        # What it showed before the advance that is under way.
        self._began: datetime | None = None
        self._changed = Event()
        self._has_ended = False
        self._waits = ClockWaits()
        self._halts = 0
        self.turn = BoundedSemaphore(1)

    @property
    def setting(self) -> ClockSetting:
        """The present setting."""
        setting = self._setting
        if setting is None:
            stored = self._read()
            # It may have been set while it was read.
            setting = self._setting = self._setting or stored
        return setting

    @property
    def is_halting(self) -> bool:
        """Whether someone waits for an advance that is under way to stop."""
        return self._halts > 0

    @contextmanager
    def halting(self) -> Iterator[None]:
        """Entered by one who waits for an advance that is under way to stop."""
        self._halts += 1
        try:
            yield
        finally:
            self._halts -= 1

    @contextmanager
    def moving(self) -> Iterator[None]:
        """Entered by an advance: what it shows on the way may be taken back."""
        self._began = self.now()
        yield
        self._began = None

    def real(self) -> datetime:
        """The present of the real clock."""
        return self._real.now()

    def now(self) -> datetime:
        """The present of the sandbox."""
        setting, real_now = self._setting or self.setting, self._real.now()
        # A payment reads it several times: for a clock that shows real time nothing is computed.
        world = real_now if setting.world is None else world_time(setting, real_now)
        if world < self._latest:
            self._ahead = max(self._ahead, self._latest - world)
            world += self._ahead
        elif self._ahead:
            self._ahead = NOT_AHEAD
        self._latest = world
        return world

    def going_on(self) -> ClockSetting:
        """How it goes on where nothing reads it: from what it shows, by the time that does not
        jump, which `monotonic_now` shows. One that shows what it is set to is found by its setting.
        """
        shown = self.now()
        rate = self.setting.rate if self._ahead else 0.0
        return ClockSetting(world=shown, real=monotonic_now(), rate=rate)

    def reach(self, instant: datetime) -> None:
        """Show this instant or a later one from here on, wherever the real clock stands."""
        self._latest = max(self._latest, instant)

    def read_again(self) -> None:
        """Use the stored setting: it may have been stored with unknown outcome. One that was put
        while it was read is newer.
        """
        stored = self._read()
        if self._setting is None or stored.version > self._setting.version:
            self.put(stored)

    def take_back(self, stored: ClockSetting) -> None:
        """Use the stored setting: what an advance showed that is not stored was taken back, and
        nothing that was shown before.
        """
        if self._began is not None:
            self._latest, self._began = self._began, None
        self.put(stored)

    def put(self, setting: ClockSetting) -> None:
        """Use another setting, which is stored already; what waited for what it shows goes on. It
        shows nothing earlier than before.
        """
        before, self._setting = self._setting, setting
        self._ahead = NOT_AHEAD
        self.notify()
        if before is not None and not before.rate and not setting.rate:
            self._waits.end_until(self.now())
        else:
            # How long each of them takes is another now.
            self._waits.end_all()

    def notify(self) -> None:
        """Return from each `wait_for_change`."""
        changed, self._changed = self._changed, Event()
        changed.set()

    def stop(self) -> None:
        """The epoch has ended: a clock that nothing moves any more keeps no one waiting."""
        self._has_ended = True
        self.notify()
        self._waits.end_all()

    def wait(self, span: timedelta) -> None:
        """Return when `span` of sandbox time has passed, or the clock was moved by it. Raises
        EpochEndedError where the epoch ends before.
        """
        due = self.now() + span
        while self.now() < due:
            if self._has_ended:
                raise EpochEndedError("the sandbox was reset, restored or deleted")
            self._waits.wait(due, self._seconds_to(due))

    def wait_for_change(self, due: datetime | None, wire_s: float | None = None) -> None:
        """Return when the clock shows `due`, was changed, or `notify` was called; at the latest
        after `wire_s` seconds of wire time.
        """
        spans = (wire_s, None if due is None else self._seconds_to(due))
        self._changed.wait(min((each for each in spans if each is not None), default=None))

    @property
    def waiting(self) -> int:
        """The number of waits whose instant has not come."""
        return self._waits.count

    def next_waited_for(self) -> datetime | None:
        """The earliest instant of all waits, or None."""
        return self._waits.first

    def span_to(self, due: datetime) -> timedelta | None:
        """How much wire time passes until it shows `due`, or None where it never will."""
        return wire_span(due - self.now(), self.setting.rate)

    def _seconds_to(self, due: datetime) -> float | None:
        left = self.span_to(due)
        return None if left is None else left.total_seconds()

"""The clock of one sandbox: real time seen through a setting that may change at any moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.domain.core.clock import ClockSetting, real_span, world_time
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import Clock


class MovableClock:
    """Implements ports.SandboxClock over the real clock. `read` gives the stored setting, at first
    use.
    """

    __slots__ = (
        "_changed",
        "_halts",
        "_has_ended",
        "_read",
        "_real",
        "_setting",
        "_waiting",
        "turn",
    )

    def __init__(self, real: Clock, read: Callable[[], ClockSetting]):
        self._real = real
        self._read = read
        self._setting: ClockSetting | None = None
        self._changed = Event()
        self._has_ended = False
        self._waiting: list[datetime] = []
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

    def real(self) -> datetime:
        """The present of the real clock."""
        return self._real.now()

    def now(self) -> datetime:
        """The present of the sandbox."""
        setting, real_now = self._setting or self.setting, self._real.now()
        # A payment reads it several times: for a clock that shows real time nothing is computed.
        return real_now if setting.world is None else world_time(setting, real_now)

    def put(self, setting: ClockSetting) -> None:
        """Use another setting, which is stored already; every wait is checked again."""
        self._setting = setting
        self.notify()

    def notify(self) -> None:
        """Check every wait again."""
        changed, self._changed = self._changed, Event()
        changed.set()

    def stop(self) -> None:
        """The epoch has ended: a clock that nothing moves any more keeps no one waiting."""
        self._has_ended = True
        self.notify()

    def wait(self, span: timedelta) -> None:
        """Return when `span` of sandbox time has passed, or the clock was moved by it. Raises
        EpochEndedError where the epoch ends before.
        """
        due = self.now() + span
        self._waiting.append(due)
        try:
            while self.now() < due:
                if self._has_ended:
                    raise EpochEndedError("the sandbox was reset, restored or deleted")
                self.wait_for_change(due)
        finally:
            self._waiting.remove(due)

    def wait_for_change(self, due: datetime | None, wire_s: float | None = None) -> None:
        """Return when the clock shows `due`, was changed, or `notify` was called; at the latest
        after `wire_s` seconds of wire time.
        """
        left = None if due is None else real_span(self.setting, due, self._real.now())
        spans = (wire_s, None if left is None else left.total_seconds())
        self._changed.wait(min((each for each in spans if each is not None), default=None))

    @property
    def waiting(self) -> int:
        """The number of waits."""
        return len(self._waiting)

    def next_waited_for(self) -> datetime | None:
        """The earliest instant of all waits, or None."""
        return min(self._waiting, default=None)

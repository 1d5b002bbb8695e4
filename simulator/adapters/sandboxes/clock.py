"""The clock of one sandbox: real time seen through a setting that may be changed while others
wait.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.domain.core.clock import ClockSetting, real_span, world_time
from simulator.domain.core.ports import Clock


class MovableClock:
    """Implements ports.WorldClock over the real clock. `read` gives the stored setting, at first
    use.
    """

    __slots__ = ("_changed", "_read", "_real", "_setting", "_waiting", "turn")

    def __init__(self, real: Clock, read: Callable[[], ClockSetting]):
        self._real = real
        self._read = read
        self._setting: ClockSetting | None = None
        self._changed = Event()
        self._waiting: list[datetime] = []
        self.turn = BoundedSemaphore(1)

    @property
    def setting(self) -> ClockSetting:
        """How the clock stands."""
        if self._setting is None:
            self._setting = self._read()
        return self._setting

    def real(self) -> datetime:
        """The present of the real clock."""
        return self._real.now()

    def now(self) -> datetime:
        """The present of the sandbox."""
        setting, real_now = self._setting or self.setting, self._real.now()
        # Asked several times a payment: a clock that shows real time needs no computing.
        return real_now if setting.world is None else world_time(setting, real_now)

    def put(self, setting: ClockSetting) -> None:
        """Go on with another setting, which is stored already; waiting callers look again."""
        self._setting = setting
        self.nudge()

    def nudge(self) -> None:
        """Make the scheduler look again."""
        changed, self._changed = self._changed, Event()
        changed.set()

    def wait(self, span: timedelta) -> None:
        """Return when `span` of world time has passed, by itself or because the clock was moved."""
        due = self.now() + span
        self._waiting.append(due)
        try:
            while self.now() < due:
                self.doze(due)
        finally:
            self._waiting.remove(due)

    def doze(self, due: datetime) -> None:
        """Return when the clock shows `due`, was changed, or was nudged; whichever is first."""
        left = real_span(self.setting, due, self._real.now())
        self._changed.wait(None if left is None else left.total_seconds())

    @property
    def waiting(self) -> int:
        """How many wait for it."""
        return len(self._waiting)

    def next_waited_for(self) -> datetime | None:
        """The earliest instant that a caller waits for, or None."""
        return min(self._waiting, default=None)

"""The scheduler of one sandbox: runs due work when its time comes on the sandbox's clock."""

import logging
from collections.abc import Callable
from datetime import datetime

import gevent

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.domain.core.errors import EpochEndedError

LOG = logging.getLogger("sandgate.due")
FAULT_PAUSE_S = 1.0
# How long the unloading of a sandbox waits for its scheduler to end.
REST_S = 0.1


class DueWorkScheduler:
    """Implements ports.Pacer. Its greenlet lives only while something is due, so an idle sandbox
    has none.
    """

    __slots__ = ("_beside", "_clock", "_greenlet", "_next_due", "_resting", "_run")

    def __init__(
        self,
        clock: MovableClock,
        *,
        next_due: Callable[[], datetime | None],
        run: Callable[[], object],
    ):
        self._clock = clock
        self._next_due = next_due
        self._run = run
        self._greenlet: gevent.Greenlet | None = None
        self._beside: dict[str, gevent.Greenlet] = {}
        self._resting = False

    def wake(self) -> None:
        """Look again: something due was stored, or the clock was changed."""
        self._resting = False
        self._clock.nudge()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._beat)

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Do `work` under a name in a greenlet of its own, which has its first turn now."""
        self._beside[name] = gevent.spawn(self._do, name, work)
        gevent.sleep(0)

    def is_running(self, name: str) -> bool:
        """Whether work of this name is being done beside."""
        return name in self._beside

    def stop(self) -> None:
        """Stop for good, also what is being done: the epoch is over."""
        gevent.killall(list(self._beside.values()))
        if self._greenlet is not None:
            self._greenlet.kill()

    def rest(self) -> bool:
        """Stop until the next `wake`, unless something is being done; whether that was done."""
        self._resting = True
        self._clock.nudge()
        if self._greenlet is not None:
            self._greenlet.join(REST_S)
        return self._resting and (self._greenlet is None or self._greenlet.dead)

    def _do(self, name: str, work: Callable[[], object]) -> None:
        try:
            self._safely(work)
        except EpochEndedError:
            return
        finally:
            del self._beside[name]
        self.wake()

    def _beat(self) -> None:
        try:
            while not self._resting and (due := self._next_due()) is not None:
                if due <= self._clock.now():
                    self._safely(self._run)
                else:
                    self._clock.doze(due)
        except EpochEndedError:
            return

    def _safely(self, work: Callable[[], object]) -> None:
        """A fault in due work must not stop what is due after it."""
        try:
            work()
        except EpochEndedError:
            raise
        except Exception:
            LOG.exception("due work failed, it is tried again")
            gevent.sleep(FAULT_PAUSE_S)

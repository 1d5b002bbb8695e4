"""The scheduler of one sandbox: runs due work when its time comes on the sandbox's clock."""

import logging
from collections.abc import Callable
from datetime import datetime

import gevent

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import InFlightCounter

LOG = logging.getLogger("sandgate.due")
# What fails is tried again after a second, then after twice as long each time: what can never be
# done must not fill the log.
FAULT_PAUSE_S, FAULT_PAUSE_S_MAX = 1.0, 32.0
NOTHING_DUE = object()
# How long an eviction waits for the scheduler to stop.
PAUSE_WAIT_S = 0.1


class DueWorkScheduler:
    """Implements ports.Scheduler. Its greenlet lives only while work is due, so an idle sandbox has
    none.
    """

    __slots__ = ("_clock", "_fault_pause_s", "_greenlet", "_in_flight", "_is_paused", "_jobs",
                 "_next_due", "_run", "_wakes")  # fmt: skip

    def __init__(
        self,
        clock: MovableClock,
        in_flight: InFlightCounter,
        *,
        next_due: Callable[[], datetime | None],
        run: Callable[[], object],
    ):
        self._clock = clock
        self._in_flight = in_flight
        self._next_due = next_due
        self._run = run
        self._greenlet: gevent.Greenlet | None = None
        self._jobs: dict[str, gevent.Greenlet] = {}
        self._is_paused = False
        self._fault_pause_s = FAULT_PAUSE_S
        self._wakes = 0

    def wake(self) -> None:
        """Look for due work again: some was stored, or the clock was changed."""
        self._is_paused = False
        self._wakes += 1
        self._clock.notify()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._run_loop)

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Run `work` under a name in a greenlet of its own, which starts now and is in flight;
        unless work of this name runs already.
        """
        if name not in self._jobs:
            self._jobs[name] = gevent.spawn(self._run_job, name, work)
            gevent.sleep(0)

    def is_running(self, name: str) -> bool:
        """Whether a job with this name runs."""
        return name in self._jobs

    def stop(self) -> None:
        """Stop for good, with every job: the epoch has ended."""
        gevent.killall(list(self._jobs.values()))
        if self._greenlet is not None:
            self._greenlet.kill()

    def pause(self) -> bool:
        """Stop until the next `wake`; False if due work runs now."""
        self._is_paused = True
        self._clock.notify()
        if self._greenlet is not None:
            self._greenlet.join(PAUSE_WAIT_S)
        return self._is_paused and (self._greenlet is None or self._greenlet.dead)

    def _run_job(self, name: str, work: Callable[[], object]) -> None:
        def run() -> None:
            with self._in_flight:
                work()

        try:
            self._run_safely(run)
        except EpochEndedError:
            return
        finally:
            del self._jobs[name]
        self.wake()

    def _run_loop(self) -> None:
        try:
            while not self._is_paused and self._run_safely(self._run_next) is not NOTHING_DUE:
                pass
        except EpochEndedError:
            return

    def _run_next(self) -> object:
        """Run the work that is due, or wait for it; NOTHING_DUE where there is none."""
        wakes, due = self._wakes, self._next_due()
        if wakes != self._wakes:
            # Something due was stored, or the clock was moved, while it looked.
            return None
        if due is None:
            return NOTHING_DUE
        if due <= self._clock.now():
            return self._run()
        self._clock.wait_for_change(due)
        return None

    def _run_safely(self, work: Callable[[], object]) -> object:
        """Run due work; an internal error in it must not stop the work after it."""
        try:
            done = work()
        except EpochEndedError:
            raise
        except Exception:
            LOG.exception("internal error in due work; it is tried again")
            pause_s = self._fault_pause_s
            self._fault_pause_s = min(2 * pause_s, FAULT_PAUSE_S_MAX)
            gevent.sleep(pause_s)
            return None
        self._fault_pause_s = FAULT_PAUSE_S
        return done

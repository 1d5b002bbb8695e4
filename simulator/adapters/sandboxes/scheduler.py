"""The scheduler of one sandbox: runs due work when its time comes on the sandbox's clock."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

import gevent

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.set_aside import SetAside
from simulator.adapters.turns import work_beside
from simulator.domain.core.agenda import Agenda, StoredRecord, name_of
from simulator.domain.core.errors import (
    ConflictError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
)
from simulator.domain.core.ports import InFlightCounter

LOG = logging.getLogger("sandgate.due")
# Where due work cannot be looked for, it is tried again after a second, then after twice as long
# each time; where the disk refuses it, after a second each time. Work that fails itself is set
# aside.
FAULT_PAUSE_S, FAULT_PAUSE_S_MAX = 1.0, 32.0
# What the log says of due work that the disk refused: of the loop's own, and of jobs.
WORK_WAITS, JOBS_WAIT = "due work waits", "due work in jobs waits"
NOTHING_DUE = object()
# How long an eviction waits for the scheduler to stop.
PAUSE_WAIT_S = 0.1


class DueWorkScheduler:
    """Implements agenda.Scheduler. Its greenlet lives only while work is due or set aside, so an
    idle sandbox has none.
    """

    __slots__ = ("agenda", "_clock", "_end_attempt", "_fault_pause_s", "_greenlet", "_has_ended",
                 "_in_flight", "_is_paused", "_jobs", "_next_due", "_refused", "_run",
                 "_set_aside", "_wakes")  # fmt: skip

    def __init__(
        self,
        clock: MovableClock,
        in_flight: InFlightCounter,
        *,
        next_due: Callable[[], datetime | None],
        run: Callable[[], object],
        end_attempt: Callable[[str], object] = lambda identity: None,
    ):
        self.agenda = Agenda()
        self._clock = clock
        self._in_flight = in_flight
        self._next_due = next_due
        self._run = run
        self._end_attempt = end_attempt
        self._greenlet: gevent.Greenlet | None = None
        self._jobs: dict[str, gevent.Greenlet] = {}
        self._set_aside = SetAside()
        self._is_paused = self._has_ended = False
        self._fault_pause_s = FAULT_PAUSE_S
        # What the disk refused and has not taken since: each is logged once.
        self._refused: set[str] = set()
        self._wakes = 0

    def wake(self) -> None:
        """Look for due work again: some was stored, or the clock was changed."""
        self._is_paused = False
        self._wakes += 1
        self._clock.notify()
        if not self._has_ended and (self._greenlet is None or self._greenlet.dead):
            self._greenlet = work_beside(self._run_loop)

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Run `work` under a name in a greenlet of its own, which starts now and is in flight;
        unless work of this name runs already, or is set aside.
        """
        if not self._has_ended and not self.is_running(name):
            self._jobs[name] = work_beside(self._run_job, name, work)
            gevent.sleep(0)

    def is_running(self, name: str) -> bool:
        """Whether a job with this name runs, or failed and is set aside."""
        return name in self._jobs or name in self._set_aside

    def end_attempt(self, identity: str) -> None:
        """End the open attempt of a payment beside, as a start ends it: its request has given up.
        It is tried until the store takes it. Choice: D-687.
        """
        name = f"attempt {identity}"
        if not self._has_ended and name not in self._jobs:
            self._jobs[name] = work_beside(self._end_until_stored, name, identity)

    def carry_out(self, record: StoredRecord, work: Callable[[], object]) -> None:
        """Do the due work of a record. Where it fails inside, that is logged and the record set
        aside for a while: all other work goes on. Raises ConflictError, DiskError and
        EpochEndedError, which are no faults, and CrowdedSandboxError where too much is set aside.
        """
        self._set_aside.refuse_full()
        self._do_safely(name_of(record), work)

    def set_aside(self, record: StoredRecord, reason: str) -> None:
        """Set a record aside whose work does not end."""
        name = name_of(record)
        pause_s = self._put_aside(name)
        LOG.error("due work %s is set aside for %.0f s: %s", name, pause_s, reason)

    def is_set_aside(self, record: StoredRecord) -> bool:
        """Whether a record is set aside. One that was changed since is not."""
        return bool(self._set_aside) and name_of(record) in self._set_aside

    @contextmanager
    def looking(self, failed_writes: int) -> Iterator[Agenda]:
        """While it lasts due work is looked for, by what is passed over; so many writes of the
        store have failed.
        """
        with self.agenda.looking(self._clock.now(), failed_writes):
            self._let_go_over()
            yield self.agenda

    @property
    def set_aside_count(self) -> int:
        """How much due work is set aside."""
        return len(self._set_aside)

    def stop(self) -> None:
        """Stop for good, with every job: the epoch has ended. What a request of it still asks for
        is not done, since due work is found in the sandbox as it is by then. Choice: D-618.
        """
        self._has_ended = True
        gevent.killall(list(self._jobs.values()))
        if self._greenlet is not None:
            self._greenlet.kill()

    def pause(self) -> bool:
        """Stop until the next `wake`, which looks at everything anew; False if due work runs
        now.
        """
        self._is_paused = True
        self._clock.notify()
        if self._greenlet is not None:
            self._greenlet.join(PAUSE_WAIT_S)
        self.agenda.reset()
        return self._is_paused and (self._greenlet is None or self._greenlet.dead)

    def _run_job(self, name: str, work: Callable[[], object]) -> None:
        def run() -> None:
            with self._in_flight:
                work()

        try:
            self._run_safely(lambda: self._do_safely(name, run), JOBS_WAIT)
        except EpochEndedError:
            return
        finally:
            del self._jobs[name]
            self.agenda.let_go(name)
        self.wake()

    def _end_until_stored(self, name: str, identity: str) -> None:
        pause_s = FAULT_PAUSE_S / 2
        try:
            while pause_s := self._end_once(identity, pause_s):
                gevent.sleep(pause_s)
        except (EpochEndedError, HomeNeededError):
            return
        finally:
            del self._jobs[name]
        self.wake()

    def _end_once(self, identity: str, pause_s: float) -> float:
        """End an attempt; the seconds until it is tried again, or 0 where it is ended. The last
        pause was `pause_s`.
        """
        still_open = f"the attempt of payment {identity} is still open"
        try:
            with self._in_flight:
                self._end_attempt(identity)
        except (EpochEndedError, HomeNeededError):
            raise
        except DiskError as error:
            self._log_refusal(still_open, error)
            return FAULT_PAUSE_S
        except Exception:
            LOG.exception("internal error: %s", still_open)
            return min(2 * pause_s, FAULT_PAUSE_S_MAX)
        self._refused.discard(still_open)
        return 0

    def _do_safely(self, name: str, work: Callable[[], object]) -> None:
        try:
            work()
        except (ConflictError, DiskError, EpochEndedError):
            raise
        except DamagedLogError:
            pause_s = self._put_aside(name)
            LOG.error("due work %s needs a damaged record; set aside for %.0f s", name, pause_s)
        except Exception:
            pause_s = self._put_aside(name)
            LOG.exception("internal error in due work %s, set aside for %.0f s", name, pause_s)
        else:
            self._set_aside.discard(name)

    def _put_aside(self, name: str) -> float:
        # Those whose pause is over may be forgotten then.
        self._let_go_over()
        return self._set_aside.add(name)

    def _let_go_over(self) -> None:
        for name in self._set_aside.over():
            self.agenda.let_go(name)

    def _run_loop(self) -> None:
        try:
            while not self._is_paused and self._run_safely(self._run_next) is not NOTHING_DUE:
                pass
        except EpochEndedError:
            return

    def _run_next(self) -> object:
        """Run the work that is due, or wait for it; NOTHING_DUE where there is none."""
        wakes, due = self._wakes, self._next_due()
        next_try_s = self._set_aside.next_try_s()
        if wakes != self._wakes:
            # Something due was stored, or the clock was moved, while it looked.
            return None
        if due is None and next_try_s is None:
            return NOTHING_DUE
        if due is not None and due <= self._clock.now():
            return self._run()
        self._clock.wait_for_change(due, next_try_s)
        return None

    def _run_safely(self, work: Callable[[], object], waits: str = WORK_WAITS) -> object:
        """Run due work; an internal error in it must not stop the work after it. What the disk
        refuses `waits` until there is room.
        """
        try:
            done = work()
        except EpochEndedError:
            raise
        except DiskError as error:
            self._log_refusal(waits, error)
            gevent.sleep(FAULT_PAUSE_S)
            return None
        except DamagedLogError:
            # What is damaged was named when it was read.
            LOG.error("due work needs a record that is damaged; it is tried again")
        except Exception:
            LOG.exception("internal error in due work; it is tried again")
        else:
            self._fault_pause_s = FAULT_PAUSE_S
            self._refused.discard(waits)
            return done
        self._pause_after_fault()
        return None

    def _log_refusal(self, what: str, error: DiskError) -> None:
        if what not in self._refused:
            self._refused.add(what)
            LOG.error("%s: %s", what, error)

    def _pause_after_fault(self) -> None:
        """Wait longer after each fault."""
        pause_s = self._fault_pause_s
        self._fault_pause_s = min(2 * pause_s, FAULT_PAUSE_S_MAX)
        gevent.sleep(pause_s)

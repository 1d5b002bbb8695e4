"""Due work that a full disk refuses: named in one line, and done soon after there is room."""

import logging
from datetime import timedelta
from functools import partial
from time import monotonic

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.sandboxes.wake_timer import WakeTimer
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.errors import DiskError

JOBS = 5
SOON_S, WAIT_S_MAX = 2.5, 10
IS_FULL_S = 1.5


class Disk:
    """Work that a disk refuses while it is full."""

    def __init__(self) -> None:
        self.is_full = True
        self.done: list[str] = []

    def store(self, name: str) -> None:
        if self.is_full:
            raise DiskError("1.log", "No space left on device")
        self.done.append(name)


class Due:
    """A sandbox with due work that is carried out in jobs, or in the loop itself."""

    def __init__(self, *, jobs: int = 0):
        self.disk, self._jobs = Disk(), jobs
        self.scheduler = DueWorkScheduler(
            MovableClock(RealClock(), ClockSetting),
            GreenletCounter(lambda: 0),
            next_due=lambda: RealClock().now() if self._is_due() else None,
            run=self._run,
            end_attempt=self.disk.store,
        )

    def _is_due(self) -> bool:
        free = (each for each in self._names() if not self.scheduler.is_running(each))
        return any(each not in self.disk.done for each in free)

    def _names(self) -> list[str]:
        return [f"job {number}" for number in range(self._jobs)] or ["work"]

    def _run(self) -> None:
        if not self._jobs:
            self.disk.store("work")
        for name in self._names()[: self._jobs]:
            if name not in self.disk.done:
                self.scheduler.run_job(name, partial(self.disk.store, name))

    def until_done(self, count: int) -> float:
        """The seconds that it takes from now until so much is done."""
        began = monotonic()
        with gevent.Timeout(WAIT_S_MAX):
            while len(self.disk.done) < count:
                gevent.sleep(0.01)
        return monotonic() - began


def tracebacks_and_lines(caplog: pytest.LogCaptureFixture) -> tuple[int, list[str]]:
    found = [each for each in caplog.records if each.name == "sandgate.due"]
    return sum(bool(each.exc_info) for each in found), [each.getMessage() for each in found]


def test_jobs_that_a_full_disk_refuses_go_on_soon_after_there_is_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    due = Due(jobs=JOBS)
    with caplog.at_level(logging.ERROR):
        due.scheduler.wake()
        gevent.sleep(IS_FULL_S)
        due.disk.is_full = False
        took_s = due.until_done(JOBS)

    assert took_s < SOON_S
    expected = (
        "due work in jobs waits: 1.log: not stored, the disk answered: No space left on device; "
    )
    assert tracebacks_and_lines(caplog) == (0, [expected + "it is tried again"])


def test_work_that_a_full_disk_refuses_is_named_anew_where_it_was_done_in_between(
    caplog: pytest.LogCaptureFixture,
) -> None:
    due = Due()
    with caplog.at_level(logging.ERROR):
        for is_full in (True, True, False, True):
            due.disk.is_full = is_full
            due.scheduler._run_safely(lambda: due.disk.store("work"))

    assert due.disk.done == ["work"]
    count, lines = tracebacks_and_lines(caplog)
    assert (count, len(lines)) == (0, 2)


def test_an_open_attempt_is_ended_soon_after_there_is_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    due = Due()
    with caplog.at_level(logging.ERROR):
        due.scheduler.end_attempt("p")
        gevent.sleep(2 * IS_FULL_S + 0.5)
        due.disk.is_full = False
        took_s = due.until_done(1)

    assert took_s < SOON_S
    count, (line,) = tracebacks_and_lines(caplog)
    assert count == 0 and line.startswith("the attempt of payment p is still open: 1.log: not")


def test_a_sandbox_that_a_full_disk_does_not_load_is_named_in_a_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    disk = Disk()
    timer = WakeTimer(disk.store)
    with caplog.at_level(logging.ERROR):
        timer.set("s", timedelta(0))
        gevent.sleep(0.1)

    assert len(timer) == 1
    count, (line,) = tracebacks_and_lines(caplog)
    assert count == 0 and "not loaded: 1.log: not stored" in line
    timer.stop()

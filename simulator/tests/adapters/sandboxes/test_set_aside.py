"""Due work that fails inside is set aside: tried again ever more seldom, and stopping no other."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.sandboxes.set_aside import PAUSE_S_MAX, SET_ASIDE_MAX, SetAside
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.errors import ConflictError, CrowdedSandboxError, DiskError

WAIT_S_MAX = 10


class Work(NamedTuple):
    """A record with something due."""

    id: str = "a"
    version: int = 1


def failing() -> None:
    raise ValueError("it cannot be done")


def scheduler_of(run: Callable[[], object] = lambda: None) -> DueWorkScheduler:
    clock = MovableClock(RealClock(), ClockSetting)
    return DueWorkScheduler(clock, GreenletCounter(lambda: 0), next_due=lambda: None, run=run)


def test_the_pauses_grow_up_to_an_hour_and_begin_anew_after_success() -> None:
    aside = SetAside()

    pauses = [aside.add("a") for _ in range(20)]
    assert pauses[:4] == [1, 2, 4, 8] and pauses[-1] == PAUSE_S_MAX
    assert "a" in aside and "b" not in aside and len(aside) == 1
    aside.discard("a")
    assert "a" not in aside and aside.next_try_s() is None
    assert aside.add("a") == 1


def test_work_is_tried_again_when_its_pause_is_over() -> None:
    done: list[Any] = []

    def run() -> None:
        if not scheduler.is_set_aside(Work()):
            done.append(scheduler.carry_out(Work(), failing if not done else lambda: None))

    scheduler = scheduler_of(run)
    scheduler._set_aside = SetAside(pause_s=0.05)
    scheduler._next_due = lambda: (
        None if len(done) > 1 or scheduler.is_set_aside(Work()) else RealClock().now()
    )
    scheduler.wake()

    with gevent.Timeout(WAIT_S_MAX):
        scheduler._greenlet.join()
    assert len(done) == 2 and scheduler.set_aside_count == 0


def test_a_record_that_was_changed_is_tried_at_once(caplog: pytest.LogCaptureFixture) -> None:
    scheduler = scheduler_of()

    with caplog.at_level(logging.ERROR):
        scheduler.carry_out(Work(), failing)

    assert scheduler.is_set_aside(Work()) and not scheduler.is_set_aside(Work(version=2))
    assert "internal error in due work Work a, version 1, set aside for 1 s" in caplog.text


@pytest.mark.parametrize("raised", [ConflictError("changed"), DiskError("log", "full")])
def test_what_is_no_fault_is_raised(raised: Exception) -> None:
    scheduler = scheduler_of()

    def work() -> None:
        raise raised

    with pytest.raises(type(raised)):
        scheduler.carry_out(Work(), work)
    assert not scheduler.is_set_aside(Work())


def test_a_job_that_fails_is_set_aside_under_its_name() -> None:
    scheduler = scheduler_of()

    scheduler.run_job("a", failing)

    assert scheduler.is_running("a") and scheduler.set_aside_count == 1
    tried: list[int] = []
    scheduler.run_job("a", lambda: tried.append(1))
    scheduler.run_job("b", lambda: tried.append(2))
    assert tried == [2]


def test_no_more_than_a_number_is_set_aside() -> None:
    scheduler = scheduler_of()
    for number in range(SET_ASIDE_MAX):
        scheduler.carry_out(Work(str(number)), failing)

    with pytest.raises(CrowdedSandboxError, match="at most 100 records of due work"):
        scheduler.carry_out(Work("another"), lambda: None)


def test_what_is_not_due_any_more_makes_room() -> None:
    aside = SetAside(pause_s=0)
    for number in range(SET_ASIDE_MAX):
        aside.add(str(number))

    aside.refuse_full()
    aside.add("one more")

    assert len(aside._failed) == 1

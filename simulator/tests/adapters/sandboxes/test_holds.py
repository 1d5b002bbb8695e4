"""Messages that are held: no more than so many, and none for ever."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.errors import DiskError, UnknownOutcomeError
from simulator.domain.core.ports import Unit
from simulator.domain.holding import GO_ON, HELD_MAX, HELD_S, HeldMessage, StoodClock, Stop
from simulator.tests.adapters.store.memory_store import MemoryStore

SOON_S = 5

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


class FullDisk:
    """A store that takes nothing while it is full."""

    def __init__(self) -> None:
        self.is_full = False
        # What happens while the next units are stored.
        self.meanwhile: list[Callable[[], object]] = []
        self._store = MemoryStore()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        """Store a unit."""
        if self.is_full:
            raise DiskError("log", "No space left on device")
        self._store.commit(unit)
        if self.meanwhile:
            self.meanwhile.pop(0)()
            gevent.sleep(0)


class LosingStore:
    """A store that takes everything, and does not say so while it is lost."""

    def __init__(self) -> None:
        self.is_lost = False
        self._store = MemoryStore()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        """Store a unit."""
        self._store.commit(unit)
        if self.is_lost:
            raise UnknownOutcomeError("1.log", "Input/output error")


def held_for(seconds: float) -> HeldMessages:
    clock = MovableClock(RealClock(), ClockSetting)
    return HeldMessages(MemoryStore(), clock, lambda: None, held_s=seconds)


def message(number: int) -> HeldMessage:
    return HeldMessage(
        id=str(number),
        stop=Stop.RISK,
        at=NOW,
        real=NOW,
        label="DB",
        payment="8a",
        ndc="1",
        host="test",
    )


def test_the_fifty_first_message_goes_on_at_once() -> None:
    assert HELD_MAX == 50
    holds = held_for(5)
    waiting = [gevent.spawn(holds.hold, message(number)) for number in range(50)]
    gevent.sleep(0)
    assert holds.count == 50

    with gevent.Timeout(1):
        assert holds.hold(message(50)) == GO_ON

    assert holds.count == 50
    gevent.killall(waiting)


def test_a_message_that_is_not_let_go_on_does_so_after_an_hour() -> None:
    assert HELD_S == 3600
    holds = held_for(0.02)

    with gevent.Timeout(1):
        assert holds.hold(message(1)) == GO_ON

    assert holds.count == 0


class Standing(NamedTuple):
    """A clock that stands with nothing held: the disk was full as the last message went on."""

    store: FullDisk
    clock: MovableClock
    holds: HeldMessages


def a_standing_clock() -> Standing:
    store: Any = FullDisk()
    clock = MovableClock(RealClock(), ClockSetting)
    holds = HeldMessages(store, clock, lambda: None)
    waiting = gevent.spawn(holds.hold, message(1))
    gevent.sleep(0)
    assert clock.setting.rate == 0

    store.is_full = True
    holds.let_go("1", GO_ON)
    assert waiting.get(timeout=SOON_S) == GO_ON, "the message goes on meanwhile"
    assert (clock.setting.rate, holds.is_starting) == (0, True)
    return Standing(store, clock, holds)


def wait_while_starting(holds: HeldMessages) -> None:
    with gevent.Timeout(SOON_S):
        while holds.is_starting:
            gevent.sleep(0.01)


def test_the_clock_runs_again_soon_after_a_full_disk_has_room() -> None:
    standing = a_standing_clock()
    standing.store.is_full = False

    wait_while_starting(standing.holds)

    assert standing.clock.setting.rate == 1


def test_the_clock_runs_after_a_message_that_came_and_went_while_it_was_started() -> None:
    store, clock, holds = a_standing_clock()
    store.is_full = False
    store.meanwhile = [
        lambda: gevent.spawn(holds.hold, message(2)),
        lambda: holds.let_go("2", GO_ON),
    ]

    wait_while_starting(holds)

    assert not store.meanwhile, "it was stopped for the second message, too"
    assert (holds.count, clock.setting.rate) == (0, 1)


def test_the_clock_of_an_epoch_that_ended_is_not_waited_for(
    capfd: pytest.CaptureFixture[str],
) -> None:
    standing = a_standing_clock()

    standing.store.close()
    wait_while_starting(standing.holds)

    assert "Traceback" not in capfd.readouterr().err


def a_lost_clock() -> tuple[LosingStore, MovableClock, HeldMessages]:
    store: Any = LosingStore()
    clock = MovableClock(RealClock(), lambda: store.get(ClockSetting, "clock") or ClockSetting())
    return store, clock, HeldMessages(store, clock, lambda: None)


def test_a_clock_that_was_stopped_with_unknown_outcome_stands_for_the_next_message() -> None:
    store, clock, holds = a_lost_clock()
    store.is_lost = True
    with pytest.raises(UnknownOutcomeError):
        holds.hold(message(1))
    store.is_lost = False

    waiting = gevent.spawn(holds.hold, message(2))
    gevent.sleep(0)
    rate = clock.setting.rate
    holds.let_go("2", GO_ON)
    waiting.get(timeout=SOON_S)

    assert (rate, clock.setting.rate) == (0, 1)
    assert store.get(ClockSetting, "clock") == clock.setting
    assert store.get(StoodClock, "stood") is None


def test_a_clock_that_was_started_with_unknown_outcome_runs() -> None:
    store, clock, holds = a_lost_clock()
    waiting = gevent.spawn(holds.hold, message(1))
    gevent.sleep(0)
    store.is_lost = True
    holds.let_go("1", GO_ON)
    waiting.get(timeout=SOON_S)
    store.is_lost = False

    wait_while_starting(holds)

    assert clock.setting.rate == 1

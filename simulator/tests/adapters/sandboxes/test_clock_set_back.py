"""The clock of a machine is set back, while a gateway runs or before it starts again: that of a
sandbox goes on from what it showed. Choice: D-48.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gevent
import pytest

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.domain.core.clock import ClockSetting, Mode, moved_to, set_mode, world_time
from simulator.domain.core.ports import unit_of
from simulator.domain.holding import GO_ON, HeldMessage, Stop
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.gateway import Credentials, Gateway

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class MachineClock:
    """The clock of a machine, which is set back and forward."""

    def __init__(self) -> None:
        self.shown = NOON

    def now(self) -> datetime:
        return self.shown

    def wait(self, span: timedelta) -> None:
        raise AssertionError(f"{span} of it is waited for")


@pytest.mark.parametrize("mode", ["real", "offset", "scaled"])
@pytest.mark.parametrize("is_started_again", [False, True])
def test_a_clock_goes_on_where_that_of_the_machine_is_set_back(
    mode: Mode, *, is_started_again: bool
) -> None:
    machine, rate = MachineClock(), 2.0 if mode == "scaled" else None
    setting = set_mode(ClockSetting(), mode, at=None, rate=rate, real_now=NOON)
    clock = MovableClock(machine, lambda: setting)
    machine.shown = NOON + HOUR
    shown = clock.now()
    if is_started_again:
        clock = MovableClock(machine, lambda: setting)
        clock.reach(shown)

    machine.shown = NOON + HOUR / 2
    assert clock.now() == shown
    for _ in range(3):
        machine.shown += HOUR / 4
        shown, before = clock.now(), shown
        assert shown - before == HOUR / 4 * (rate or 1)
        assert clock._seconds_to(shown + HOUR) == HOUR.total_seconds() / (rate or 1)
    machine.shown = NOON + 9 * HOUR
    assert clock.now() == world_time(setting, machine.shown)


@pytest.mark.parametrize("begins", ["real", "offset", "scaled", "frozen"])
@pytest.mark.parametrize("mode", ["real", "offset", "scaled", "frozen"])
def test_a_clock_that_runs_is_put_in_another_mode(gateway: Gateway, begins: str, mode: str) -> None:
    rates = {"scaled": {"rate": 1.0}}
    made = gateway.control(
        "POST", "/sandboxes", {"clock": {"mode": begins, **rates.get(begins, {})}}
    )
    before = gateway.control("GET", f"/sandboxes/{made.json['id']}/clock").json

    put = gateway.control(
        "PUT", f"/sandboxes/{made.json['id']}/clock", {"mode": mode, **rates.get(mode, {})}
    )

    assert put.status_code == 200, put.text
    assert put.json["mode"] == mode and put.json["now"] >= before["now"]


@pytest.mark.parametrize("mode", ["real", "offset", "scaled"])
def test_a_clock_that_stands_for_a_held_message_goes_on_from_what_it_showed(mode: Mode) -> None:
    machine, store, rate = MachineClock(), MemoryStore(), 2.0 if mode == "scaled" else None
    store.commit(unit_of(set_mode(ClockSetting(), mode, at=None, rate=rate, real_now=NOON)))
    clock = MovableClock(machine, lambda: store.get(ClockSetting, "clock"))
    machine.shown = NOON + HOUR
    shown = clock.now()
    machine.shown = NOON
    holds = HeldMessages(store, clock, lambda: None)

    waiting = gevent.spawn(holds.hold, a_message())
    gevent.sleep(0)
    assert (clock.now(), clock.setting.rate) == (shown, 0)
    holds.let_go("1", GO_ON)
    waiting.get(timeout=5)
    machine.shown += HOUR
    assert clock.now() == shown + HOUR * (rate or 1)


def a_message() -> HeldMessage:
    return HeldMessage(
        id="1", stop=Stop.RISK, at=NOON, real=NOON, label="DB", payment="8a", ndc="1", host="test"
    )


def test_an_advance_is_taken_back_and_nothing_that_was_shown_before() -> None:
    machine, stored = MachineClock(), ClockSetting()
    clock = MovableClock(machine, lambda: stored)
    machine.shown = NOON + HOUR
    shown = clock.now()
    machine.shown = NOON
    with pytest.raises(OSError), clock.moving():
        clock.put(moved_to(clock.setting, NOON + 9 * HOUR, real_now=NOON))
        assert clock.now() == NOON + 9 * HOUR
        raise OSError("No space left on device")

    clock.take_back(stored)

    assert (clock.now(), clock.setting) == (shown, stored)


def test_a_clock_goes_on_from_what_it_showed_before_it_was_unloaded(tmp_path: Path) -> None:
    gateway, shown = Gateway(tmp_path, durability="os", idle=0.2), datetime.now(UTC) + 24 * HOUR
    made = gateway.control("POST", "/sandboxes").json
    gateway.ports(made["id"]).clock.reach(shown)
    gateway.control("GET", f"/sandboxes/{made['id']}/clock")
    until(lambda: "sandgate_sandboxes_awake 0" in metrics_of(gateway))
    gevent.sleep(2)

    now = gateway.control("GET", f"/sandboxes/{made['id']}/clock").json["now"]

    assert datetime.fromisoformat(now) >= shown.replace(microsecond=0) + timedelta(seconds=2)


def test_due_work_of_an_unloaded_sandbox_is_done_in_time_where_the_clock_goes_on_from_before(
    tmp_path: Path,
) -> None:
    gateway = Gateway(tmp_path, durability="os", idle=0.2)
    made = gateway.control("POST", "/sandboxes", {"clock": {"mode": "scaled", "rate": 30}}).json
    who = Credentials(made["token"], made["entity_id"])
    gateway.ports(made["id"]).clock.reach(datetime.now(UTC) + 24 * HOUR)
    gateway.control(
        "POST", f"/sandboxes/{made['id']}/scripts", {"behaviour": "pending-then-approved"}
    )
    paid = gateway.post(who=who).json["id"]

    until(lambda: is_settled(tmp_path / made["id"] / "1.log", paid))

    assert gateway.read(paid, who).json["result"]["code"] == "000.100.110"


def is_settled(log: Path, payment: str) -> bool:
    """Whether the log says that the payment waits for nothing; reading it loads no sandbox."""
    return f'["awaited","{payment}",null]'.encode() in log.read_bytes()


def until(holds: Callable[[], bool]) -> None:
    with gevent.Timeout(15):
        while not holds():
            gevent.sleep(0.01)


def metrics_of(gateway: Gateway) -> str:
    return gateway.client.simulate_get("/_sandbox/metrics").text

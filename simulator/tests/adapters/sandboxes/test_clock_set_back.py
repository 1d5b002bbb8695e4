"""The clock of a machine is set back, while a gateway runs or before it starts again: that of a
sandbox goes on from what it showed. Choice: D-48.
"""

from datetime import UTC, datetime, timedelta

import pytest

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.domain.core.clock import ClockSetting, Mode, set_mode, world_time
from simulator.tests.kit.gateway import Gateway

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

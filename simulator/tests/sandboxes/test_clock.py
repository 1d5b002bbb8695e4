"""The clock of a sandbox: its modes, moving it, and what happens on the way."""

import tracemalloc
from datetime import UTC, datetime, timedelta

import gevent
import pytest

from simulator.adapters.sandboxes.clock_waits import ClockWaits
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import FAULT_PAUSE_S, DueWorkScheduler
from simulator.domain.core.clock import (
    ClockSetting,
    moved_to,
    read_instant,
    read_span,
    set_mode,
    wire_span,
    world_time,
)
from simulator.domain.core.errors import InvalidInputError
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.twins import HandClock

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("mode", "rate", "after_an_hour"),
    [
        ("real", None, HOUR),
        ("frozen", None, 0 * HOUR),
        ("offset", None, HOUR),
        ("scaled", 24.0, 24 * HOUR),
    ],
)
def test_a_clock_runs_at_the_rate_of_its_mode(
    mode: str, rate: float | None, after_an_hour: timedelta
) -> None:
    setting = set_mode(ClockSetting(), mode, at=None, rate=rate, real_now=NOON)
    assert world_time(setting, NOON) == NOON
    assert world_time(setting, NOON + HOUR) == NOON + after_an_hour


def test_a_moved_clock_goes_on_from_there() -> None:
    setting = moved_to(ClockSetting(), NOON + 3 * HOUR, real_now=NOON)
    assert setting.mode == "offset"
    assert world_time(setting, NOON + HOUR) == NOON + 4 * HOUR


def test_a_clock_never_goes_backwards() -> None:
    setting = moved_to(ClockSetting(), NOON + HOUR, real_now=NOON)
    for change in (
        lambda: moved_to(setting, NOON, real_now=NOON),
        lambda: set_mode(setting, "frozen", at=NOON, rate=None, real_now=NOON),
        lambda: set_mode(setting, "real", at=None, rate=None, real_now=NOON),
    ):
        with pytest.raises(InvalidInputError):
            change()


def test_what_is_due_on_a_frozen_clock_never_comes_by_itself() -> None:
    frozen = set_mode(ClockSetting(), "frozen", at=None, rate=None, real_now=NOON)
    assert wire_span(HOUR, frozen.rate) is None
    scaled = set_mode(ClockSetting(), "scaled", at=None, rate=60.0, real_now=NOON)
    assert wire_span(HOUR, scaled.rate) == timedelta(minutes=1)


@pytest.mark.parametrize("rate", [5e-324, 1e-300, 1e-11])
def test_a_clock_may_run_so_slowly_that_what_is_due_never_comes(rate: float) -> None:
    """An overflow in here once ended the unloading of every sandbox of the process."""
    slow = set_mode(ClockSetting(), "scaled", at=None, rate=rate, real_now=NOON)
    span = wire_span(365 * 24 * HOUR, slow.rate)
    assert span is None or span > timedelta(days=36_525)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("90s", timedelta(seconds=90)),
        ("2h30m", timedelta(hours=2, minutes=30)),
        ("1d", timedelta(days=1)),
        ("P1DT2H", timedelta(days=1, hours=2)),
        ("PT0.5S", timedelta(seconds=0.5)),
        ("2w", timedelta(weeks=2)),
    ],
)
def test_a_span_is_read_as_people_write_it(text: str, span: timedelta) -> None:
    assert read_span(text) == span


@pytest.mark.parametrize("text", ["", "P", "PT", "soon", "-1h", "1"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="^by: expected a span such as"):
        read_span(text)


@pytest.mark.parametrize("text", ["36526d", "9" * 30 + "d", "PT3155760001S"])
def test_a_span_out_of_range_is_refused_with_the_range(text: str) -> None:
    with pytest.raises(InvalidInputError, match="^timeout: expected a span of at most 36525d; got"):
        read_span(text, where="timeout")


@pytest.mark.parametrize(
    "text", ["1969-12-31T23:59:59Z", "3000-01-01", "0001-01-01T00:00:00+23:59", "9999-12-31"]
)
def test_an_instant_out_of_range_is_refused_with_the_range(text: str) -> None:
    expected = "^to: expected an instant from 1970-01-01T00:00:00.00:00 to 2999-12-31T00:00:00"
    with pytest.raises(InvalidInputError, match=expected):
        read_instant(text, where="to")


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-11-20T25:00:00Z"])
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="an instant such as"):
        read_instant(text)


class ClockSandbox:
    """A sandbox over the control API, its clock frozen at noon."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
        self.made = gateway.control("POST", "/sandboxes", {"clock": clock}).json
        self.merchant = gateway.merchant._replace(
            token=self.made["token"], entity_id=self.made["entity_id"]
        )

    def control(self, method: str, path: str, document: object = None) -> dict:
        """A call about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.made['id']}{path}", document).json

    def pay(self, behaviour: str) -> dict:
        """A payment that a behaviour answers."""
        self.control("POST", "/scripts", {"behaviour": behaviour, "times": 1})
        return self.gateway.post(who=self.merchant).json

    def code(self, payment: dict) -> str:
        """The result code the payment has now."""
        return self.gateway.read(payment["id"], self.merchant).json["result"]["code"]


@pytest.fixture
def sandbox(gateway: Gateway) -> ClockSandbox:
    """A sandbox whose clock stands at noon."""
    return ClockSandbox(gateway)


def test_answers_carry_the_time_of_the_sandbox(sandbox: ClockSandbox) -> None:
    assert (
        sandbox.gateway.post(who=sandbox.merchant).json["timestamp"] == "2026-11-20 12:00:00+0000"
    )


def test_a_pending_payment_becomes_final_when_its_time_comes(sandbox: ClockSandbox) -> None:
    approved, declined = sandbox.pay("pending-then-approved"), sandbox.pay("pending-then-declined")
    assert sandbox.code(approved) == sandbox.code(declined) == "000.200.000"
    assert sandbox.control("POST", "/clock/advance", {"by": "59s"})["now"] == "2026-11-20T12:00:59Z"
    assert sandbox.code(approved) == "000.200.000"
    sandbox.control("POST", "/clock/advance", {"by": "1s"})
    assert (sandbox.code(approved), sandbox.code(declined)) == ("000.100.110", "800.100.152")


def test_advance_until_next_goes_to_the_next_due_work(sandbox: ClockSandbox) -> None:
    payment = sandbox.pay("pending-then-approved")
    assert sandbox.control("GET", "/clock")["next"] == "2026-11-20T12:01:00Z"
    assert (
        sandbox.control("POST", "/clock/advance", {"until": "next"})["now"]
        == "2026-11-20T12:01:00Z"
    )
    assert sandbox.code(payment) == "000.100.110"
    assert (
        sandbox.control("POST", "/clock/advance", {"until": "next"})["now"]
        == "2026-11-20T12:01:00Z"
    )


def test_what_a_clock_that_was_set_made_due_is_shown_as_due_now(sandbox: ClockSandbox) -> None:
    sandbox.pay("pending-then-approved")

    shown = sandbox.control("PUT", "/clock", {"mode": "frozen", "at": "2026-12-01T00:00:00Z"})

    assert shown["next"] == shown["now"] == "2026-12-01T00:00:00Z"


def test_a_pending_payment_expires_after_thirty_minutes(sandbox: ClockSandbox) -> None:
    payment = sandbox.pay("pending")
    sandbox.control("POST", "/clock/advance", {"by": "29m59s"})
    assert sandbox.code(payment) == "000.200.000"
    sandbox.control("POST", "/clock/advance", {"by": "1s"})
    assert sandbox.code(payment) == "100.396.103"


@pytest.mark.parametrize(
    ("release", "code"),
    [
        ({"outcome": "success"}, "000.100.110"),
        ({"outcome": "failure"}, "800.100.152"),
        ({"outcome": "failure", "code": "800.100.155"}, "800.100.155"),
        ({"outcome": "expiry"}, "100.396.103"),
    ],
)
def test_a_pending_payment_is_released_by_hand(
    sandbox: ClockSandbox, release: dict, code: str
) -> None:
    payment = sandbox.pay("pending")
    (listed,) = sandbox.control("GET", "/pending")["pending"]
    assert listed["id"] == payment["id"]
    assert sandbox.control("POST", f"/pending/{payment['id']}", release)["code"] == code
    assert sandbox.code(payment) == code
    assert sandbox.control("GET", "/pending")["pending"] == []
    again = sandbox.gateway.control(
        "POST", f"/sandboxes/{sandbox.made['id']}/pending/{payment['id']}", release
    )
    assert again.status_code == 404
    state = "completed" if code == "000.100.110" else "failed"
    reason = f"the payment is not pending, or not any more: it is {state}"
    assert reason in again.json["resultDetails"]["ExtendedDescription"]


def test_an_unknown_payment_is_not_released(sandbox: ClockSandbox) -> None:
    path = f"/sandboxes/{sandbox.made['id']}/pending/{'8' * 32}"
    answer = sandbox.gateway.control("POST", path, {"outcome": "success"})

    assert answer.status_code == 404
    explained = answer.json["resultDetails"]["ExtendedDescription"]
    assert "no payment has the id in the path" in explained


def test_a_scripted_wait_passes_on_the_sandboxs_clock(sandbox: ClockSandbox) -> None:
    slow = {"name": "late", "title": "Late", "description": "An hour.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 3600}}, "approve": {}}}}  # fmt: skip
    sandbox.control("POST", "/scripts", {"behaviour": slow})
    paying = gevent.spawn(sandbox.gateway.post, who=sandbox.merchant)
    gevent.sleep(0.05)
    assert sandbox.control("POST", "/drain", {"timeout": "0s"}) == {"drained": False}
    assert not paying.dead
    sandbox.control("POST", "/clock/advance", {"until": "next"})
    assert paying.get(timeout=5).json["timestamp"] == "2026-11-20 13:00:00+0000"
    assert sandbox.control("POST", "/drain", {"timeout": "0s"}) == {"drained": True}


def test_due_work_on_a_running_clock_is_done_within_a_second(gateway: Gateway) -> None:
    clock = {"mode": "scaled", "rate": 600}
    made = gateway.control("POST", "/sandboxes", {"clock": clock}).json
    merchant = gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    arm = {"behaviour": "pending-then-approved"}
    gateway.control("POST", f"/sandboxes/{made['id']}/scripts", arm)
    payment = gateway.post(who=merchant).json
    with gevent.Timeout(1.1):
        while gateway.read(payment["id"], merchant).json["result"]["code"] == "000.200.000":
            gevent.sleep(0.01)


@pytest.mark.parametrize(
    ("method", "path", "document", "where"),
    [
        ("PUT", "/clock", {"mode": "fast"}, "mode"),
        ("PUT", "/clock", {"mode": "scaled"}, "rate"),
        ("PUT", "/clock", {"mode": "scaled", "rate": -1}, "rate"),
        ("PUT", "/clock", {"mode": "frozen", "at": "2020-01-01"}, "at"),
        ("PUT", "/clock", {"mode": "frozen", "at": "soon"}, "at"),
        ("PUT", "/clock", {"mode": "frozen", "att": "x"}, "att"),
        ("POST", "/clock/advance", {}, "body"),
        ("POST", "/clock/advance", {"by": "1h", "until": "next"}, "body"),
        ("POST", "/clock/advance", {"until": "tomorrow"}, "until"),
        ("POST", "/clock/advance", {"by": "soon"}, "by"),
        ("POST", "/clock/advance", {"by": "36526d"}, "by"),
        ("POST", "/clock/advance", {"to": "2020-01-01"}, "to"),
        ("POST", "/clock/advance", {"to": "soon"}, "to"),
        ("POST", "/drain", {"timeout": "1h"}, "timeout"),
        ("POST", "/drain", {"timeout": "soon"}, "timeout"),
        ("GET", "/inbox?wait=soon", None, "wait"),
        ("PUT", "/clock", {}, "body"),
        ("PUT", "/clock", None, "body"),
        ("PUT", "/clock", {"at": "2027-01-01"}, "mode"),
        ("PUT", "/clock", {"mode": "real", "rate": 2}, "mode"),
    ],
)
def test_a_bad_document_says_what_was_expected(
    sandbox: ClockSandbox, method: str, path: str, document: dict, where: str
) -> None:
    answer = sandbox.gateway.control(method, f"/sandboxes/{sandbox.made['id']}{path}", document)
    assert answer.status_code == 400
    assert answer.json["error"]["where"] == where
    assert answer.json["error"]["expected"]


def test_an_advance_in_two_ways_is_refused_with_its_members(sandbox: ClockSandbox) -> None:
    answer = sandbox.control("POST", "/clock/advance", {"by": "1h", "until": "next"})
    assert answer["error"]["got"] == "by and until"
    assert sandbox.control("POST", "/clock/advance", {})["error"]["got"] == "none of them"


def test_a_sandbox_with_a_real_clock_that_should_stand_elsewhere_is_refused(
    gateway: Gateway,
) -> None:
    answer = gateway.control("POST", "/sandboxes", {"clock": {"at": "2027-01-01"}})
    assert (answer.status_code, answer.json["error"]["where"]) == (400, "clock.mode")


def test_a_clock_is_kept_over_a_restart_and_reset_to_how_it_was_made(sandbox: ClockSandbox) -> None:
    sandbox.control("POST", "/clock/advance", {"by": "1h"})
    sandbox.control("POST", "/reset")
    assert sandbox.control("GET", "/clock")["now"] == "2026-11-20T12:00:00Z"


@pytest.mark.parametrize(
    "clock",
    [
        {"mode": "frozen", "at": "0001-01-01T00:00:00+23:59"},
        {"mode": "frozen", "at": "9999-12-31T23:59:59-01:00"},
    ],
)
def test_a_clock_begins_between_its_ends(gateway: Gateway, clock: dict) -> None:
    answer = gateway.control("POST", "/sandboxes", {"clock": clock})
    assert (answer.status_code, answer.json["error"]["where"]) == (400, "clock.at")


def test_a_clock_stops_at_its_end(gateway: Gateway) -> None:
    clock = {"mode": "scaled", "rate": 1_000_000, "at": "2999-12-30T00:00:00Z"}
    made = gateway.control("POST", "/sandboxes", {"clock": clock}).json
    path = f"/sandboxes/{made['id']}/clock"
    answer = gateway.control("POST", f"{path}/advance", {"by": "100d"})
    assert (answer.status_code, answer.json["error"]["where"]) == (400, "by")
    gevent.sleep(0.2)
    assert gateway.control("GET", path).json["now"] == "2999-12-31T00:00:00Z"


def test_due_work_that_cannot_be_looked_for_is_tried_again_ever_more_seldom() -> None:
    """A fault a second would fill the log."""
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        if len(tries) < 4:
            raise ValueError("it cannot be done")

    scheduler = DueWorkScheduler(
        HandClock(NOON), GreenletCounter(lambda: 0), next_due=lambda: None, run=work
    )
    scheduler._fault_pause_s = 0.001
    pauses = []
    for _ in range(4):
        scheduler._run_safely(work)
        pauses.append(scheduler._fault_pause_s)

    assert pauses == [0.002, 0.004, 0.008, FAULT_PAUSE_S]


def test_waits_that_are_over_are_not_kept() -> None:
    waits = ClockWaits()
    standing = gevent.spawn(waits.wait, NOON, None)
    gevent.sleep(0)
    tracemalloc.start()
    for _ in range(2_000):
        waits.wait(NOON + HOUR, 0.0)

    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    waits.end_until(NOON)
    standing.get(timeout=1)
    assert kept < 64_000

"""Rate limiting: limits are kept, unnamed ones are learned, and waits are reported."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from features.conformance.pacing import (
    RETRY_S_MAX,
    RequestedWait,
    RequestRateLimiter,
    retry_after_s,
)
from features.target.records import RequestLimits, Target
from simulator.client import Answer, OutgoingRequest

BASE = "http://gateway.example/"
CONTROL = "http://gateway.example/control/"
PAYMENT = OutgoingRequest(BASE, "POST", "v1/payments", {}, b"amount=92.00")
FINE = Answer(200, {}, {"result": {"code": "000.100.110"}})
NOW = 784111777.0  # Sun, 06 Nov 1994 08:49:37 GMT
REFUSED = Answer(429, {}, {"result": {"code": "800.120.100"}})


class Time:
    """A clock that stands still, and a sleep that moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def limiter(
    time: Time, *, share: float = 1.0, offers: tuple[str, ...] = (), **limits: float
) -> RequestRateLimiter:
    target = Target(
        BASE,
        "t",
        "e",
        control_url=CONTROL,
        offers=frozenset(offers),
        limits=RequestLimits(**limits),
    )
    return RequestRateLimiter(target, share=share, clock=time.clock, sleep=time.sleep)


def answers(*given: Answer) -> Iterator[Answer]:
    yield from given
    while True:
        yield FINE


def sent_at(paced: RequestRateLimiter, time: Time, count: int) -> list[float]:
    """When each of so many requests went out."""
    times: list[float] = []

    def send() -> Answer:
        times.append(time.now)
        return FINE

    for _ in range(count):
        paced.around(PAYMENT, send)
    return times


@pytest.mark.parametrize(
    ("limits", "times"),
    [
        ({"per_second": 2}, [0, 0, 1, 1, 2]),
        ({"per_second": 0.5}, [0, 2, 4, 6, 8]),
        ({"per_minute": 3}, [0, 0, 0, 60, 60]),
        ({"per_second": 2, "per_minute": 3}, [0, 0, 1, 60, 60]),
        ({}, [0, 0, 0, 0, 0]),
    ],
)
def test_a_limit_is_never_reached(limits: dict[str, float], times: list[float]) -> None:
    time = Time()
    paced = limiter(time, **limits)
    assert sent_at(paced, time, 5) == times
    assert paced.taken_s() == times[-1]
    assert paced.taken_s() == 0


def test_a_worker_keeps_to_its_share() -> None:
    time = Time()
    assert sent_at(limiter(time, share=0.5, per_second=2), time, 3) == [0, 1, 2]


def test_preparing_is_repeated_once_the_window_is_over() -> None:
    time = Time()
    paced, given = limiter(time), answers(FINE, FINE, REFUSED)
    came = [paced.around(PAYMENT, lambda: next(given)) for _ in range(3)]
    assert came == [FINE, FINE, FINE]
    assert (time.now, paced.was_throttled) == (60, False)
    assert sent_at(paced, time, 3) == [60, 120, 120]


def test_what_is_judged_is_not_repeated_but_known_to_be_throttled() -> None:
    time = Time()
    paced, given = limiter(time), answers(REFUSED)
    paced.prepares = False
    assert paced.around(PAYMENT, lambda: next(given)) == REFUSED
    assert paced.was_throttled
    assert time.now == 60


def test_the_target_may_say_how_long_to_wait() -> None:
    time = Time()
    given = answers(Answer(429, {"retry-after": "7"}, None))
    assert limiter(time).around(PAYMENT, lambda: next(given)) == FINE
    assert time.now == 7


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("3", 3), ("", 5), ("soon", 5), ("-1", 5), ("\u00b2", 5), ("\u0663", 5),
        ("3600", RETRY_S_MAX), ("9" * 5000, RETRY_S_MAX),
        ("Sun, 06 Nov 1994 08:49:41 GMT", 4), ("Sun, 06 Nov 1994 08:49:30 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:41 GMT", RETRY_S_MAX),
        ("Sun, 06 Nov 1994 08:49:41 +9999", 5), ("Sun, 06 Nov 1994 08:49:41 " + "9" * 30, 5),
    ],
)  # fmt: skip
def test_a_wait_is_asked_for_in_seconds_or_as_a_date(said: str, seconds: float) -> None:
    assert retry_after_s(said, NOW, default_s=5.0) == seconds


@pytest.mark.parametrize(("said", "seconds"), [("\u00b2", 60), ("3600", RETRY_S_MAX)])
def test_whatever_a_target_says_no_wait_is_long_or_breaks_the_judge(
    said: str, seconds: float
) -> None:
    """The first failed the case with a ValueError, the second slept until pytest gave it up."""
    time = Time()
    given = answers(Answer(429, {"retry-after": said}, None))
    assert limiter(time).around(PAYMENT, lambda: next(given)) == FINE
    assert time.now == seconds


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, [RequestedWait(7, "7")]),
        ({"retry-after": "3600"}, [RequestedWait(RETRY_S_MAX, "3600")]),
        ({}, [RequestedWait(60)]),
        ({"retry-after": "1"}, []),
    ],
)
def test_a_wait_is_announced_before_it_begins(
    headers: dict[str, str], wait: list[RequestedWait]
) -> None:
    time, announced = Time(), []
    paced = RequestRateLimiter(
        Target(BASE, "t", "e"), clock=time.clock, sleep=time.sleep,
        announce=lambda each: announced.append((time.now, each)),
    )  # fmt: skip
    given = answers(Answer(429, headers, None))
    assert paced.around(PAYMENT, lambda: next(given)) == FINE
    assert announced == [(0, each) for each in wait]


def test_a_target_that_throttles_for_good_is_given_up() -> None:
    time = Time()
    paced = limiter(time)
    assert paced.around(PAYMENT, lambda: REFUSED) == REFUSED
    assert paced.was_throttled


@pytest.mark.parametrize("why", ["at rest", "asked for", "own sandbox"])
def test_a_scenario_about_throttling_is_left_alone(why: str) -> None:
    time = Time()
    paced = limiter(time, offers=("control",) if why == "own sandbox" else ())
    paced.is_at_rest = why == "at rest"
    body = b"customParameters[forceResultCode]=800.120.100" if why == "asked for" else b""
    asked = OutgoingRequest(BASE, "POST", "v1/payments", {}, body)
    assert paced.around(asked, lambda: REFUSED) == REFUSED
    assert (time.now, paced.was_throttled) == (0, False)


def test_the_control_api_has_no_limits() -> None:
    time = Time()
    paced = limiter(time, per_minute=1)
    asked = OutgoingRequest(CONTROL, "POST", "sandboxes", {}, None)
    for _ in range(5):
        paced.around(asked, lambda: FINE)
    assert time.now == 0


def test_a_target_with_a_sandbox_for_each_scenario_and_no_limits_is_not_paced() -> None:
    assert not limiter(Time(), offers=("control",)).paces
    assert limiter(Time()).paces
    assert limiter(Time(), offers=("control",), per_minute=1).paces


class BodySeenByBoth:
    """What two requests send; it is looked at again only when both were answered."""

    def __init__(self) -> None:
        self._both = threading.Barrier(2, timeout=5)

    def __contains__(self, _code: bytes) -> bool:
        self._both.wait()
        return False


def test_of_two_threads_that_are_throttled_in_one_window_one_waits_for_its_end() -> None:
    time = Time()
    announced: list[RequestedWait] = []
    target = Target(BASE, "t", "e", control_url=CONTROL)
    paced = RequestRateLimiter(
        target, clock=time.clock, sleep=time.sleep, announce=announced.append
    )
    given = answers(REFUSED, REFUSED)
    body: Any = BodySeenByBoth()
    asked = OutgoingRequest(BASE, "POST", "v1/payments", {}, body)
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(paced.around, asked, lambda: next(given)) for _ in range(2)]
    assert [each.result().code for each in both] == ["000.100.110"] * 2
    assert announced == [RequestedWait(60.0)]

"""Rate limiting: a run without a sandbox of its own keeps to the rate limits of the target.

Limits that the target file names are never reached. Others are learned from the
first request that is throttled unexpectedly: the run waits until the window is over,
repeats requests that only prepare a scenario, and sends fewer from then on.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

from features.spec.results import TOO_MANY_REQUESTS
from features.target.records import RequestLimits, Target
from simulator.client import Answer, OutgoingRequest, SendRequest

MINUTE_S = 60.0
# A window lasts a minute; a second more for clocks that differ. A longer Retry-After is not kept.
RETRY_S_MAX = 61.0
REPEATS_MAX = 3
THROTTLED = 429
# A shorter wait is over before it is read.
ANNOUNCED_S_MIN = 2.0


class RequestedWait(msgspec.Struct, frozen=True):
    """A wait that a target demands, and the Retry-After that it sent; empty where it sent none."""

    seconds: float
    said: str = ""


def ignore_wait(wait: RequestedWait) -> None:
    """Announce nothing."""


@dataclass(slots=True)
class _Window:
    """A number of requests in a number of seconds, and when the latest of them were answered."""

    count: int
    seconds: float
    answered: deque[float]

    def wait_s(self, now: float) -> float:
        """How long the next request has to wait."""
        while self.answered and self.answered[0] + self.seconds <= now:
            self.answered.popleft()
        if len(self.answered) < self.count:
            return 0.0
        return self.answered[-self.count] + self.seconds - now


class RequestRateLimiter:
    """Delays the requests to the merchant API of one target.

    `share` is the part of the limits that this process may use. While `prepares` is set, requests
    only prepare a scenario, and are repeated where they were throttled; a scenario about
    throttling is not delayed (`is_at_rest`). A wait that the target demands is passed to `announce`
    before it begins.
    """

    def __init__(
        self,
        target: Target,
        *,
        share: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        announce: Callable[[RequestedWait], None] = ignore_wait,
    ):
        self.waited_s = 0.0
        self.prepares = True
        self.is_at_rest = False
        self.was_throttled = False
        self._learns = "control" not in target.offers
        self._control_url = target.control_url
        self._share = share
        self._clock, self._sleep, self._announce = clock, sleep, announce
        self._turn = threading.Lock()
        self._windows = _windows_of(target.limits, share)
        self._learned: _Window | None = None
        self._recent: deque[float] = deque()
        # How many windows were waited for to their end.
        self._ended = 0

    def begin(self, *, prepares: bool, is_at_rest: bool) -> None:
        """Begin another scenario."""
        self.prepares, self.is_at_rest, self.was_throttled = prepares, is_at_rest, False

    @property
    def paces(self) -> bool:
        """Whether this target needs it."""
        return self._learns or bool(self._windows)

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """The answer to a request, which is sent as soon as the limits allow it."""
        if self.is_at_rest or asked.base_url == self._control_url:
            return send()
        answer, window = self._sent(send)
        repeats = 0
        while self._learns and is_throttled(asked, answer):
            self._learn(answer, window)
            if not self.prepares or repeats == REPEATS_MAX:
                self.was_throttled = True
                break
            repeats += 1
            answer, window = self._sent(send)
        return answer

    def taken_s(self) -> float:
        """How many seconds were waited since the last call."""
        waited, self.waited_s = self.waited_s, 0.0
        return waited

    def _sent(self, send: SendRequest) -> tuple[Answer, int]:
        """The answer to a request, and the window that it was sent in."""
        # One at a time: limits are counted where requests arrive, and not where they are sent.
        with self._turn:
            windows = [*self._windows, *([self._learned] if self._learned else [])]
            self._wait(max((window.wait_s(self._clock()) for window in windows), default=0))
            answer = send()
            now = self._clock()
            for window in windows:
                window.answered.append(now)
            self._recent.append(now)
            while self._recent[0] + MINUTE_S < now:
                self._recent.popleft()
            return answer, self._ended

    def _learn(self, answer: Answer, window: int) -> None:
        """Wait until the window is over, and send one fewer in the next."""
        with self._turn:
            if window < self._ended:
                # Another thread was throttled in the same window, and has waited for its end.
                return
            left_s = remaining_window_s(answer)
            # It began with the first request of this run; the target says how much of it is left.
            lasts_s = min(self._clock() - self._recent[0] + left_s, MINUTE_S)
            taken = len(self._recent) - 1
            if self._learned is not None:
                taken = min(taken, self._learned.count - 1)
            self._learned = _Window(max(taken, 1), lasts_s, deque())
            if left_s >= ANNOUNCED_S_MIN:
                self._announce(RequestedWait(left_s, answer.headers.get("retry-after", "")))
            self._wait(left_s)
            self._recent.clear()
            self._ended += 1

    def _wait(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)
            self.waited_s += seconds


def is_throttled(asked: OutgoingRequest, answer: Answer) -> bool:
    """Whether a request was throttled without having requested that result code."""
    if TOO_MANY_REQUESTS.encode() in (asked.body or b""):
        return False
    return answer.status == THROTTLED or answer.code == TOO_MANY_REQUESTS


def remaining_window_s(answer: Answer) -> float:
    """How long the window still lasts: what the answer says, or a minute."""
    said = answer.headers.get("retry-after", "")
    return retry_after_s(said, time.time(), default_s=MINUTE_S)


def retry_after_s(said: str, now: float, *, default_s: float) -> float:
    """The wait that a Retry-After states, in seconds or as a date: at most RETRY_S_MAX.

    `default_s` where it is neither. `now` is in seconds since 1970. Source: RFC 9110, 10.2.3.
    """
    if said.isascii() and said.isdigit():
        return min(float(said[:9]), RETRY_S_MAX)
    try:
        until = parsedate_to_datetime(said)
    except (ValueError, OverflowError):
        return default_s
    left = until.replace(tzinfo=until.tzinfo or UTC) - datetime.fromtimestamp(now, UTC)
    return min(max(left.total_seconds(), 0.0), RETRY_S_MAX)


def _windows_of(limits: RequestLimits, share: float) -> list[_Window]:
    named = ((limits.per_second, 1.0), (limits.per_minute, MINUTE_S))
    return [_window(limit * share, seconds) for limit, seconds in named if limit]


def _window(limit: float, seconds: float) -> _Window:
    """A limit in whole requests: half a request a second is one in two seconds."""
    count = max(int(limit), 1)
    return _Window(count, seconds * count / limit, deque())

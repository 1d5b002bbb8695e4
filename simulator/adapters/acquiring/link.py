"""The gateway's link to a card host, for one sandbox: a few lines, many requests in flight on each.

Lines are opened when they are needed, signed on, tested by an echo after a rest, and opened anew
when they broke. Answers are matched, never awaited in order. Choice: D-184.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import count
from time import monotonic
from typing import Protocol

import gevent
from gevent.event import AsyncResult
from gevent.lock import BoundedSemaphore

from simulator.adapters.acquiring.codec import InvalidMessageError, decoded, encoded
from simulator.adapters.acquiring.connections import LinkConnection
from simulator.domain.acquiring.answers import answer_to
from simulator.domain.acquiring.fields import shown
from simulator.domain.acquiring.host_entries import TIME_OUT
from simulator.domain.acquiring.messages import (
    ECHO,
    NETWORK,
    SIGN_OFF,
    SIGN_ON,
    Message,
    answers,
    matching,
    network_message,
)
from simulator.domain.acquiring.unmatched import (
    UnmatchedAnswer,
    UnmatchedAnswerError,
    problems_of,
    resembled,
)
from simulator.domain.core.errors import EpochEndedError, MessageNotSentError, NoResponseError
from simulator.domain.core.ports import SandboxClock

LOG = logging.getLogger("sandgate.card_link")
LINES_MAX = 2
CROWDED = 64
# Wire time: how long an answer may take before the sandbox's clock is asked, so many times where
# the line is busy meanwhile; and how long a line may rest before it is tested.
PATIENCE_S, PATIENCES_MAX = 0.05, 5
ECHO_AFTER_S = 60.0
ECHO_WITHIN_S = 5.0
# How many answers that could not be matched are kept of a request.
UNMATCHED_MAX = 3
APPROVED = "00"


class HasLast(Protocol):
    """A line that says when it carried something last."""

    last_at: float


class Waits(Protocol):
    """An answer that is waited for."""

    def wait(self, timeout: float) -> object: ...

    def ready(self) -> bool: ...


class _Held:
    """A line and who waits for answers on it."""

    __slots__ = ("last_at", "line", "unmatched", "waiting")

    def __init__(self, line: LinkConnection):
        self.line = line
        self.waiting: dict[tuple[str, ...], tuple[Message, AsyncResult]] = {}
        # Answers that resemble a request, by its key.
        self.unmatched: dict[tuple[str, ...], list[UnmatchedAnswer]] = {}
        self.last_at = monotonic()


class Iso8583Link:
    """Implements ports.CardLink. `connect` opens a line; raises OSError. Each signs on for the
    `sandbox` in the `epoch` with this id: the host refuses it in another. Choice: D-618.
    """

    def __init__(
        self,
        connect: Callable[[], LinkConnection],
        clock: SandboxClock,
        sandbox: str,
        *,
        epoch: str = "",
        echo_after_s: float = ECHO_AFTER_S,
    ):
        self._connect = connect
        self._clock = clock
        self._sandbox = sandbox
        self._epoch = epoch
        self._echo_after_s = echo_after_s
        self._held: list[_Held] = []
        self._opening = BoundedSemaphore(1)
        self._traces = count(1)

    def exchange(
        self, message: Message, when_slow: Callable[[], object] | None = None
    ) -> dict[str, str]:
        """The answer to a request. Raises MessageNotSentError, NoResponseError."""
        try:
            raw = encoded(message)
        except InvalidMessageError as error:
            raise MessageNotSentError(f"it cannot be written: {error}", is_too_long=True) from None
        held = self._line()
        # What an answer may take begins once there is a line for its request. Choice: D-188.
        due = self._clock.now() + TIME_OUT

        def left() -> timedelta:
            if when_slow is not None:
                when_slow()
            return due - self._clock.now()

        return self._asked(held, message, raw, left)

    def close(self) -> None:
        """Close every connection; requests that wait end with NoResponseError."""
        for held in self._held:
            held.line.close()
        self._held.clear()

    @property
    def lines(self) -> int:
        """How many lines are up."""
        return len(self._held)

    def _asked(
        self, held: _Held, message: Message, raw: bytes, left: Callable[[], timedelta]
    ) -> dict[str, str]:
        waiting: AsyncResult = AsyncResult()
        key = matching(message)
        held.waiting[key] = (message, waiting)
        try:
            if not held.line.send(raw):
                raise NoResponseError("the line broke")
            held.last_at = monotonic()
            if not is_answered_soon(held, waiting):
                self._watch(waiting, left)
            answer: dict[str, str] = waiting.get()
            return answer
        except NoResponseError as error:
            unmatched = tuple(held.unmatched.get(key, ()))
            raise UnmatchedAnswerError(str(error), unmatched) if unmatched else error from None
        finally:
            held.waiting.pop(key, None)
            held.unmatched.pop(key, None)

    def _watch(self, waiting: AsyncResult, left: Callable[[], timedelta]) -> None:
        """Return when an answer is there, or the sandbox's clock says that it is too late."""

        span = left()

        def give_up() -> None:
            failure: Exception = NoResponseError("no answer in time")
            try:
                self._clock.wait(span)
            except EpochEndedError as ended:
                failure = ended
            if not waiting.ready():
                waiting.set_exception(failure)

        watcher = gevent.spawn(give_up)
        try:
            waiting.wait()
        finally:
            watcher.kill(block=False)

    def _line(self) -> _Held:
        """A line that is signed on, the one with the fewest in flight. Raises
        MessageNotSentError.
        """
        found = self._best()
        if found is not None and not self._needs_care(found):
            return found
        with self._opening:
            found = self._best()
            if found is None or (len(found.waiting) >= CROWDED and len(self._held) < LINES_MAX):
                found = self._opened()
            if not found.line.signed_on:
                self._network(found, SIGN_ON)
            elif monotonic() - found.last_at > self._echo_after_s:
                found = self._tested(found)
            return found

    def _needs_care(self, held: _Held) -> bool:
        is_full = len(held.waiting) >= CROWDED and len(self._held) < LINES_MAX
        is_old = monotonic() - held.last_at > self._echo_after_s
        return is_full or is_old or not held.line.signed_on

    def _best(self) -> _Held | None:
        return min(self._held, key=lambda held: len(held.waiting), default=None)

    def _opened(self) -> _Held:
        try:
            held = _Held(self._connect())
        except OSError as error:
            raise MessageNotSentError(
                f"no line to the card host: {error.strerror or error}"
            ) from error
        self._held.append(held)
        gevent.spawn(self._read, held)
        return held

    def _tested(self, held: _Held) -> _Held:
        """The line after an echo; another one where it was not answered."""
        with gevent.Timeout(ECHO_WITHIN_S, False):
            try:
                self._network(held, ECHO)
            except MessageNotSentError:
                pass
            else:
                return held
        self._drop(held)
        fresh = self._opened()
        self._network(fresh, SIGN_ON)
        return fresh

    def _network(self, held: _Held, code: str) -> None:
        """Sign on, or ask for an echo. Raises MessageNotSentError."""
        trace = next(self._traces) % 1_000_000
        at = self._clock.now()
        message = network_message(
            code, sandbox=self._sandbox, trace=trace, at=at, epoch=self._epoch
        )
        try:
            answer = self._asked(
                held, message, encoded(message), lambda: at + TIME_OUT - self._clock.now()
            )
        except NoResponseError as error:
            self._drop(held)
            raise MessageNotSentError(f"the card host does not answer: {error}") from error
        if answer.get("39") != APPROVED:
            raise MessageNotSentError("the card host refuses every sign-on")
        held.line.signed_on = True

    def _read(self, held: _Held) -> None:
        try:
            for raw in held.line.frames():
                try:
                    self._take(held, decoded(raw))
                except InvalidMessageError as error:
                    LOG.warning("answer refused: %s", error)
        finally:
            # It is no longer read: requests on it must not wait for long.
            self._drop(held)

    def _take(self, held: _Held, message: Mapping[str, str]) -> None:
        held.last_at = monotonic()
        if message["t"] == NETWORK:
            held.line.signed_on = held.line.signed_on and message.get("70") != SIGN_OFF
            held.line.send(encoded(answer_to(message, APPROVED)))
            return
        request, waiting = held.waiting.get(matching(message), ({}, None))
        if waiting is None or not answers(message, request):
            _keep_unmatched(held, message)
        elif not waiting.ready():
            waiting.set(dict(message))

    def _drop(self, held: _Held) -> None:
        """A line is gone: requests on it get no answer."""
        held.line.close()
        if held in self._held:
            self._held.remove(held)
        for _, waiting in list(held.waiting.values()):
            if not waiting.ready():
                waiting.set_exception(NoResponseError("the line broke"))


def _keep_unmatched(held: _Held, message: Message) -> None:
    """Keep an answer for the request it resembles, whose trace says why it was not taken."""
    LOG.warning("no request waits for this answer: %s", shown(message))
    request = resembled(message, (each for each, _ in held.waiting.values()))
    if request is None:
        return
    kept = held.unmatched.setdefault(matching(request), [])
    if len(kept) < UNMATCHED_MAX:
        kept.append(UnmatchedAnswer(dict(message), problems_of(message, request)))


def is_answered_soon(line: HasLast, waiting: Waits) -> bool:
    """Whether the answer is there before long: to watch the clock, and to note the request apart
    from its answer, costs more than the request itself.
    """
    for _ in range(PATIENCES_MAX):
        before = line.last_at
        waiting.wait(PATIENCE_S)
        if waiting.ready() or line.last_at == before:
            break
    return bool(waiting.ready())

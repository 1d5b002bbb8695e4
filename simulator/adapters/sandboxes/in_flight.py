"""The in-flight counter of one sandbox, with which a caller can wait until nothing runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import gevent
from gevent import getcurrent
from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.adapters.http.limits import CONNECTIONS_MAX
from simulator.domain.core.errors import CrowdedSandboxError

STEP_S = 0.001
# Of one sandbox: half the connections of a listener are left to the others, whatever it does.
IN_FLIGHT_MAX = CONNECTIONS_MAX // 2
WAITING_MAX = 100


class GreenletCounter:
    """Implements ports.InFlightCounter. `waiting` gives the number of waits for the clock.

    A greenlet that enters twice counts once: it waits for the clock once.
    """

    __slots__ = (
        "_alone",
        "_being_stored",
        "_count",
        "_depths",
        "_has_left",
        "_is_awaited",
        "_places_taken",
        "_waiting",
    )

    def __init__(self, waiting: Callable[[], int]):
        self._count = 0
        self._depths: dict[object, int] = {}
        self._waiting = waiting
        self._has_left = Event()
        self._is_awaited = 0
        self._places_taken = 0
        # What is being stored of an instant that was read, each until it is over.
        self._being_stored: set[Event] = set()
        # By name: the turn, and how many have it or wait for it.
        self._alone: dict[str, tuple[BoundedSemaphore, int]] = {}

    def __enter__(self) -> None:
        greenlet = getcurrent()
        depth = self._depths.get(greenlet, 0)
        self._depths[greenlet] = depth + 1
        if not depth:
            self._count += 1

    def __exit__(self, *error: object) -> None:
        greenlet = getcurrent()
        depth = self._depths.pop(greenlet) - 1
        if depth:
            self._depths[greenlet] = depth
        else:
            self.end()

    def begin(self) -> None:
        """One more is under way, whichever greenlet ends it."""
        self._count += 1

    def end(self) -> None:
        """One less is under way."""
        self._count -= 1
        if self._is_awaited:
            self._has_left.set()

    @property
    def count(self) -> int:
        """How many are in flight, those that wait for the clock included."""
        return self._count

    def admit(self) -> None:
        """Let another request begin. Raises CrowdedSandboxError."""
        if self._count >= IN_FLIGHT_MAX:
            raise CrowdedSandboxError("requests under way", IN_FLIGHT_MAX)

    @contextmanager
    def place_to_wait(self) -> Iterator[None]:
        """A place for a request that waits for what others do; it is not in flight. Raises
        CrowdedSandboxError.
        """
        if self._places_taken >= WAITING_MAX:
            raise CrowdedSandboxError("requests that wait", WAITING_MAX)
        self._places_taken += 1
        try:
            yield
        finally:
            self._places_taken -= 1

    @contextmanager
    def alone(self, name: str, timeout_s: float) -> Iterator[None]:
        """One piece of work of this name at a time: the next one begins when it ends, or after so
        much wire time.
        """
        turn, others = self._alone.get(name, (BoundedSemaphore(1), 0))
        self._alone[name] = turn, others + 1
        has_turn = False
        try:
            has_turn = turn.acquire(timeout=timeout_s)
            yield
        finally:
            if has_turn:
                turn.release()
            others = self._alone.pop(name)[1] - 1
            if others:
                self._alone[name] = turn, others

    @contextmanager
    def storing(self) -> Iterator[None]:
        """Entered before an instant is read that is stored, and left once it is."""
        is_over = Event()
        self._being_stored.add(is_over)
        try:
            yield
        finally:
            self._being_stored.discard(is_over)
            is_over.set()

    def wait_stored(self) -> None:
        """Return once everything is stored, or refused, that was being stored at the call."""
        for each in [*self._being_stored]:
            each.wait()

    def quiesce(self, timeout_s: float) -> bool:
        """Whether everything in flight waits for the clock, within this much wire time."""
        return self._within(timeout_s, lambda: self._count <= self._waiting())

    def drain(self, timeout_s: float, is_idle: Callable[[], bool] = lambda: True) -> bool:
        """Whether nothing is in flight, and `is_idle` so, within this much wire time."""
        return self._within(timeout_s, lambda: self._count == 0 and is_idle())

    def finish(self, requests: Callable[[], int], timeout_s: float) -> bool:
        """Whether nothing is in flight, and of so many `requests` all wait for what others do,
        within this much wire time.
        """
        return self.drain(timeout_s, lambda: requests() <= self._places_taken)

    def _within(self, timeout_s: float, holds: Callable[[], bool]) -> bool:
        # Greenlets that were woken just now run first: one may be about to enter.
        gevent.sleep(0)
        until = monotonic() + timeout_s
        self._is_awaited += 1
        try:
            while not holds():
                if monotonic() >= until:
                    return False
                self._has_left.clear()
                # One that begins to wait for the clock is noticed at the next step.
                self._has_left.wait(STEP_S)
            return True
        finally:
            self._is_awaited -= 1

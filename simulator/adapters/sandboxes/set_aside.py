"""Due work that failed inside is set aside for a while, so that it holds up no other work.

A snapshot may hold work that can never be done. It is tried again after a second, then after twice
as long each time: it must not fill the log. Choice: D-600.
"""

from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

from simulator.domain.core.errors import CrowdedSandboxError

PAUSE_S, PAUSE_S_MAX = 1.0, 3600.0
DOUBLED_MAX = 12
SET_ASIDE_MAX = 100


class FailedWork(NamedTuple):
    """How often work has failed, and when it is tried again, on the monotonic clock."""

    tries: int
    until: float


class SetAside:
    """The work of one sandbox that is set aside, by its names."""

    __slots__ = ("_failed", "_pause_s")

    def __init__(self, pause_s: float = PAUSE_S) -> None:
        self._pause_s = pause_s
        self._failed: dict[str, FailedWork] = {}

    def __len__(self) -> int:
        return sum(1 for _ in self._standing())

    def __bool__(self) -> bool:
        return bool(self._failed)

    def __contains__(self, name: str) -> bool:
        found = self._failed.get(name)
        return found is not None and monotonic() < found.until

    def add(self, name: str) -> float:
        """Set work aside; the seconds until it is tried again."""
        found = self._failed.get(name)
        tries = 0 if found is None else found.tries
        if len(self._failed) >= SET_ASIDE_MAX:
            # What is not tried again although its time has come is not due any more.
            self._failed = dict(self._standing())
        pause_s: float = min(self._pause_s * 2 ** min(tries, DOUBLED_MAX), PAUSE_S_MAX)
        self._failed[name] = FailedWork(tries + 1, monotonic() + pause_s)
        return pause_s

    def discard(self, name: str) -> None:
        """It was done."""
        self._failed.pop(name, None)

    def refuse_full(self) -> None:
        """Raise CrowdedSandboxError where so much is set aside that no more may be tried."""
        if len(self._failed) >= SET_ASIDE_MAX and len(self) >= SET_ASIDE_MAX:
            raise CrowdedSandboxError("records of due work that cannot be done", SET_ASIDE_MAX)

    def over(self) -> list[str]:
        """Those whose pause is over: they are tried again, or not there any more."""
        now = monotonic()
        return [name for name, each in self._failed.items() if each.until <= now]

    def next_try_s(self) -> float | None:
        """The seconds until the next of them is tried again, or None."""
        soonest = min((each.until for _, each in self._standing()), default=None)
        return None if soonest is None else max(soonest - monotonic(), 0.0)

    def _standing(self) -> Iterator[tuple[str, FailedWork]]:
        now = monotonic()
        return ((name, each) for name, each in self._failed.items() if now < each.until)

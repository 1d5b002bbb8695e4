"""What happened at a terminal, numbered, and a wait for something new; the oldest is forgotten."""

from collections import deque
from dataclasses import dataclass
from threading import Condition

from pos_emulator.terminal.records import Notice

NOTICES_MAX = 400
WAIT_S_MAX = 20.0
# Windows that may wait at a time; more are answered at once.
WAITERS_MAX = 12


@dataclass(frozen=True)
class NumberedNotice:
    """A notice and its place among all of them; the first is 1."""

    number: int
    notice: Notice


class Feed:
    """The last notices of a terminal, and a version that changes with everything that is shown."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._notices: deque[NumberedNotice] = deque(maxlen=NOTICES_MAX)
        self._count = 0
        self._version = 1
        self._waiters = 0
        self._is_closed = False

    def add(self, notice: Notice) -> None:
        """Keep a notice, and wake those who wait. Fits `Terminal.watch`."""
        with self._changed:
            self._count += 1
            self._notices.append(NumberedNotice(self._count, notice))
        self.touch()

    def touch(self) -> None:
        """Say that something is shown differently now."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    @property
    def waiters(self) -> int:
        """How many wait for something new."""
        return self._waiters

    def close(self) -> None:
        """Let everyone go who waits, now and later."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def wait(self, version: int, wait_s_max: float = WAIT_S_MAX) -> int:
        """The version as soon as it is another than this one, or when the time is over."""
        with self._changed:
            if self._waiters >= WAITERS_MAX:
                return self._version
            self._waiters += 1
            try:
                self._changed.wait_for(
                    lambda: self._version != version or self._is_closed, wait_s_max
                )
            finally:
                self._waiters -= 1
            return self._version

    def since(self, number: int) -> tuple[NumberedNotice, ...]:
        """The notices after this one, oldest first."""
        with self._changed:
            return tuple(each for each in self._notices if each.number > number)

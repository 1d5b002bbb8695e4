"""How long others have no turn, in processor time: other programs on the machine count nothing.

The hub is held between two switches of greenlets. Beside that, all of the process is held where a
thread keeps the interpreter's lock in one call, such as a pattern that is sought in a long text: a
thread that wakes each half millisecond notices it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time, sleep, thread_time
from typing import Self

import greenlet

BEAT_S = 0.0005


class LoopWatch:
    """Watches the thread that enters it."""

    def __init__(self) -> None:
        self._longest = self._beat = 0.0
        self._began = 0.0
        self._over = False
        self._thread = threading.Thread(target=self._wake, daemon=True)

    def __enter__(self) -> Self:
        self._before = greenlet.settrace(self._switched)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        greenlet.settrace(self._before)
        self._thread.join()

    @contextmanager
    def held(self) -> Iterator[list[float]]:
        """Seconds in which others had no turn, the longest, in the course of the block."""
        self._longest = self._beat = 0.0
        self._began = thread_time()
        longest: list[float] = []
        yield longest
        self._switched()
        longest.append(max(self._longest, self._beat))

    def _switched(self, *_: object) -> None:
        now = thread_time()
        self._longest = max(self._longest, now - self._began)
        self._began = now

    def _wake(self) -> None:
        while not self._over:
            began = process_time()
            sleep(BEAT_S)
            self._beat = max(self._beat, process_time() - began)

"""How far a long log was read: a start that takes seconds says so."""

import logging
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from time import monotonic

LOG = logging.getLogger("sandgate.store")
EVERY_S = 2.0
# What is read before the clock is looked at, and before other greenlets get a turn: half a
# millisecond of a start.
PART_LINES = 64


class Progress:
    """Logs how far a work on the log `path` is, at most once in EVERY_S and not before the first
    time that it takes so long. `now` is wire time in seconds.
    """

    __slots__ = ("_due", "_now", "_path")

    def __init__(self, path: Path, now: Callable[[], float] = monotonic):
        self._path = path
        self._now = now
        self._due = now() + EVERY_S

    def in_parts(self, raw_lines: Iterator[bytes], total: int) -> Iterator[list[bytes]]:
        """The lines of a log that is `total` bytes long, some at a time."""
        count = done = 0
        while part := list(islice(raw_lines, PART_LINES)):
            self.report("lines read", count, share=done / max(total, 1))
            yield part
            count += len(part)
            done += sum(map(len, part))

    def report(self, what: str, count: int, *, share: float) -> None:
        """Log `count` of `what` and the share of all of them, if it is time."""
        now = self._now()
        if now >= self._due:
            self._due = now + EVERY_S
            LOG.info("%s: %s %s, %.0f %%", self._path, f"{count:,}", what, 100 * share)

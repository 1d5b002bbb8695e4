"""How far a long log was read: a start that takes seconds says so."""

import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")

LOG = logging.getLogger("sandgate.store")
EVERY_S = 2.0
# What is read before the clock is looked at, and before the event loop has a turn: half a
# millisecond of a start. A line may be a megabyte long.
PART_LINES, PART_BYTES = 64, 1 << 16


def in_parts(items: Iterable[Item], size_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items, some at a time: `PART_LINES` at most, and `PART_BYTES` or one that is longer."""
    part: list[Item] = []
    size = 0
    for item in items:
        part.append(item)
        size += size_of(item)
        if len(part) == PART_LINES or size >= PART_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


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
        for part in in_parts(raw_lines, len):
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

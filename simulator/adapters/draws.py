"""Chance in a seeded sandbox: what shows in answers follows the seed, an id never does."""

from hashlib import sha256

from simulator.adapters.ids import TRACE_MAX, short_form
from simulator.domain.core.ports import Ids


class SeededDraws:
    """Implements ports.Ids: the short id and the trace number number `count` follow the seed.

    Ids and tokens come from `ids`, for they are unique over all sandboxes. Choice: D-118.
    """

    __slots__ = ("count", "hex", "record", "_seed")

    def __init__(self, ids: Ids, seed: int, *, count: int = 0):
        self.record, self.hex = ids.record, ids.hex
        self.count = count
        self._seed = seed

    def short(self) -> str:
        """The short id that goes with the next trace number."""
        digest = sha256(f"{self._seed} {self.count}".encode()).digest()
        return short_form(int.from_bytes(digest[:8], "big"))

    def trace(self) -> int:
        """The next trace number: 1, 2, 3, and after 999999 1 again."""
        self.count += 1
        return (self.count - 1) % TRACE_MAX + 1

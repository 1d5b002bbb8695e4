"""A gateway that throttles, simulated: who came when is known here, and not to the oracle."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, inf
from random import Random
from typing import NamedTuple

from load.oracle import OBJECT, Limit, Seen, rows_of


class Coming(NamedTuple):
    """A request: sent, admitted or refused, answered; instants by the clock of the client."""

    operation: str
    of: str
    sent: float
    came: float
    answered: float


@dataclass(frozen=True)
class Gateway:
    """Throttles as its table says, unless something about it is broken.

    Broken are: `more` admitted than the limit, windows that begin `late_s` after the edge, and
    requests that are counted though they were refused.
    """

    limits: tuple[Limit, ...]
    clock_ahead_s: float = 0.0
    more: int = 0
    late_s: float = 0.0
    counts_refused: bool = False

    def answer(self, coming: Iterable[Coming]) -> list[Seen]:
        """What the client sees."""
        counts: Counter[tuple[object, ...]] = Counter()
        return [self._answer(one, counts) for one in sorted(coming, key=lambda one: one.came)]

    def _answer(self, one: Coming, counts: Counter[tuple[object, ...]]) -> Seen:
        now = one.came + self.clock_ahead_s
        rows = rows_of(one.operation, self.limits)
        keys = [
            (one.operation, row, one.of if row.scope == OBJECT else "",
             floor((now - self.late_s) / row.window_s))
            for row in rows
        ]  # fmt: skip
        pairs = list(zip(keys, rows, strict=True))
        refused = any(counts[key] >= row.limit + self.more for key, row in pairs)
        if not refused or self.counts_refused:
            counts.update(keys)
        stamp = floor(now) if one.answered < inf else 0
        return Seen(one.operation, one.of, one.sent, one.answered, refused, stamp)


def crowd(
    seed: int, *, seconds: float, rate: float, took_s: float = 0.004, objects: int = 1
) -> list[Coming]:
    """Requests at a rate, with the last moments of each second as busy as the others."""
    random = Random(seed)
    began = 1_800_000_000.0
    return [
        came_between(random, began + random.uniform(0, seconds), took_s, str(number % objects))
        for number in range(int(seconds * rate))
    ]


def came_between(random: Random, sent: float, took_s: float, of: str) -> Coming:
    """A request that takes about so long, and comes to be decided somewhere on the way."""
    took = random.uniform(0.2, 2.0) * took_s
    return Coming("create_payment", of, sent, sent + random.random() * took, sent + took)

"""A simulated gateway that throttles: when requests arrive is known here, not to the oracle."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, inf
from random import Random
from typing import NamedTuple

from load.oracle.limits import OBJECT, ObservedRequest, ThrottleLimit, limits_for


class SimulatedRequest(NamedTuple):
    """A request that arrives at `arrived_at`; instants by the clock of the client."""

    operation: str
    path_id: str
    sent_at: float
    arrived_at: float
    responded_at: float


@dataclass(frozen=True)
class SimulatedThrottle:
    """Throttles by its table, unless it has a defect.

    The defects are: `more` admitted than the limit, windows that begin `late_s` after the edge, and
    requests that are counted although they were throttled.
    """

    limits: tuple[ThrottleLimit, ...]
    clock_ahead_s: float = 0.0
    more: int = 0
    late_s: float = 0.0
    counts_throttled: bool = False

    def observe(self, requests: Iterable[SimulatedRequest]) -> list[ObservedRequest]:
        """Return the requests as the client observes them."""
        counts: Counter[tuple[object, ...]] = Counter()
        ordered = sorted(requests, key=lambda one: one.arrived_at)
        return [self._observe(one, counts) for one in ordered]

    def _observe(
        self, one: SimulatedRequest, counts: Counter[tuple[object, ...]]
    ) -> ObservedRequest:
        now = one.arrived_at + self.clock_ahead_s
        rows = limits_for(one.operation, self.limits)
        keys = [
            (one.operation, row, one.path_id if row.scope == OBJECT else "",
             floor((now - self.late_s) / row.window_s))
            for row in rows
        ]  # fmt: skip
        pairs = list(zip(keys, rows, strict=True))
        is_throttled = any(counts[key] >= row.limit + self.more for key, row in pairs)
        if not is_throttled or self.counts_throttled:
            counts.update(keys)
        server_second = floor(now) if one.responded_at < inf else 0
        return ObservedRequest(
            one.operation, one.path_id, one.sent_at, one.responded_at, is_throttled, server_second
        )


def create_requests(
    seed: int, *, seconds: float, rate: float, duration_s: float = 0.004, objects: int = 1
) -> list[SimulatedRequest]:
    """Return requests at a rate, at random instants."""
    random = Random(seed)
    began = 1_800_000_000.0
    return [
        create_request(
            random, began + random.uniform(0, seconds), duration_s, str(number % objects)
        )
        for number in range(int(seconds * rate))
    ]


def create_request(
    random: Random, sent_at: float, duration_s: float, path_id: str
) -> SimulatedRequest:
    """Return a request that takes about `duration_s`, and arrives at a random instant of it."""
    took_s = random.uniform(0.2, 2.0) * duration_s
    arrived_at = sent_at + random.random() * took_s
    return SimulatedRequest("create_payment", path_id, sent_at, arrived_at, sent_at + took_s)

"""How long an answer takes. Drawn from a seed, so the same scripts make the same waits again."""

import hashlib
import math
from datetime import timedelta
from statistics import NormalDist

from scenarios.records import Latency

NONE = timedelta(0)
WAIT_S_MAX = 3600.0

_NORMAL = NormalDist()


def delay_of(latency: Latency | None, *, name: str, count: int) -> timedelta:
    """The wait before answer number `count` (from 0) of the behaviour `name`; never above an hour.

    A lognormal draw depends on its seed, the name and the count alone.
    """
    if latency is None:
        return NONE
    if latency.fixed is not None:
        return timedelta(seconds=latency.fixed.seconds)
    drawn = latency.lognormal
    if drawn is None:
        return NONE
    normal = _NORMAL.inv_cdf(_uniform(f"{drawn.seed}:{name}:{count}"))
    return timedelta(seconds=min(WAIT_S_MAX, drawn.median_s * math.exp(drawn.sigma * normal)))


def _uniform(key: str) -> float:
    """A number above 0 and below 1 that `key` alone decides, the same in every Python."""
    digest = hashlib.sha256(key.encode()).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2**48

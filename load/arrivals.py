"""Open arrival: requests come when they come, whether or not the last one was answered. Pure."""

from collections.abc import Callable, Iterable
from math import sqrt
from random import Random
from typing import NamedTuple

from load.ledger import Told

# Arrivals that were sent later than this are late, and more of them than this share are too many.
LATE_S = 0.1
LATE_SHARE_MAX = 0.01
# Of all arrivals that were planned, this share has to have been sent.
SENT_SHARE_MIN = 0.95


class Schedule:
    """When the next arrival is due. Whoever is free takes it; nobody's answer delays it."""

    def __init__(self, rate_at: Callable[[float], float], *, random: Random, poisson: bool):
        self._rate_at = rate_at
        self._random = random
        self._poisson = poisson
        self._began = self._due = 0.0

    def take(self, now: float) -> float:
        """The instant the next arrival is due at; it is then another's turn.

        The schedule begins when the first user asks: earlier nobody could have come.
        """
        if not self._began:
            self._began = self._due = now
        rate = self._rate_at(self._due - self._began)
        gap = self._random.expovariate(rate) if self._poisson else 1 / rate
        self._due += gap
        return self._due


class Punctuality(NamedTuple):
    """Whether the arrivals came as planned: how many were wanted and sent, and how late."""

    planned: float
    sent: int
    late: int
    p99_late_ms: float

    @property
    def is_kept(self) -> bool:
        """Whether answers came from the load that was asked for."""
        # Arrivals at random scatter by the root of their number: three times that is chance.
        enough = self.planned * SENT_SHARE_MIN - 3 * sqrt(self.planned)
        return self.sent >= enough and self.late <= self.sent * LATE_SHARE_MAX

    def __str__(self) -> str:
        told = f"{self.sent:,} of {self.planned:,.0f} arrivals sent, {self.late:,} late"
        told += f" (p99 {self.p99_late_ms:.0f} ms)"
        if self.is_kept:
            return f"rate kept: {told}"
        return f"rate NOT kept: {told}; use more users (-u), --processes, or a lower --rate"


def punctuality_of(told: Iterable[Told], planned: float) -> Punctuality:
    """How well the planned arrivals were met. Requests that follow another were never due."""
    late_by = sorted(each.sent - each.due for each in told if each.due < each.sent)
    late = sum(delay > LATE_S for delay in late_by)
    p99 = late_by[int(0.99 * (len(late_by) - 1))] if late_by else 0.0
    return Punctuality(planned, len(late_by), late, p99 * 1000)


def planned_arrivals(rate_at: Callable[[float], float], seconds: float) -> float:
    """How many arrivals a rate makes in so many seconds, counted in slices of a tenth."""
    slices = max(1, int(seconds * 10))
    width = seconds / slices
    return sum(rate_at((number + 0.5) * width) * width for number in range(slices))

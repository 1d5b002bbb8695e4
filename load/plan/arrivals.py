"""Open arrival: requests arrive at a rate, whether or not the last one was answered. Pure."""

from collections.abc import Callable
from random import Random


class ArrivalSchedule:
    """When the next arrival is due. Any idle user takes it; slow responses do not delay it."""

    def __init__(self, rate_at: Callable[[float], float], *, random: Random, poisson: bool):
        self._rate_at = rate_at
        self._random = random
        self._poisson = poisson
        self._began_at = self._due_at = 0.0

    def take_next(self, now: float) -> float:
        """Take the next arrival and return the instant it is due at.

        The schedule begins with the first call: earlier there was no user to take an arrival.
        """
        if not self._began_at:
            self._began_at = self._due_at = now
        rate = self._rate_at(self._due_at - self._began_at)
        gap = self._random.expovariate(rate) if self._poisson else 1 / rate
        self._due_at += gap
        return self._due_at


def planned_arrivals(rate_at: Callable[[float], float], seconds: float) -> float:
    """Return how many arrivals a rate makes in `seconds`, summed over slices of 0.1 s."""
    slices = max(1, int(seconds * 10))
    width = seconds / slices
    return sum(rate_at((number + 0.5) * width) * width for number in range(slices))

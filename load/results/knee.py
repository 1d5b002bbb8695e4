"""The knee: the last load step whose throughput still grew while latencies stayed low. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

# A step that adds less than this share of the best throughput so far has not grown.
GROWTH = 1.05
# Choice: D-237. Notifications that arrive later than this (p95) pile up: such a load cannot last.
LAG_MS_MAX = 1000.0


class LoadStep(NamedTuple):
    """One measured step: its users or arrivals per second, its throughput, and its p95.

    `lag_ms` is the p95 of the time from a request to its notification, 0 without a receiver.
    `is_strained` says that the client was short of processor time.
    """

    number: int
    load: float
    throughput: float
    p95_ms: float
    is_strained: bool = False
    lag_ms: float = 0.0


class Knee(NamedTuple):
    """The last step below saturation, if there is any, and why the search ended after it.

    `is_client_bound` says that a limit of the client ended the search, not one of the gateway.
    `is_reached` is false if every step still grew, or no step was completed.
    """

    step: LoadStep | None
    reason: str
    is_client_bound: bool = False
    is_reached: bool = True


def find_knee(steps: Sequence[LoadStep], p95_ms_max: float) -> Knee:
    """Return the last step whose throughput still grew, whose p95 stayed within its limit, and
    whose notifications kept up.
    """
    last: LoadStep | None = None
    for step in steps:
        reason = _saturation_of(step, last, p95_ms_max)
        if reason:
            return Knee(last, reason, is_client_bound=step.is_strained)
        last = step
    grew = "every step still grew; use more users (-u) or a higher --rate"
    return Knee(last, grew if steps else "no step was completed", is_reached=False)


def _saturation_of(step: LoadStep, last: LoadStep | None, p95_ms_max: float) -> str:
    """Return why a step is beyond the knee; empty if it is not."""
    if step.is_strained:
        return f"the client was short of processor time at step {step.number}; add --processes"
    if step.p95_ms > p95_ms_max:
        return f"p95 of step {step.number} is {step.p95_ms:.0f} ms, above {p95_ms_max:g} ms"
    if step.lag_ms > LAG_MS_MAX:
        lag = f"{step.lag_ms:.0f} ms after their requests (p95), above {LAG_MS_MAX:g} ms"
        return f"notifications of step {step.number} arrived {lag}"
    if last and step.throughput < last.throughput * GROWTH:
        return f"throughput of step {step.number} did not grow over step {last.number}"
    return ""

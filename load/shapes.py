"""How much load at which moment: shapes over a run, and the knee that steps lead to. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from load.plan import Plan, Shape

RAMP_SHARE, SOAK_RAMP_SHARE = 0.8, 0.05
SPIKE_BASE, SPIKE = 0.2, (0.4, 0.6)
# A step that adds less than this share of the best rate so far has not grown.
GROWTH = 1.05
# The beginning of a step, while its users settle, does not count.
SETTLING_SHARE = 0.2
# Choice: D-237. Notifications that come later than this (p95) pile up: such a load cannot be kept.
LAG_MS_MAX = 1000.0

Level = Callable[[float], float]


def level_of(shape: Shape, steps: int) -> Level:
    """The share of the greatest load that is wanted, by the share of the run that is over."""
    return {
        "flat": lambda _: 1.0,
        "ramp": lambda over: min(1.0, over / RAMP_SHARE),
        "soak": lambda over: min(1.0, over / SOAK_RAMP_SHARE),
        "spike": lambda over: 1.0 if SPIKE[0] <= over < SPIKE[1] else SPIKE_BASE,
        "step": lambda over: (min(int(over * steps), steps - 1) + 1) / steps,
    }[shape]


def users_at(plan: Plan, seconds: float) -> int | None:
    """How many users there are so many seconds after the start; None when the run is over.

    In open arrival all users wait for arrivals, whose rate the shape changes instead.
    """
    if seconds >= plan.seconds:
        return None
    if plan.arrival == "open":
        return plan.users
    level = level_of(plan.shape, plan.steps)(seconds / plan.seconds)
    return max(1, round(level * plan.users))


def rate_at(plan: Plan, seconds: float) -> float:
    """Arrivals a second of all processes, so many seconds after the start."""
    over = min(max(seconds / plan.seconds, 0.0), 1.0)
    return max(level_of(plan.shape, plan.steps)(over) * plan.rate, plan.rate / 100)


class Step(NamedTuple):
    """One step as it was measured: its users or arrivals a second, its answers, and its p95.

    `lag_ms` is the p95 of the time from an answer to its notification, 0 where nobody listens.
    `strained` says that the client was short of processor time.
    """

    number: int
    load: float
    throughput: float
    p95_ms: float
    strained: bool = False
    lag_ms: float = 0.0


class Knee(NamedTuple):
    """The last step that was worth it, if any was, and why the next one was not.

    `is_client_bound` says that a limit of the client ended the search: the gateway's was not met.
    Where every step still grew it was not reached either.
    """

    step: Step | None
    why: str
    is_client_bound: bool = False
    is_reached: bool = True


def knee_of(steps: Sequence[Step], p95_ms_max: float) -> Knee:
    """The last step whose throughput still grew, whose p95 stayed within its limit, and whose
    notifications kept up.
    """
    last: Step | None = None
    for step in steps:
        reason = _end_at(step, last, p95_ms_max)
        if reason:
            return Knee(last, reason, is_client_bound=step.strained)
        last = step
    grew = "every step still grew; use more users (-u) or a higher --rate"
    why = grew if steps else "no step was over"
    return Knee(last, why, is_reached=False)


def step_span(plan: Plan, number: int) -> tuple[float, float]:
    """From when to when a step counts, in seconds after the start; steps are numbered from 0."""
    length = plan.seconds / plan.steps
    return (number + SETTLING_SHARE) * length, (number + 1) * length


def _end_at(step: Step, last: Step | None, p95_ms_max: float) -> str:
    if step.strained:
        return f"the client was short of processor time at step {step.number}; add --processes"
    if step.p95_ms > p95_ms_max:
        return f"p95 of step {step.number} is {step.p95_ms:.0f} ms, above {p95_ms_max:g} ms"
    if step.lag_ms > LAG_MS_MAX:
        late = f"{step.lag_ms:.0f} ms after their answers (p95), above {LAG_MS_MAX:g} ms"
        return f"notifications of step {step.number} came {late}"
    if last and step.throughput < last.throughput * GROWTH:
        return f"step {step.number} answered no more than step {last.number} did"
    return ""

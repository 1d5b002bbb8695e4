"""Load shapes: how many users or arrivals there are at each moment of a run. Pure."""

from collections.abc import Callable

from load.plan.plan import LoadPlan, Shape

RAMP_SHARE, SOAK_RAMP_SHARE = 0.8, 0.05
SPIKE_BASE, SPIKE = 0.2, (0.4, 0.6)
# The beginning of a step, while its users start, is not measured.
STEP_START_SHARE = 0.2

Level = Callable[[float], float]


def level_of(shape: Shape, steps: int) -> Level:
    """Return a function from the elapsed share of the run to the share of the maximum load."""
    return {
        "flat": lambda _: 1.0,
        "ramp": lambda elapsed: min(1.0, elapsed / RAMP_SHARE),
        "soak": lambda elapsed: min(1.0, elapsed / SOAK_RAMP_SHARE),
        "spike": lambda elapsed: 1.0 if SPIKE[0] <= elapsed < SPIKE[1] else SPIKE_BASE,
        "step": lambda elapsed: (min(int(elapsed * steps), steps - 1) + 1) / steps,
    }[shape]


def users_at(plan: LoadPlan, seconds: float) -> int | None:
    """Return the number of users `seconds` after the start; None when the run is over.

    In open arrival all users wait for arrivals; the shape changes the rate instead.
    """
    if seconds >= plan.seconds:
        return None
    if plan.arrival == "open":
        return plan.users
    level = level_of(plan.shape, plan.steps)(seconds / plan.seconds)
    return max(1, round(level * plan.users))


def rate_at(plan: LoadPlan, seconds: float) -> float:
    """Return the arrivals per second of all processes, `seconds` after the start."""
    elapsed = min(max(seconds / plan.seconds, 0.0), 1.0)
    return max(level_of(plan.shape, plan.steps)(elapsed) * plan.rate, plan.rate / 100)


def step_span(plan: LoadPlan, number: int) -> tuple[float, float]:
    """Return the measured span of a step, in seconds after the start. Steps start at 0."""
    length = plan.seconds / plan.steps
    return (number + STEP_START_SHARE) * length, (number + 1) * length

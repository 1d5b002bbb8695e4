"""A Given that was refused ends its scenario: what follows would be judged of nothing.

Whatever refers to what is not there is refused, which is just what many a scenario expects.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from features.catalogue import definitions
from features.judge import Judge
from simulator.client import Answer

#  a Given leaves         what later steps refer to by its id
PREPARED: Mapping[str, str] = {
    "chargeback": "chargeback",
    "checkout":   "checkout",
    "first":      "first payment",
    "payment":    "payment",
    "schedule":   "schedule",
    "stored":     "registration",
    "won":        "chargeback reversal",
}  # fmt: skip


def left_by(step: Callable[..., Any], modules: Sequence[str]) -> str | None:
    """The name under which a step of ours leaves something that has an id; None for any other."""
    name = _names(tuple(modules)).get(step)
    return name if name in PREPARED else None


def demand_prepared(name: str, left: object, judge: Judge) -> None:
    """What was prepared has an id. Raises Unmet where the target refused to make it."""
    if isinstance(left, Answer):
        what = f"the {PREPARED[name]} that the scenario is about"
        judge.holds(what, left, bool(left.id), expected="an answer with an id", came="one without")


@cache
def _names(modules: tuple[str, ...]) -> Mapping[Callable[..., Any], str | None]:
    return {each.step_func: each.target_fixture for each in definitions(modules).values()}

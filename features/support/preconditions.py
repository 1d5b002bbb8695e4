"""A Given that was refused ends its scenario: what follows would be judged of nothing.

Whatever refers to what is not there is refused, which is just what many a scenario expects. So an
answer that a Given leaves has an id, or a code of success, unless its sentence says that somebody
only tries. Choice: D-250.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from pytest_bdd.steps import step_function_context_registry

from features.spec.results import is_success
from features.support.assertions import Judge
from simulator.client import Answer

ONLY_TRIES = re.compile(r"\btr(ies|ied)\b")
QUOTED = re.compile(r'"[^"]*"')
OURS = "features.steps."
REFUSED_MIN = 400
#  a Given of ours leaves    what later steps refer to it by, where that is not its id
REFERRED_BY: Mapping[str, str] = {
    "card":  "registrationId",
    "first": "registrationId",
}  # fmt: skip


@cache
def given_fixture_of(step: Callable[..., Any]) -> str | None:
    """The fixture that a Given leaves; None where it leaves none, or is no Given."""
    known = step_function_context_registry.values()
    return {each.type: each.target_fixture for each in known if each.step_func is step}.get("given")


def demand_given_succeeded(
    sentence: str, step: Callable[..., Any], left: object, judge: Judge
) -> None:
    """The target did what a Given asked of it. Raises ConformanceAssertionError."""
    if ONLY_TRIES.search(QUOTED.sub("", sentence)):
        return
    is_ours = step.__module__.startswith(OURS)
    member = REFERRED_BY.get(given_fixture_of(step) or "", "id") if is_ours else "id"
    for answer in _answers_in(left):
        is_done = bool(answer.at(member)) or (member == "id" and is_success(answer.code))
        # What a step of a user's own asks for, such as a list, may have neither id nor code.
        is_taken = not is_ours and not answer.code and 0 < answer.status < REFUSED_MIN
        judge.holds(
            f"what the scenario is given: {sentence}",
            answer,
            is_done or is_taken,
            expected=f"an answer with {member}",
            came="one without",
        )


def _answers_in(left: object) -> Iterator[Answer]:
    for each in left if isinstance(left, list | tuple) else [left]:
        if isinstance(each, Answer):
            yield each

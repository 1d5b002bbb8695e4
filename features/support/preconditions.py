"""A Given that was refused ends its scenario: the steps after it would prove nothing.

A reference to an object that does not exist is refused, which is what many scenarios expect. So the
answer of a Given must have an id or a code of success, unless its sentence says `tries`. Choice:
D-250.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from pytest_bdd.steps import step_function_context_registry

from features.spec.results import is_success
from features.support.assertions import Judge, unread
from simulator.client import Answer

ONLY_TRIES = re.compile(r"\btr(ies|ied)\b")
QUOTED = re.compile(r'"[^"]*"')
SHIPPED = "features.steps."
REFUSED_MIN = 400
#  fixture of a Given    the member that later steps refer to, where it is not the id
REFERRED_BY: Mapping[str, str] = {
    "card":  "registrationId",
    "first": "registrationId",
}  # fmt: skip


@cache
def given_fixture_of(step: Callable[..., Any]) -> str | None:
    """The target fixture of a Given; None where it has none, or is no Given."""
    known = step_function_context_registry.values()
    return {each.type: each.target_fixture for each in known if each.step_func is step}.get("given")


def demand_given_succeeded(
    sentence: str, step: Callable[..., Any], left: object, judge: Judge
) -> None:
    """The target did what a Given requested. Raises ConformanceAssertionError."""
    if ONLY_TRIES.search(QUOTED.sub("", sentence)):
        return
    is_shipped = step.__module__.startswith(SHIPPED)
    member = REFERRED_BY.get(given_fixture_of(step) or "", "id") if is_shipped else "id"
    for answer in _answers_in(left):
        is_done = bool(answer.at(member)) or (member == "id" and is_success(answer.code))
        # The answer to a user's own step, such as a list, may have neither id nor code.
        is_taken = not is_shipped and not answer.code and 0 < answer.status < REFUSED_MIN
        judge.holds(
            f"what the scenario is given: {sentence}",
            answer,
            is_done or is_taken,
            expected=f"an answer with {member}",
            came=unread(answer) or "one without",
        )


def _answers_in(left: object) -> Iterator[Answer]:
    for each in left if isinstance(left, list | tuple) else [left]:
        if isinstance(each, Answer):
            yield each

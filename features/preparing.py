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

from features.judge import Judge
from features.spec.results import is_success
from simulator.client import Answer

ONLY_TRIES = re.compile(r"\btr(ies|ied)\b")
#  a Given leaves    what later steps refer to it by, where that is not its id
REFERRED_BY: Mapping[str, str] = {
    "card":  "registrationId",
    "first": "registrationId",
}  # fmt: skip


@cache
def left_by(step: Callable[..., Any]) -> str | None:
    """The fixture that a Given leaves; None where it leaves none, or is no Given."""
    known = step_function_context_registry.values()
    return {each.type: each.target_fixture for each in known if each.step_func is step}.get("given")


def demand_prepared(sentence: str, name: str, left: object, judge: Judge) -> None:
    """The target did what a Given asked of it. Raises Unmet."""
    if ONLY_TRIES.search(sentence):
        return
    member = REFERRED_BY.get(name, "id")
    for answer in _answers_in(left):
        judge.holds(
            f"what the scenario is given: {sentence}",
            answer,
            bool(answer.at(member)) or (member == "id" and is_success(answer.code)),
            expected=f"an answer with {member}",
            came="one without",
        )


def _answers_in(left: object) -> Iterator[Answer]:
    for each in left if isinstance(left, list) else [left]:
        if isinstance(each, Answer):
            yield each

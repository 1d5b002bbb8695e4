"""Every field keeps its limits: one case a value, over a socket, addressed as FIELD:name:kind."""

import pytest
from _pytest.mark.structures import ParameterSet

from features.boundaries.cases import BoundaryCase, all_cases, shown_value
from features.boundaries.requests import send
from features.spec.results import (
    MALFORMED,
    TOO_MANY_REQUESTS,
    is_pending,
    is_refusal,
    is_success,
)
from features.steps.requests.errors import named_parameters
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

# The statuses of a refusal: of what was sent, or of the credentials beside another entity.
REFUSALS = {400, 403}


def tagged(case: BoundaryCase) -> ParameterSet:
    """A case with the tags that a scenario would have for it."""
    needs = (pytest.mark.needs(each) for each in case.needs)
    decided = (pytest.mark.decision(each) for each in case.decisions)
    return pytest.param(case, marks=[*needs, *decided], id=case.address)


@pytest.mark.req("LIM-04")
@pytest.mark.parametrize("case", [tagged(case) for case in all_cases()])
def test_the_field_keeps_its_limits(case: BoundaryCase, shop: Merchant, judge: Judge) -> None:
    answer = send(case, shop)
    holds, expected = refused(case, answer) if not case.taken else taken(case, answer)
    came = f"status {answer.status}, {answer.code}, naming {sorted(named_parameters(answer))}"
    judge.holds(f"answer to {case.address}", answer, holds, expected=expected, came=came)
    if case.taken:
        holds, expected = shown_whole(case, answer)
        judge.holds(f"{case.name} as shown", answer, holds, expected=expected, came="another value")


def shown_whole(case: BoundaryCase, answer: Answer) -> tuple[bool, str]:
    """Whether a response that shows the field shows all of what was taken, and that in words."""
    wanted = shown_value(case)
    return answer.at(case.name) in (
        None,
        wanted,
    ), f"the value of {len(wanted)} characters, or nothing of it"


def refused(case: BoundaryCase, answer: Answer) -> tuple[bool, str]:
    """Whether the value was refused as malformed and by its name, and that in words."""
    as_malformed = (answer.status, answer.code) == (400, MALFORMED)
    is_named = case.name in named_parameters(answer)
    return as_malformed and is_named, f"400, {MALFORMED}, naming {case.name}"


def taken(case: BoundaryCase, answer: Answer) -> tuple[bool, str]:
    """Whether the value was taken, and that in words.

    Where only its format is tested, the payment may still be declined or refused for another
    reason, but not because of the field. A throttled payment was not validated.
    """
    # The result of a chargeback is its reason.
    success = answer.status == 200 and (is_success(answer.code) or answer.code == case.value)
    if not case.format_only:
        return success, "200 and a success"
    others = named_parameters(answer) - {case.name}
    about_others = answer.code != MALFORMED or others == named_parameters(answer) != set()
    was_seen = is_refusal(answer.code) and answer.code != TOO_MANY_REQUESTS
    elsewhere = answer.status in REFUSALS and was_seen and about_others
    later = answer.status == 200 and is_pending(answer.code)
    expected = f"200 and a success or pending, or a refusal not about {case.name}"
    return success or later or elsewhere, expected

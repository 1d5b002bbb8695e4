"""Every field keeps its limits: one case a value, over a socket, addressed as FIELD:name:kind."""

import pytest

from features.boundaries.cases import Case, all_cases, payment_with
from features.judge import Judge
from features.merchant import Merchant
from features.spec.results import MALFORMED, is_success

CASES = all_cases()


@pytest.mark.req("LIM-04")
@pytest.mark.parametrize("case", CASES, ids=[case.address for case in CASES])
def test_the_field_keeps_its_limits(case: Case, shop: Merchant, judge: Judge) -> None:
    answer = shop.pay(payment_with(case))
    named = [error["name"] for error in answer.parameter_errors]
    if not case.taken:
        judge.same(f"result of {case.address}", answer, expected=MALFORMED, came=answer.code)
        judge.member(f"parameterErrors of {case.address}", answer, expected=case.name, came=named)
    elif case.format_only:
        judge.no_member(f"parameterErrors of {case.address}", answer, banned=case.name, came=named)
    else:
        judge.holds(
            f"result of {case.address}",
            answer,
            is_success(answer.code),
            expected="a success",
            came=f"{answer.code}, naming {named}",
        )

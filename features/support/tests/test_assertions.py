"""The judge: silent when all is well, and complete when it is not."""

import pytest

from features.support.assertions import ConformanceAssertionError, Judge
from simulator.client import Answer

ERRORS = [{"name": "amount", "value": "x", "message": "not an amount"}]
REFUSED = Answer(400, {}, {"result": {"code": "200.300.404", "parameterErrors": ERRORS}})
JUDGE = Judge({"PAY-01": "amount is required"})


def test_a_failure_shows_expected_came_requirement_and_answer() -> None:
    with pytest.raises(AssertionError) as caught:
        JUDGE.same("result", REFUSED, expected="000.100.110", came="200.300.404")
    for words in ("'000.100.110'", "'200.300.404'", "PAY-01, amount is required", "not an amount"):
        assert words in str(caught.value)


def test_a_refusal_has_its_code_unless_any_code_will_do() -> None:
    JUDGE.refusal("result", REFUSED, status=400, code="200.300.404")
    other = Judge({}, any_code=True)
    other.refusal("result", REFUSED, status=400, code="700.400.100")
    other.wording("message", REFUSED, words="cannot be overwritten", came="is fixed")
    for judge, status in ((JUDGE, 400), (other, 404)):
        with pytest.raises(AssertionError):
            judge.refusal("result", REFUSED, status=status, code="700.400.100")
    paid = Answer(400, {}, {"result": {"code": "000.100.110"}})
    with pytest.raises(AssertionError):
        other.refusal("result", paid, status=400, code="700.400.100")
    with pytest.raises(AssertionError):
        JUDGE.wording("message", REFUSED, words="cannot be overwritten", came="is fixed")


def test_what_holds_is_not_mentioned() -> None:
    JUDGE.same("result", REFUSED, expected="a", came="a")
    JUDGE.member("names", REFUSED, expected="amount", came=["amount"])
    JUDGE.no_member("names", REFUSED, banned="currency", came=["amount"])
    JUDGE.form("code", REFUSED, pattern=r"[0-9.]+", came="200.300.404")


@pytest.mark.parametrize("came", [None, 7, "", "abc\n"])
def test_a_form_fits_a_text_from_end_to_end(came: object) -> None:
    with pytest.raises(AssertionError):
        JUDGE.form("word", REFUSED, pattern=r"[a-z]+", came=came)


def test_a_failure_is_reported_in_parts_and_shows_no_card_number() -> None:
    with pytest.raises(ConformanceAssertionError) as caught:
        JUDGE.same("card.number", REFUSED, expected="a mask", came="4200000000000000")
    assert caught.value.expected == "'a mask'"
    assert caught.value.came == "'420000******0000'"
    assert "4200000000000000" not in str(caught.value)

"""The judge: silent when all is well, and complete when it is not."""

import pytest

from features.support.assertions import ConformanceAssertionError, Judge, unread
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


LATIN = '{"id": "1", "holder": "J\u00fcrgen"}'.encode("iso-8859-1")


# fmt: off
@pytest.mark.parametrize(
    ("status", "headers", "body", "words"),
    [
        (500, {"content-type": "text/html; charset=utf-8"}, b"<html>",   "500 text/html, no JSON"),
        (302, {"content-type": "text/html"},                b"<html>",   "302 text/html, no JSON"),
        (302, {},                                           None,        "302, no body"),
        (200, {},                                           b"OK",       "200, no JSON"),
        (200, {"content-type": "application/json; charset=ISO-8859-1"}, LATIN,
         "200 application/json, not UTF-8"),
        (200, {"content-type": "application/json", "content-encoding": "gzip"}, b"\x1f\x8b\x08",
         "200 application/json, with content-encoding gzip"),
        (200, {"content-type": "application/json"},         {"a": 1},    ""),
    ],
)
# fmt: on
def test_an_answer_that_cannot_be_read_is_named(
    status: int, headers: dict[str, str], body: object, words: str
) -> None:
    answer = Answer(status, headers, body)
    with pytest.raises(ConformanceAssertionError) as error:
        JUDGE.same("result", answer, expected="000.100.110", came=answer.code)

    assert unread(answer) == words
    assert words in str(error.value)
    assert ("answer:" in str(error.value)) == bool(words)


# fmt: off
@pytest.mark.parametrize(
    ("came", "shown"),
    [
        (92.0,  "the number 92.0, not a string"),
        (92,    "the number 92, not a string"),
        (True,  "the JSON value true, not a string"),
        (None,  "None"),
        ("92",  "'92'"),
    ],
)
# fmt: on
def test_a_number_in_place_of_a_string_is_named(came: object, shown: str) -> None:
    for judge in (
        lambda: JUDGE.form("amount", REFUSED, pattern=r"[0-9]+\.[0-9]{2}", came=came),
        lambda: JUDGE.same("amount", REFUSED, expected="92.00", came=came),
    ):
        with pytest.raises(ConformanceAssertionError) as error:
            judge()
        assert error.value.came == shown


def test_numbers_are_compared_as_numbers() -> None:
    with pytest.raises(ConformanceAssertionError) as error:
        JUDGE.same("count", REFUSED, expected=3, came=4)
    assert error.value.came == "4"

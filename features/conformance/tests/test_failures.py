"""What is an error of a step, and what a failure of the target."""

from collections.abc import Callable
from pathlib import Path

import pytest

from features.conformance.failures import is_error
from features.support.assertions import ConformanceAssertionError
from features.support.required_tags import MissingTagError

HERE = Path(__file__).parent
ELSEWHERE = HERE.parents[1] / "steps"


def ended_in(error: BaseException) -> pytest.CallInfo[None]:
    def step() -> None:
        raise error

    return pytest.CallInfo.from_call(step, "call")


def compared() -> ConformanceAssertionError:
    return ConformanceAssertionError("status", expected="200", came="500", beside="")


@pytest.mark.parametrize("error", [KeyError("points"), TypeError("x"), ZeroDivisionError()])
def test_what_a_step_of_a_user_raises_is_an_error(error: Exception) -> None:
    assert is_error(ended_in(error), HERE)


@pytest.mark.parametrize("error", [KeyError("points"), TypeError("x")])
def test_an_answer_without_what_a_step_of_the_suite_reads_is_a_failure(error: Exception) -> None:
    assert not is_error(ended_in(error), ELSEWHERE)
    assert not is_error(ended_in(error), None)


@pytest.mark.parametrize("make", [compared, AssertionError, ConnectionRefusedError])
def test_a_comparison_and_a_target_that_does_not_answer_are_failures(
    make: Callable[[], Exception],
) -> None:
    assert not is_error(ended_in(make()), HERE)


def test_a_missing_tag_is_an_error_everywhere() -> None:
    assert is_error(ended_in(MissingTagError("a tag")), None)


def test_what_passed_is_no_error() -> None:
    assert not is_error(None, HERE)
    assert not is_error(pytest.CallInfo.from_call(lambda: None, "call"), HERE)

"""What is an error of a step, and what a failure of the target."""

from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.outcomes import Failed

from features.conformance.failures import failure_of, is_error
from features.support.assertions import ConformanceAssertionError
from features.support.required_tags import MissingTagError
from reports.events import CaseFailure
from simulator.client.shown.masking import Masking
from simulator.client.wire import Connection

HERE = Path(__file__).parent
ELSEWHERE = HERE.parents[1] / "steps"


def ended_in(error: BaseException) -> pytest.CallInfo[None]:
    def step() -> None:
        raise error

    return pytest.CallInfo.from_call(step, "call")


def compared() -> ConformanceAssertionError:
    return ConformanceAssertionError("status", expected="200", came="500", beside="")


NO_FILE = FileNotFoundError(2, "No such file or directory", "orders.csv")
BROKEN = [KeyError("points"), TypeError("x"), ZeroDivisionError(), NO_FILE]
NO_FAULT_OF_A_TARGET = "the step could not be carried out"


def failed_by(error: BaseException, own_steps: Path | None) -> CaseFailure:
    return failure_of(ended_in(error), "", Masking(), own_steps)


@pytest.mark.parametrize("error", BROKEN)
def test_what_a_step_of_a_user_raises_is_an_error(error: Exception) -> None:
    assert is_error(ended_in(error), HERE)
    assert failed_by(error, HERE).what == NO_FAULT_OF_A_TARGET


@pytest.mark.parametrize("error", BROKEN)
def test_an_answer_without_what_a_step_of_the_suite_reads_is_a_failure(error: Exception) -> None:
    for own in (ELSEWHERE, None):
        assert not is_error(ended_in(error), own)
        failure = failed_by(error, own)
        assert failure.what == "the step could not read what came"
        assert failure.expected == "what the specification has there"
        assert str(error) in failure.came


@pytest.mark.parametrize("error", [AssertionError("1 is 2"), Failed("1 is 2")])
@pytest.mark.parametrize("own", [HERE, None])
def test_an_assertion_of_a_step_that_does_not_hold_is_a_failure(
    error: BaseException, own: Path | None
) -> None:
    assert not is_error(ended_in(error), own)
    failure = failed_by(error, own)
    assert failure.what == "an assertion of the step does not hold"
    assert "1 is 2" in failure.came and "test_failures.py" in failure.text


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


@pytest.mark.parametrize("id", ["a b", "a\0", "übung"])
def test_an_id_of_the_target_that_fits_into_no_path_is_named_as_such(id: str) -> None:
    def step() -> None:
        Connection("http://127.0.0.1:1/").ask("POST", f"v1/payments/{id}", headers={})

    call = pytest.CallInfo.from_call(step, "call")
    failure = failure_of(call, "", Masking(), None)
    assert not is_error(call, None)
    assert failure.what == "an id or an address of the target fits into no path"
    assert failure.expected == "letters and digits, such as the 32 of a payment's id"
    assert failure.came == repr(f"v1/payments/{id}")
    assert "did not answer" not in failure.text and "Traceback" not in failure.text

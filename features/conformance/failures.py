"""The failure of a test case: a failed comparison, or an error before anything was compared."""

from http.client import HTTPException

import pytest
from _pytest.fixtures import FixtureLookupError
from _pytest.outcomes import Failed
from pytest_bdd.exceptions import StepDefinitionNotFoundError

from features.conformance.document_start import masked_start
from features.conformance.origins import OwnSteps
from features.conformance.recording import cut
from features.support.assertions import ConformanceAssertionError, text_of
from features.support.required_tags import MissingTagError
from reports.events import CaseFailure
from simulator.client import ControlError
from simulator.client.shown.masking import Masking
from simulator.client.wire import UnsendablePathError

TEXT_LENGTH_MAX = 8_000


def failure_of(
    call: pytest.CallInfo[None] | None, skipped: str, masking: Masking, own_steps: OwnSteps | None
) -> CaseFailure:
    """The failure of a phase of a test case, or of one skipped without a lasting reason; is_error
    says what `own_steps` is.
    """
    if call is None or call.excinfo is None:
        what = "the test case was skipped without a lasting reason"
        return CaseFailure(
            what, came=masking.text(skipped), text=masking.text(f"{what}: {skipped}")
        )
    error = call.excinfo.value
    if isinstance(error, ConformanceAssertionError):
        said = [masked_start(each, masking.text) for each in error.said]
        what, expected, came, _ = said
        return CaseFailure(what, cut(expected), cut(came), cut(text_of(*said), TEXT_LENGTH_MAX))
    explained = _explanation_of(error, own_steps)
    what, expected = explained or _words_of(error, is_error=is_error(call, own_steps))
    came = masked_start(_came_of(call.excinfo), masking.text)
    lines = [what, *([f"  expected:    {expected}"] if expected else []), f"  came:        {came}"]
    beside = [] if explained else [_trace_of(call.excinfo, masking)]
    return CaseFailure(
        what, expected, cut(came), cut("\n".join([*lines, *beside]), TEXT_LENGTH_MAX)
    )


def _trace_of(excinfo: pytest.ExceptionInfo[BaseException], masking: Masking) -> str:
    return masked_start(str(excinfo.getrepr(style="short")), masking.text)


def _explanation_of(error: BaseException, own_steps: OwnSteps | None) -> tuple[str, str] | None:
    """What an error says by its kind, without its trace, and what was expected."""
    if isinstance(error, SILENCE) and not _is_of_target(error, own_steps):
        return None
    return next((words for kinds, words in EXPLAINED if isinstance(error, kinds)), None)


def _is_of_target(error: BaseException, own_steps: OwnSteps | None) -> bool:
    """Whether a request to the target went without an answer; what a step of the suite opens has a
    name where it is a file, and is asked of the target else.
    """
    if isinstance(error, UnsendablePathError):
        return True
    if isinstance(error, OSError) and error.filename is not None:
        return False
    is_own = own_steps is not None and own_steps.raised(error)
    return not is_own or (own_steps is not None and own_steps.asked_target(error))


def _words_of(error: BaseException, *, is_error: bool) -> tuple[str, str]:
    """What an error that is shown with its trace comes to, and what was expected."""
    if isinstance(error, ASSERTIONS):
        return NOT_HELD, ""
    return (STEP_ERROR, "") if is_error else (UNREADABLE, AS_SPECIFIED)


def _came_of(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """What an error says."""
    if isinstance(excinfo.value, UnsendablePathError):
        return repr(excinfo.value.path)
    is_undefined = isinstance(excinfo.value, StepDefinitionNotFoundError)
    return str(excinfo.value) if is_undefined else excinfo.exconly(tryshort=True)


def is_error(call: pytest.CallInfo[None] | None, own_steps: OwnSteps | None) -> bool:
    """Whether a test case ended in an error of a step, which says nothing about the target.

    Undefined steps, tags and fixtures are errors everywhere. Whatever a file of `own_steps` raises
    is one, but a comparison or an assertion that failed, or a target that could not be asked or did
    not answer. A step of the suite may stumble over an answer that lacks what it reads: that is a
    failure of the target.
    """
    if call is None or call.excinfo is None:
        return False
    error = call.excinfo.value
    if isinstance(error, ERRORS_EVERYWHERE):
        return True
    if isinstance(error, ASSERTIONS) or _explanation_of(error, own_steps) in (NO_PATH, NO_ANSWER):
        return False
    return own_steps is not None and own_steps.raised(error)


STEP_ERROR, NOT_HELD = "the step could not be carried out", "an assertion of the step does not hold"
UNREADABLE, AS_SPECIFIED = "the step could not read what came", "what the specification has there"
NO_ANSWER = ("the target did not answer", "an answer of the target")
# Nothing was sent, for what the target had given.
NO_PATH = (
    "an id or an address of the target fits into no path",
    "letters and digits, such as the 32 of a payment's id",
)
SILENCE = (OSError, HTTPException)
#  raised                        what                                    expected
EXPLAINED: tuple[tuple[tuple[type[BaseException], ...], tuple[str, str]], ...] = (
    ((StepDefinitionNotFoundError,), ("undefined step", "a step of `sandgate steps`")),
    ((FixtureLookupError,),                 ("unknown fixture", "a fixture of suite or user")),
    ((MissingTagError,),                    ("the scenario lacks a tag", "a tag for what it uses")),
    ((ControlError,),                ("the control API refused", "what the scenario needs of it")),
    ((UnsendablePathError,),         NO_PATH),
    (SILENCE,                        NO_ANSWER),
)  # fmt: skip
ERRORS_EVERYWHERE = (StepDefinitionNotFoundError, FixtureLookupError, MissingTagError)
ASSERTIONS = (AssertionError, Failed)

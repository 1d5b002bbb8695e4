"""The failure of a test case: a failed comparison, or an error before anything was compared."""

from http.client import HTTPException

import pytest
from pytest_bdd.exceptions import StepDefinitionNotFoundError

from features.conformance.recording import cut
from features.support.assertions import ConformanceAssertionError
from features.support.required_tags import MissingTagError
from reports.events import CaseFailure
from reports.masking import Masking
from simulator.client import ControlError

TEXT_LENGTH_MAX = 8_000
AN_ANSWER = "an answer of the target"


def failure_of(call: pytest.CallInfo[None] | None, skipped: str, masking: Masking) -> CaseFailure:
    """The failure of a phase of a test case, or of one skipped without a lasting reason."""
    if call is None or call.excinfo is None:
        what = "the test case was skipped without a lasting reason"
        return CaseFailure(
            what, came=masking.text(skipped), text=masking.text(f"{what}: {skipped}")
        )
    error = call.excinfo.value
    if isinstance(error, ConformanceAssertionError):
        text = masking.text(str(error))
        return CaseFailure(
            what=masking.text(error.what),
            expected=cut(masking.text(error.expected)),
            came=cut(masking.text(error.came)),
            text=cut(text, TEXT_LENGTH_MAX),
        )
    what, expected = next(
        (words for kinds, words in EXPLAINED if isinstance(error, kinds)), (STEP_ERROR, "")
    )
    came = masking.text(call.excinfo.exconly(tryshort=True))
    is_explained = isinstance(error, ERRORS_WITHOUT_TRACE)
    text = came if is_explained else masking.text(str(call.excinfo.getrepr(style="short")))
    lines = [what, *([f"  expected:    {expected}"] if expected else []), f"  came:        {came}"]
    beside = [] if is_explained else [text]
    return CaseFailure(
        what, expected, cut(came), cut("\n".join([*lines, *beside]), TEXT_LENGTH_MAX)
    )


# Also where an answer lacks a member that a step reads.
STEP_ERROR = "the step could not be carried out"
#  raised                        what                                    expected
EXPLAINED: tuple[tuple[tuple[type[BaseException], ...], tuple[str, str]], ...] = (
    ((StepDefinitionNotFoundError,), ("undefined step", "a step of `sandgate steps`")),
    ((MissingTagError,),                    ("the scenario lacks a tag", "a tag for what it uses")),
    ((ControlError,),                ("the control API refused", "what the scenario needs of it")),
    ((OSError, HTTPException),       ("the target did not answer", AN_ANSWER)),
)  # fmt: skip
ERRORS_WITHOUT_TRACE = tuple(kind for kinds, _ in EXPLAINED for kind in kinds)

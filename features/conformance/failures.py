"""The failure of a test case: a failed comparison, or an error before anything was compared."""

from http.client import HTTPException
from pathlib import Path

import pytest
from _pytest.fixtures import FixtureLookupError
from _pytest.outcomes import Failed
from pytest_bdd.exceptions import StepDefinitionNotFoundError

from features.conformance.recording import cut
from features.support.assertions import ConformanceAssertionError
from features.support.required_tags import MissingTagError
from reports.events import CaseFailure
from simulator.client import ControlError
from simulator.client.shown.masking import Masking

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
    is_undefined = isinstance(error, StepDefinitionNotFoundError)
    came = masking.text(str(error) if is_undefined else call.excinfo.exconly(tryshort=True))
    is_explained = isinstance(error, ERRORS_WITHOUT_TRACE)
    text = came if is_explained else masking.text(str(call.excinfo.getrepr(style="short")))
    lines = [what, *([f"  expected:    {expected}"] if expected else []), f"  came:        {came}"]
    beside = [] if is_explained else [text]
    return CaseFailure(
        what, expected, cut(came), cut("\n".join([*lines, *beside]), TEXT_LENGTH_MAX)
    )


def is_error(call: pytest.CallInfo[None] | None, own_steps: Path | None) -> bool:
    """Whether a test case ended in an error of a step, which says nothing about the target.

    Undefined steps, tags and fixtures are errors everywhere. Whatever a file of `own_steps` raises
    is one, but a comparison that failed or a target that did not answer. A step of the suite may
    stumble over an answer that lacks what it reads: that is a failure of the target.
    """
    if call is None or call.excinfo is None:
        return False
    error = call.excinfo.value
    if isinstance(error, ERRORS_EVERYWHERE):
        return True
    if isinstance(error, (AssertionError, Failed, OSError, HTTPException)):
        return False
    return own_steps is not None and _passes_through(call.excinfo, own_steps)


def _passes_through(excinfo: pytest.ExceptionInfo[BaseException], folder: Path) -> bool:
    """Whether an error was raised in a file of `folder`, or in what such a file called."""
    return any(Path(str(entry.path)).is_relative_to(folder) for entry in excinfo.traceback)


# Also where an answer lacks a member that a step reads.
STEP_ERROR = "the step could not be carried out"
#  raised                        what                                    expected
EXPLAINED: tuple[tuple[tuple[type[BaseException], ...], tuple[str, str]], ...] = (
    ((StepDefinitionNotFoundError,), ("undefined step", "a step of `sandgate steps`")),
    ((FixtureLookupError,),                 ("unknown fixture", "a fixture of suite or user")),
    ((MissingTagError,),                    ("the scenario lacks a tag", "a tag for what it uses")),
    ((ControlError,),                ("the control API refused", "what the scenario needs of it")),
    ((OSError, HTTPException),       ("the target did not answer", AN_ANSWER)),
)  # fmt: skip
ERRORS_EVERYWHERE = (StepDefinitionNotFoundError, FixtureLookupError, MissingTagError)
ERRORS_WITHOUT_TRACE = tuple(kind for kinds, _ in EXPLAINED for kind in kinds)

"""What a failed case says of itself: what was compared, or what broke before anything was."""

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
    """What went wrong in a phase of a case, or in one that was skipped without a lasting reason."""
    if call is None or call.excinfo is None:
        what = "the judge skipped this case for no reason that lasts"
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
    what, expected = next((told for kinds, told in TOLD if isinstance(error, kinds)), (BROKE, ""))
    came = masking.text(call.excinfo.exconly(tryshort=True))
    is_ours = isinstance(error, OURS)
    text = came if is_ours else masking.text(str(call.excinfo.getrepr(style="short")))
    lines = [what, *([f"  expected:    {expected}"] if expected else []), f"  came:        {came}"]
    beside = [] if is_ours else [text]
    return CaseFailure(
        what, expected, cut(came), cut("\n".join([*lines, *beside]), TEXT_LENGTH_MAX)
    )


# An answer that lacks what a step reads in it ends there too.
BROKE = "the step could not be carried out"
#  raised                        what is told of it                      what was expected
TOLD: tuple[tuple[tuple[type[BaseException], ...], tuple[str, str]], ...] = (
    ((StepDefinitionNotFoundError,), ("no step is worded so", "a step of `sandgate steps`")),
    ((MissingTagError,),                    ("the scenario lacks a tag", "a tag for what it uses")),
    ((ControlError,),                ("the control API refused", "what the scenario needs of it")),
    ((OSError, HTTPException),       ("the target did not answer", AN_ANSWER)),
)  # fmt: skip
OURS = tuple(kind for kinds, _ in TOLD for kind in kinds)

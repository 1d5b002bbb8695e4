"""Assertions about answers: a failure names the requirement, what was expected and what came."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from features.conformance.document_start import masked_start
from features.spec.results import is_refusal
from simulator.client import Answer
from simulator.client.shown.masking import masked_text

# For an assertion that is not about an answer of the merchant API.
NO_ANSWER = Answer(0, {}, None)


class ConformanceAssertionError(AssertionError):
    """An assertion that failed. It holds no card number and no credentials, and of what is huge
    the beginning.
    """

    def __init__(self, what: str, *, expected: str, came: str, beside: str):
        said = (what, expected, came, beside)
        self.said = tuple(masked_start(each, masked_text) for each in said)
        self.what, self.expected, self.came, _ = self.said
        super().__init__(text_of(*self.said))


def text_of(what: str, expected: str, came: str, beside: str) -> str:
    """All of a failed assertion in one text."""
    return f"{what}\n  expected:    {expected}\n  came:        {came}\n{beside}"


class Judge:
    """Assertions of one scenario; every failure names the requirements of the scenario.

    With `any_code` a refusal may have any result code of a refusal, in any words: the rule is that
    of the specification, and only code and words are those of Sandgate.
    """

    def __init__(self, requirements: Mapping[str, str], *, any_code: bool = False):
        self._requirements = requirements
        self._any_code = any_code

    def same(self, what: str, answer: Answer, *, expected: object, came: object) -> None:
        """`came` equals `expected`."""
        shown = _in_place_of_text(came) if isinstance(expected, str) else repr(came)
        self.holds(what, answer, came == expected, expected=repr(expected), came=shown)

    def refusal(self, what: str, answer: Answer, *, status: int, code: str) -> None:
        """The answer has this status and this result code; see `any_code`."""
        came = answer.status, answer.code
        if self._any_code:
            holds = answer.status == status and is_refusal(answer.code)
            self.holds(what, answer, holds, expected=f"{status} and a refusal", came=repr(came))
        else:
            self.same(what, answer, expected=(status, code), came=came)

    def wording(self, what: str, answer: Answer, *, words: str, came: str) -> None:
        """`came` is a text with these words; with `any_code` any text will do."""
        pattern = ".+" if self._any_code else f".*{re.escape(words)}.*"
        self.form(what, answer, pattern=pattern, came=came)

    def member(
        self, what: str, answer: Answer, *, expected: object, came: Collection[object]
    ) -> None:
        """`expected` is among `came`."""
        self.holds(
            what, answer, expected in came, expected=f"{expected!r} among them", came=repr(came)
        )

    def no_member(
        self, what: str, answer: Answer, *, banned: object, came: Collection[object]
    ) -> None:
        """`banned` is not among `came`."""
        self.holds(
            what, answer, banned not in came, expected=f"{banned!r} not among them", came=repr(came)
        )

    def form(self, what: str, answer: Answer, *, pattern: str, came: object) -> None:
        """`came` is a text that fits `pattern` from end to end."""
        fits = isinstance(came, str) and re.fullmatch(pattern, came) is not None
        self.holds(what, answer, fits, expected=f"the form {pattern}", came=_in_place_of_text(came))

    def holds(self, what: str, answer: Answer, truth: bool, *, expected: str, came: str) -> None:
        """`truth` holds. Raises ConformanceAssertionError with both sides and the answer."""
        if not truth:
            beside = f"{self._requirements_text()}\n{_summary(answer)}"
            raise ConformanceAssertionError(what, expected=expected, came=came, beside=beside)

    def _requirements_text(self) -> str:
        lines = [f"  requirement: {key}, {text}" for key, text in self._requirements.items()]
        return "\n".join(lines) or "  requirement: none named"


def unread(answer: Answer) -> str:
    """What came in place of JSON: status, media type and why it cannot be read; empty for what can
    be.
    """
    if answer.body is not None and not isinstance(answer.body, bytes):
        return ""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip()
    return f"{answer.status} {kind}".rstrip() + f", {_fault_of(answer)}"


def _fault_of(answer: Answer) -> str:
    coding = answer.headers.get("content-encoding", "")
    if answer.body is None:
        return "no body"
    if coding:
        return f"with content-encoding {coding}"
    try:
        answer.body.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    return "no JSON"


def _in_place_of_text(came: object) -> str:
    """What came where a text was expected."""
    if isinstance(came, bool):
        return f"the JSON value {str(came).lower()}, not a string"
    if isinstance(came, int | float):
        return f"the number {came}, not a string"
    return repr(came)


def _summary(answer: Answer) -> str:
    """Status and result of an answer: enough to see what happened, and no card data."""
    if answer is NO_ANSWER:
        return ""
    shown: dict[str, Any] = {"status": answer.status, "code": answer.code}
    shown["description"] = answer.reason
    if cannot_be_read := unread(answer):
        shown["answer"] = cannot_be_read
    wrong = [f"{error.get('name')}: {error.get('message')}" for error in answer.parameter_errors]
    lines = [f"  {name + ':':<12} {value}" for name, value in shown.items()]
    return "\n".join([*lines, *(f"    {entry}" for entry in wrong)])

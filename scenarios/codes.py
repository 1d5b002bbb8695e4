"""Which result codes may be scripted, and how an unknown one is reported."""

import re
from collections.abc import Iterator, Mapping
from os.path import commonprefix
from typing import Any

from scenarios.errors import Problem
from scenarios.known import Result

APPROVING = frozenset({"success", "success_manual_review"})

CHARGEBACK = "chargeback"
NOT_AN_ANSWER = frozenset({"pending", "pending_delayed", "chargeback", "success_rating_legacy"})

# Under these a step has the answers that come later.
LATER = ("then", "pending")

_DIGITS_AND_DOTS = re.compile(r"[0-9.]{1,11}")


def code_problem(code: str, results: Mapping[str, Result], *, where: str) -> Problem | None:
    """Why `code` cannot be the result of a payment, or None. The nearest known one is named."""
    row = results.get(code)
    if row is None:
        expected = f"a result code of the catalogue{_nearest_code(code, results)}"
        return Problem(where, expected, _shown_code(code))
    if row.group in NOT_AN_ANSWER:
        return Problem(where, "a final result code", f"{code} of the group {row.group}")
    return None


def code_problems(document: Mapping[str, Any], results: Mapping[str, Result]) -> list[Problem]:
    """What is wrong with the codes of a judged behaviour, wherever in its steps they stand."""
    steps = document["steps"]
    answers = list(_answers(steps.get("acquirer", {}), "steps.acquirer"))
    declines = [
        (f"{where}.decline.code", answer["decline"]["code"])
        for where, answer in answers
        if "decline" in answer
    ]
    risk = steps.get("risk", {})
    declines += [(f"steps.risk.{each}", risk[each]) for each in ("decline", "code") if each in risk]
    problems = [_decline_problem(code, results, where=where) for where, code in declines]
    problems += [_reason_problem(answer, results, where=where) for where, answer in answers]
    return [each for each in problems if each is not None]


def _answers(steps: Mapping[str, Any], where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every answer of the acquirer, now or later, and where it stands."""
    yield where, steps
    for word in LATER:
        if word in steps:
            yield from _answers(steps[word], f"{where}.{word}")


def _decline_problem(code: str, results: Mapping[str, Result], *, where: str) -> Problem | None:
    problem = code_problem(code, results, where=where)
    if problem is None and results[code].group in APPROVING:
        return Problem(where, "a code that declines", f"{code} of the group {results[code].group}")
    return problem


def _reason_problem(
    answer: Mapping[str, Any], results: Mapping[str, Result], *, where: str
) -> Problem | None:
    """Why the code of a chargeback to come is none, or None."""
    returned = answer.get("approve", {}).get("returned")
    if returned is None:
        return None
    row = results.get(returned["code"])
    if row is not None and row.group == CHARGEBACK:
        return None
    expected = f"the code of a chargeback{_nearest_code(returned['code'], results)}"
    return Problem(f"{where}.approve.returned.code", expected, _shown_code(returned["code"]))


def _nearest_code(code: str, results: Mapping[str, Result]) -> str:
    """The known code with the longest common beginning, then the closest number, in words."""
    if not _DIGITS_AND_DOTS.fullmatch(code):
        return ""
    number = _number(code)

    def distance(known: str) -> tuple[int, int]:
        return -len(commonprefix((known, code))), abs(_number(known) - number)

    return f" (nearest: {min(results, key=distance)})"


def _number(code: str) -> int:
    return int(code.replace(".", "").ljust(9, "0") or "0")


def _shown_code(code: str) -> str:
    # A value that is no code may be anything, a card number too, so it is not repeated.
    return repr(code) if _DIGITS_AND_DOTS.fullmatch(code) else f"{len(code)} characters"

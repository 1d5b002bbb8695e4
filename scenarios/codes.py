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
    """What is wrong with the codes a judged behaviour declines with."""
    steps = document["steps"].get("acquirer", {})
    problems = []
    for where, code in _declines(steps, "steps.acquirer"):
        problem = code_problem(code, results, where=where)
        if problem is None and results[code].group in APPROVING:
            got = f"{code} of the group {results[code].group}"
            problem = Problem(where, "a code that declines", got)
        if problem is not None:
            problems.append(problem)
    problems += _risk_problems(document["steps"].get("risk", {}), results)
    return problems + list(_unknown_reasons(steps, results, "steps.acquirer"))


def _risk_problems(steps: Mapping[str, Any], results: Mapping[str, Result]) -> Iterator[Problem]:
    """The codes of a risk system that do not decline."""
    for word in ("decline", "code"):
        if word in steps:
            where, code = f"steps.risk.{word}", steps[word]
            problem = code_problem(code, results, where=where)
            if problem is None and results[code].group in APPROVING:
                got = f"{code} of the group {results[code].group}"
                problem = Problem(where, "a code that declines", got)
            if problem is not None:
                yield problem


def _unknown_reasons(
    steps: Mapping[str, Any], results: Mapping[str, Result], where: str
) -> Iterator[Problem]:
    """The codes of chargebacks to come that are none."""
    if "returned" in steps.get("approve", {}):
        code = steps["approve"]["returned"]["code"]
        if code not in results or results[code].group != CHARGEBACK:
            expected = f"the code of a chargeback{_nearest_code(code, results)}"
            yield Problem(f"{where}.approve.returned.code", expected, _shown_code(code))
    for word in ("then", "pending"):
        if word in steps:
            yield from _unknown_reasons(steps[word], results, f"{where}.{word}")


def _declines(steps: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    if "decline" in steps:
        yield f"{where}.decline.code", steps["decline"]["code"]
    if "then" in steps:
        yield from _declines(steps["then"], f"{where}.then")


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

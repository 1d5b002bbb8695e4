"""What can be wrong with a behaviour or a script: where, what was expected, what came."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

SHOWN_MAX = 60


class Problem(NamedTuple):
    """One thing wrong: the path inside the document, what was expected there and what came."""

    where: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, got {self.got}"


class BehaviourError(ValueError):
    """A behaviour that cannot be used: all its `problems`, and its `source`, a file or a folder."""

    def __init__(self, source: str, problems: Iterable[Problem]):
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in self.problems))


class ScriptError(ValueError):
    """A script that cannot be armed: the first thing that is wrong with it."""

    def __init__(self, problem: Problem):
        super().__init__(str(problem))
        self.where = problem.where
        self.expected = problem.expected
        self.got = problem.got


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known word closest to `word`, or None where nothing is close."""
    if not isinstance(word, str):
        return None
    found = get_close_matches(word[:SHOWN_MAX], list(known), n=1, cutoff=0.5)
    return found[0] if found else None


def one_of(known: Iterable[str], word: object) -> str:
    """`one of A, B` for an error, the nearest known word named when there is one."""
    known = list(known)
    close = nearest(word, known)
    hint = f" (nearest: {close})" if close else ""
    return f"one of {', '.join(known)}{hint}" if known else "nothing"


def shown_kind(value: object) -> str:
    """A value as `shown` has it, a number by its kind alone."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "a number" if is_number else shown(value)


def shown(value: object) -> str:
    """A value as an error shows it: quoted, its kind named where it is no text, cut to one line."""
    if isinstance(value, str):
        return repr(value) if len(value) <= SHOWN_MAX else f"{len(value)} characters"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, dict):
        return "a mapping with " + (", ".join(map(str, value))[:SHOWN_MAX] or "nothing in it")
    return "a list" if isinstance(value, list) else type(value).__name__

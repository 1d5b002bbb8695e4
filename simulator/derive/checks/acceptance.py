"""Formats compiled: what a value must be, as a function, and what to say of one that is not."""

import re
from collections.abc import Callable, Iterable

from simulator.catalogue.choices import CHOICES
from simulator.derive.checks.codes import codes_of
from simulator.grammar.choices import Choices
from simulator.grammar.formats import Format

Acceptance = Callable[[str], object]
NUL = "\0"
ANY = f"[^{NUL}]*"
# Longer lists are looked up faster than they are matched.
ALTERNATIVES_MAX = 20
# An end of the text, a look ahead or a group's number mean something else in a longer pattern.
LOOKS_AROUND = re.compile(r"\(\?(?!:)|\$|(?<!\[)\^|\\[AbBZ1-9]")


def resolved(format: Format, choices: Choices) -> Format:
    """The format that holds under `choices`: another one where a choice of it was switched."""
    for name, other in format.switches:
        if is_switched(name, choices):
            return resolved(other, choices)
    return format


def is_switched(name: str, choices: Choices) -> bool:
    """Whether a decision has another value than in the profile `specification`."""
    return choices[name] != next(row.specification for row in CHOICES if row.name == name)


def acceptance_of(format: Format) -> Acceptance:
    """A function that is true of the values a resolved format takes."""
    if format.values:
        return frozenset(format.values).__contains__
    if format.listed:
        return codes_of(format.listed).__contains__
    return re.compile(format.body).fullmatch


def joinable(format: Format) -> str | None:
    """The pattern of a resolved format, where its values can be matched in one go with others."""
    if format.values and len(format.values) <= ALTERNATIVES_MAX:
        return "|".join(map(re.escape, format.values))
    if format.listed or not format.body or LOOKS_AROUND.search(format.body):
        return None
    return format.body


def in_a_row(bodies: Iterable[str | None]) -> Acceptance:
    """Acceptance of values in the order of these patterns, each with a NUL behind it. None takes
    any value; no pattern takes a NUL.

    Each part is atomic: nothing that follows it can make it match otherwise.
    """
    parts = [f"(?>(?:{ANY if body is None else body}){NUL})" for body in bodies]
    return re.compile("".join(parts)).fullmatch


def refuses(value: str) -> bool:
    """Acceptance of a parameter that no value makes acceptable."""
    return False


def anything(value: str) -> bool:
    """Acceptance of a parameter that is ignored."""
    return True


def words_for(format: Format, value: str) -> str:
    """What `value` should have been, in the words clients know where they know some."""
    if format.values:
        return f"must be one of [{', '.join(format.values)}]"
    if not format.says:
        return f"must match {format.pattern}"
    if format.min <= len(value) <= (format.max or len(value)):
        return format.says
    return f"{format.says}, got {len(value)} character{'' if len(value) == 1 else 's'}"

"""Explain a word: everything that is known under it, what to see also, or the nearest words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from simulator.derive.explain.brands import BRANDS_OF_PAYMENTS
from simulator.derive.explain.decisions import DECISION_NUMBERS
from simulator.derive.explain.fields import FIELDS, GROUPS
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.nearest import nearest_names
from simulator.derive.explain.payment_types import TYPES_OF_PAYMENT
from simulator.derive.explain.results import RESULT_CODES
from simulator.derive.explain.sources import EXPECTATION_IDS, REQUIREMENT_IDS
from simulator.derive.explain.subject import Subject, is_distinctive, mentioning
from simulator.grammar.choices import Choices

SUBJECTS = (
    FIELDS,
    GROUPS,
    RESULT_CODES,
    TYPES_OF_PAYMENT,
    BRANDS_OF_PAYMENTS,
    DECISION_NUMBERS,
    REQUIREMENT_IDS,
    EXPECTATION_IDS,
)
SEE_ALSO_MAX = 10
CITED_MAX = 20
WORD = re.compile(r"[A-Za-z0-9][\w.\[\]-]*[\w\]]")


def explain(
    name: str, choices: Choices, subjects: Sequence[Subject] = SUBJECTS
) -> tuple[list[str], bool]:
    """Everything that is known under `name`, line by line, and whether anything is.

    A name in capitals or small letters is understood as well. An unknown one gives the nearest.
    """
    for word in chain((name, name.upper(), name.lower()), _spelled(name, subjects)):
        explained = {subject: [*subject.explain(word, choices)] for subject in subjects}
        found = {subject: lines for subject, lines in explained.items() if lines}
        if found:
            return [*_separated(found.values()), *_see_also(word, found, subjects)], True
    return [*_unknown(name, subjects)], False


def _spelled(name: str, subjects: Sequence[Subject]) -> Iterator[str]:
    """The names that differ from `name` by capitals alone, such as paymentType."""
    for subject in subjects:
        yield from (known for known in _names_of(subject) if known.lower() == name.lower())


@cache
def _names_of(subject: Subject) -> tuple[str, ...]:
    return tuple(subject.names())


def _separated(found: Iterable[list[str]]) -> Iterator[str]:
    for number, lines in enumerate(found):
        yield from ("", *lines) if number else lines


def _see_also(
    word: str, found: Mapping[Subject, list[str]], subjects: Sequence[Subject]
) -> Iterator[str]:
    """What the explanation names, what mentions the word, and the page about its kind."""
    lines = [line for lines in found.values() for line in lines]
    explained = dict.fromkeys((word, *(lines[0].split()[0] for lines in found.values())))
    cited = [name for name in _cited(lines, subjects) if not name.startswith(word)]
    mentions = [name for each in explained if is_distinctive(each)
                for name in mentioning(each, subjects)]  # fmt: skip
    names = [name for name in dict.fromkeys((*cited, *mentions)) if name not in explained]
    pages = dict.fromkeys(subject.page for subject in found)
    yield from labeled("see also", ", ".join((*names[:SEE_ALSO_MAX], *pages)))


def _cited(lines: Iterable[str], subjects: Sequence[Subject]) -> list[str]:
    """The names that `lines` contain; none where the lines are a list of them."""
    known = {name for subject in subjects for name in _names_of(subject) if is_distinctive(name)}
    cited = dict.fromkeys(word for word in WORD.findall(" ".join(lines)) if word in known)
    return [*cited] if len(cited) <= CITED_MAX else []


def _unknown(name: str, subjects: Sequence[Subject]) -> Iterator[str]:
    yield f"{name}: unknown name"
    names = dict.fromkeys(known for subject in subjects for known in _names_of(subject))
    for near in nearest_names(name, names):
        yield f"  nearest     {near}"
    kinds = ", ".join(f"{subject.kind} ({subject.example})" for subject in subjects)
    yield from labeled("expected", kinds)

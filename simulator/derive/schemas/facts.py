"""Facts about a parameter, gathered from its row, relations and decisions."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from simulator.catalogue.choices import CHOICES
from simulator.derive.checks.acceptance import resolved
from simulator.grammar.choices import Choices
from simulator.grammar.formats import Format
from simulator.grammar.parameters import SPECIFICATION, Param
from simulator.grammar.relations import Relation

WORD = re.compile(r"[A-Za-z0-9_]+")
NO_LENGTH = frozenset({"choice", "structure", "header"})


class Fact(NamedTuple):
    """One parameter in words. `relations` are those that name it, `decisions` ids such as D-09."""

    name: str
    notation: str
    length: str
    values: tuple[str, ...]
    need: str
    note: str
    is_secret: bool
    is_echoed: bool
    decisions: tuple[str, ...]
    relations: tuple[Relation, ...]


def fact_of(
    row: Param, choices: Choices, relations: Iterable[Relation] = (), format: Format | None = None
) -> Fact:
    """The facts about `row`, with `format` instead of its own where one is given."""
    named = format or row.format
    holds = resolved(named, choices)
    return Fact(
        name=row.name,
        notation=holds.notation,
        length=_length(holds),
        values=_values(holds),
        need=row.need,
        note=row.note,
        is_secret=row.secret,
        is_echoed=bool(row.echo),
        decisions=_decisions(row, named),
        relations=tuple(relation for relation in relations if _names(relation, row)),
    )


def describe_fact(fact: Fact) -> str:
    """The fact as a few sentences: format, need, rule, what to look up."""
    lookups = dict.fromkeys((*(relation.id for relation in fact.relations), *fact.decisions))
    parts = [fact.notation, fact.length, fact.need, fact.note, ", ".join(lookups)]
    return " ".join(sentence(part) for part in parts if part)


def sentence(words: str) -> str:
    """`words` with a capital at the beginning and a full stop at the end."""
    return f"{words[0].upper()}{words[1:]}."


def _length(format: Format) -> str:
    """The length in words, where the notation does not say it."""
    if format.kind in NO_LENGTH or format.listed or format.max is None:
        return ""
    if str(format.max) in format.notation and (
        format.min == 1 or str(format.min) in format.notation
    ):
        return ""
    unit = "digit" if format.kind == "digits" else "character"
    if format.min == format.max:
        return f"{format.max} {unit}{'s' if format.max > 1 else ''}"
    return f"{format.min} to {format.max} {unit}s"


def _values(format: Format) -> tuple[str, ...]:
    """The values, where the notation does not show them."""
    shown = format.values and {format.values[0], format.values[-1]} <= set(
        WORD.findall(format.notation)
    )
    return () if shown else format.values


def _decisions(row: Param, format: Format) -> tuple[str, ...]:
    ids = {choice.name: choice.id for choice in CHOICES}
    origin = [row.origin] if row.origin != SPECIFICATION else []
    return tuple(dict.fromkeys([*origin, *(ids[name] for name, _ in format.switches)]))


def _names(relation: Relation, row: Param) -> bool:
    about = (*relation.names, *relation.triggers, relation.other)
    return any(name in about for name in row.concrete_names)

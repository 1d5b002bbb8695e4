"""Explain a field: its row, its limits, the relations that touch it, and samples."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.basic import ENTITY_ALIAS
from simulator.catalogue.fields.effects import effects_of
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.samples import Sample, concrete, samples_of
from simulator.derive.documents.export import operations_of, values_of
from simulator.derive.documents.reference import tables_beyond_the_specification
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.derive.schemas.conditions import cases_in_words
from simulator.grammar.choices import Choices
from simulator.grammar.formats import Format
from simulator.grammar.names import parts_of
from simulator.grammar.parameters import REQUEST, Param, Table
from simulator.grammar.relations import ACCOUNT, Relation

SHOWN_MAX = 60
VALUES_SHOWN_MAX = 12
OF_A_HEADER = " header"
# How the specification writes that reports do not have a column.
NOT_REPORTED = "none"
UNSENT = frozenset({"header", "structure"})


def explain_field(name: str, choices: Choices) -> Iterator[str]:
    """What the catalogue says about a field under `choices`, line by line.

    `name` may be a concrete one, such as `cart.items[3].name`, that of a member of an answer, such
    as `customParameters.shop`, or what reports call a column, such as `settlement.fxRate`.
    """
    skeleton = parts_of(name).skeleton
    template = _templates().get(skeleton) or _map_with(name)
    rows = [
        (table, row)
        for table in _tables()
        for row in table.rows
        if row.name == (template or name)
        or (template is None and skeleton in _names_in_reports(row))
    ]
    for number, (table, row) in enumerate(rows):
        yield from ("",) if number else ()
        yield from _lines(table, row, choices)


@cache
def _tables() -> tuple[Table, ...]:
    """Every table, also of parameters that operations take and the specification does not show."""
    return (*TABLES, *tables_beyond_the_specification())


@cache
def _templates() -> Mapping[str, str]:
    """The names of all rows by skeleton: with empty brackets, and each scheme in its place."""
    named = {
        parts_of(name).skeleton: row.name
        for table in _tables()
        for row in table.rows
        for name in row.concrete_names
    }
    headers = {
        row.name.removesuffix(OF_A_HEADER): row.name
        for table in _tables()
        for row in table.rows
        if row.name.endswith(OF_A_HEADER)
    }
    return {ENTITY_ALIAS: "entityId", **headers, **named}


def _map_with(name: str) -> str | None:
    """The row of the map that a name is in, written as answers nest it."""
    around, _, key = name.rpartition(".")
    return _templates().get(f"{around}[]") if key else None


def _names_in_reports(row: Param) -> list[str]:
    """The skeletons of what reports call a column. Source: Reconciliation record, API parameter."""
    names = row.api_name.split(" or ") if row.api_name != NOT_REPORTED else ()
    return [parts_of(name).skeleton for name in names if name]


def explain_group(name: str, choices: Choices) -> Iterator[str]:
    """The fields whose names begin with a part such as `customer.browser` or `customParameters`."""
    group = name.rstrip(".")
    rows = [row for row in _members(group) if row.name != group]
    if not rows:
        return
    yield f"{group}  (group of {len(rows)} parameters and fields)"
    width = max(len(row.name) for row in rows)
    for row in rows:
        yield f"  {row.name:<{width}}  {resolved(row.format, choices).notation}, {row.need}"


def _members(group: str) -> list[Param]:
    named: dict[str, Param] = {}
    for table in _tables():
        for row in table.rows:
            named.setdefault(row.name, row)
    return [row for name, row in named.items() if name.startswith((f"{group}.", f"{group}["))]


def _groups() -> Iterator[str]:
    for table in _tables():
        for row in table.rows:
            yield from (row.name[: part.start()] for part in re.finditer(r"[.\[]", row.name))


def _lines(table: Table, row: Param, choices: Choices) -> Iterator[str]:
    format = resolved(row.format, choices)
    yield f"{row.name}  ({table.title}, {row.direction})"
    yield f"  format      {format.notation}"
    yield from _limits(format)
    yield from labeled("in reports", row.api_name)
    yield from labeled("need", f"{row.need}: {row.note}" if row.note else row.need)
    if row.key:
        yield f"  key         {row.key.pattern}"
    if row.schemes:
        yield f"  scheme      one of {', '.join(row.schemes)}"
    if row.secret:
        yield "  secret      its value is never shown, logged or stored in the clear"
    yield from (f"  switched    {_switch(choice, other)}" for choice, other in row.format.switches)
    yield from _samples(row, format)
    yield f"  origin      {row.origin}"
    if row.direction == REQUEST:
        yield from (f"  effect      {words}" for words in effects_of(row))
        for words in _relations_of(row):
            yield from labeled("relation", words)
        named = ", ".join(operations_of(row)) or "no operation served yet"
        yield from labeled("used by", named)


def _limits(format: Format) -> Iterator[str]:
    if format.kind in UNSENT:
        return
    values = values_of(format)
    if values:
        yield f"  values      {_cut(values)}"
        return
    yield f"  length      {format.min} to {format.max}"
    if not format.says:
        yield f"  pattern     {format.pattern}"
    else:
        yield f"  value       {format.says}"


def _switch(choice: str, other: Format) -> str:
    values = f"one of {', '.join(other.values)}" if other.values else other.says or other.pattern
    identity = next(row.id for row in CHOICES if row.name == choice)
    return f"by {identity} ({choice}): {values}"


def _relations_of(row: Param) -> Iterator[str]:
    """The relations that touch the row, those of single operations with their names."""
    yield from (_in_words(relation) for relation in RELATIONS if relation.touches(row.name))
    operations: dict[str, list[str]] = {}
    for operation in OPERATIONS.values():
        for relation in operation.relations:
            if relation.touches(row.name):
                operations.setdefault(_in_words(relation), []).append(operation.id)
    for words, names in operations.items():
        yield f"{words} ({', '.join(names)})"


def _in_words(relation: Relation) -> str:
    rule = f"{relation.id}: {', '.join(relation.names)}: {relation.says or 'must be sent'}"
    if relation.switch:
        decision = next(row.id for row in CHOICES if row.name == relation.switch)
        rule += f" (where {decision} is require)"
    if relation.where:
        return f"{rule}, {cases_in_words(relation)}"
    names = " or ".join(relation.unless)
    if relation.unless_in:
        return f"{rule}, unless {names} is one of {', '.join(relation.unless_in)}"
    if relation.unless_not_in:
        return f"{rule}, unless {names} is none of {_cut(relation.unless_not_in)}"
    # Of an account that is needed these are the accounts.
    return f"{rule}, unless {names} is sent" if names and relation.kind != ACCOUNT else rule


def _cut(values: Sequence[str]) -> str:
    """The first values, and how many more there are."""
    rest = len(values) - VALUES_SHOWN_MAX
    more = f" and {rest} more" if rest > 0 else ""
    return f"{', '.join(values[:VALUES_SHOWN_MAX])}{more}"


def _samples(row: Param, format: Format) -> Iterator[str]:
    if format.kind in UNSENT:
        return
    samples = samples_of(format)
    name = concrete(row.concrete_names[0])
    taken = next(sample for sample in samples if sample.taken)
    refused = next((sample for sample in samples if not sample.taken), None)
    yield f"  accepted    {_shown(name, taken)}"
    if refused:
        yield f"  refused     {_shown(name, refused)}  ({refused.case})"


def _shown(name: str, sample: Sample) -> str:
    value = sample.value if len(sample.value) <= SHOWN_MAX else sample.value[:SHOWN_MAX] + "..."
    return f"{name}={value!r}"[: len(name) + SHOWN_MAX + 10]


def _reported_names() -> Iterator[str]:
    """What reports call the columns of the reconciliation record, where no row has that name."""
    rows = (row for table in _tables() for row in table.rows if row.api_name != NOT_REPORTED)
    names = (name for row in rows for name in row.api_name.split(" or ") if name)
    return (name for name in names if parts_of(name).skeleton not in _templates())


GROUPS = Subject(
    kind="a group of parameters",
    example="customer.browser",
    page="docs/reference/parameters.md",
    names=lambda: dict.fromkeys(_groups()),
    explain=explain_group,
)
FIELDS = Subject(
    kind="a parameter or field",
    example="card.number",
    page="docs/reference/parameters.md",
    names=lambda: dict.fromkeys((*_templates().values(), *_reported_names())),
    explain=explain_field,
)

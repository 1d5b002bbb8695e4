"""JSON Schema 2020-12 of the parameters of a request: one flat object, as forms send them.

An empty value counts as absent (Choice: D-03), so a document holds none. What the schema cannot say
stands in `x-relations`, by id and in words.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from simulator.derive.checks.brackets import SHAPE
from simulator.derive.checks.compiled_rows import CompiledRow, lines_of
from simulator.derive.checks.relations import listed, relations_in
from simulator.derive.schemas.conditions import CONDITIONS, conditions_of, describe_relation
from simulator.derive.schemas.facts import describe_fact, fact_of
from simulator.derive.schemas.patterns import (
    PAIRED_BRACKETS,
    indexed_names,
    keyed_names,
    misnumbered_names,
    value_schema,
)
from simulator.grammar.choices import Choices
from simulator.grammar.names import parts_of
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Table
from simulator.grammar.relations import MAX_ITEMS, ONLY_IN, Relation

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NO_GAPS = {"id": SHAPE, "says": "the indexes of a list run from 0 without a gap"}

# Relations that the names of parameters tell, rather than a condition on the object.
SHOWN_BY_NAMES = frozenset({MAX_ITEMS, ONLY_IN})

# The keywords of a condition without exceptions.
SIMPLE = frozenset({"description", "required"})


class RequestRules(NamedTuple):
    """What holds for the parameters of one operation under one set of choices.

    `lines` are its rows by name with empty brackets, `items_max` the limits of lists.
    """

    operation: Operation
    choices: Choices
    relations: tuple[Relation, ...]
    lines: Mapping[str, CompiledRow]
    items_max: Mapping[str, int]

    @property
    def plain(self) -> tuple[str, ...]:
        """The names without brackets."""
        return tuple(name for name in self.lines if "[" not in name)

    @property
    def is_closed(self) -> bool:
        """Whether a parameter the operation does not know is refused (Choice: D-02)."""
        return self.choices["unknown_parameters"] == "refuse"


def rules_of(operation: Operation, choices: Choices) -> RequestRules:
    """The rules of an operation, as its schemas are written from them."""
    relations = relations_in(operation, choices)
    only_in = [row for row in listed(relations, ONLY_IN) if operation.id not in row.values]
    return RequestRules(
        operation,
        choices,
        relations,
        lines_of(operation, choices, {row.names[0]: row for row in only_in}),
        {row.names[0]: row.limits[0] for row in listed(relations, MAX_ITEMS)},
    )


def request_schema(operation: Operation, choices: Choices) -> dict[str, Any]:
    """The schema of the parameters of an operation, as one document."""
    rules = rules_of(operation, choices)
    schema: dict[str, Any] = {
        "$schema": DIALECT,
        "title": f"Parameters of {operation.method} {operation.path}",
        "type": "object",
        **_names_of(rules),
        "properties": {},
        "patternProperties": {},
        "allOf": [condition for _, condition in conditions_of(rules.relations, rules.plain)],
        **_in_words(_unsaid(rules)),
    }
    for table in operation.tables:
        part = table_schema(table, rules)
        schema["properties"] |= part.get("properties", {})
        schema["patternProperties"] |= part.get("patternProperties", {})
    if rules.is_closed:
        schema["additionalProperties"] = False
    return schema


def generable_schema(rules: RequestRules) -> dict[str, Any]:
    """The same without the parameters of the tables, and looser: what tools can make requests from.

    Such tools try every combination of conditions, and give up. What is more than a parameter that
    must always be sent stands in `x-relations`.
    """
    conditions = list(conditions_of(rules.relations, rules.plain))
    simple = [condition for _, condition in conditions if condition.keys() <= SIMPLE]
    left = [_worded(relation) for relation, condition in conditions if condition not in simple]
    return {
        "type": "object",
        **_names_of(rules),
        "required": [name for condition in simple for name in condition["required"]],
        **_in_words([*_unsaid(rules), *left]),
    }


def table_schema(table: Table, rules: RequestRules) -> dict[str, Any]:
    """The parameters of one table by name: plain ones, and patterns of those with brackets."""
    plain: dict[str, Any] = {}
    bracketed: dict[str, Any] = {}
    for name, line in _lines_of(table, rules):
        if "[" not in name:
            plain[name] = _parameter_schema(line, rules)
        elif line.key is not None:
            bracketed[keyed_names(name, line.key)] = _parameter_schema(line, rules)
        else:
            bracketed |= _indexed_schemas(name, line, rules)
    found = {"properties": plain, "patternProperties": bracketed}
    return {keyword: members for keyword, members in found.items() if members}


def _lines_of(table: Table, rules: RequestRules) -> Iterator[tuple[str, CompiledRow]]:
    for row in table.rows:
        for name in row.concrete_names:
            skeleton = parts_of(name).skeleton
            if skeleton in rules.lines:
                yield skeleton, rules.lines[skeleton]


def _indexed_schemas(skeleton: str, line: CompiledRow, rules: RequestRules) -> dict[str, Any]:
    most = rules.items_max.get(skeleton.partition("[]")[0])
    schemas: dict[str, Any] = {indexed_names(skeleton, most): _parameter_schema(line, rules)}
    if not rules.is_closed:
        # Where unknown names are let through, a known name with a wrong index still is not.
        schemas[misnumbered_names(skeleton, most)] = False
    return schemas


def _parameter_schema(line: CompiledRow, rules: RequestRules) -> dict[str, Any]:
    if line.refused is not None:
        return {"not": {}, "description": describe_relation(line.refused)}
    fact = fact_of(line.row, rules.choices, rules.relations, line.format)
    return {"description": describe_fact(fact), **value_schema(line.format)}


def _names_of(rules: RequestRules) -> dict[str, Any]:
    return {} if rules.is_closed else {"propertyNames": {"pattern": PAIRED_BRACKETS}}


def _unsaid(rules: RequestRules) -> list[dict[str, Any]]:
    has_lists = any("[]" in name and line.key is None for name, line in rules.lines.items())
    is_indexed = has_lists and not rules.operation.is_part
    kinds = SHOWN_BY_NAMES | CONDITIONS.keys()
    unsaid = [_worded(relation) for relation in rules.relations if relation.kind not in kinds]
    return [NO_GAPS, *unsaid] if is_indexed else unsaid


def _worded(relation: Relation) -> dict[str, Any]:
    return {"id": relation.id, "says": describe_relation(relation)}


def _in_words(unsaid: list[dict[str, Any]]) -> dict[str, Any]:
    return {"x-relations": unsaid} if unsaid else {}

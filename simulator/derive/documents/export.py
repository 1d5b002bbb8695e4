"""The catalogue as plain data: one object a field, as `sandgate catalogue --json` prints it."""

from collections.abc import Iterator
from typing import Any

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.codes import codes_of
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.relations import listed
from simulator.grammar.choices import Choices, choose
from simulator.grammar.formats import Format
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import SPECIFICATION, Param
from simulator.grammar.relations import ONLY_IN


def catalogue_as_json(choices: Choices | None = None) -> list[dict[str, Any]]:
    """Every field in catalogue order: its name, table, direction, format, limits, rule and origin.

    `min` and `max` are lengths in characters, `pattern` is for engines that search; `operations`
    are the served ones that accept the field. Without choices: the profile `specification`.
    """
    chosen = choices or choose(CHOICES, SPECIFICATION)
    return [_field(row, table.title, chosen) for table in TABLES for row in table.rows]


def operations_of(row: Param) -> list[str]:
    """The served operations that accept a field."""
    return [operation.id for operation in OPERATIONS.values() if row in _accepted(operation)]


def values_of(format: Format) -> list[str] | None:
    """The only values a format takes, where they are listed."""
    if format.listed:
        return sorted(codes_of(format.listed))
    return list(format.values) or None


def _field(row: Param, table: str, choices: Choices) -> dict[str, Any]:
    format = resolved(row.format, choices)
    field = {
        "name": row.name,
        "table": table,
        "direction": row.direction,
        "format": format.notation,
        "need": row.need,
        "min": format.min,
        "max": format.max,
        "pattern": format.strict_pattern,
        "values": values_of(format),
        "rule": row.note,
        "origin": row.origin,
        "operations": operations_of(row),
    }
    if row.api_name:
        field["api_name"] = row.api_name
    return field


def _accepted(operation: Operation) -> Iterator[Param]:
    refused = {
        name
        for relation in listed(RELATIONS, ONLY_IN)
        if operation.id not in relation.values
        for name in relation.names
    }
    return (row for row in sent_rows(operation) if row.name not in refused)

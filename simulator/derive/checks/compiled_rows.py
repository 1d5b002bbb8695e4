"""Rows compiled for one operation under one set of choices."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from simulator.derive.checks.acceptance import Acceptance, acceptance_of, refuses, resolved
from simulator.grammar.choices import Choices
from simulator.grammar.formats import Format
from simulator.grammar.names import parts_of
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import REQUEST, Param
from simulator.grammar.relations import Relation

NO_PARAMETER = "header"


class CompiledRow(NamedTuple):
    """A row as the check uses it: its place, its format, and what accepts its value and its key.

    `refused` is the relation that keeps the row out of this operation.
    """

    place: int
    row: Param
    format: Format
    accepts: Acceptance
    key: Format | None
    key_accepts: Acceptance
    refused: Relation | None


def lines_of(
    operation: Operation, choices: Choices, refused: Mapping[str, Relation]
) -> dict[str, CompiledRow]:
    """The lines of an operation by concrete name, its brackets empty, its scheme in place."""
    formats = dict(operation.formats)
    compiled = {}
    for place, row in enumerate(sent_rows(operation)):
        format = resolved(formats.get(row.name, row.format), choices)
        line = _line(place, row, format, refused.get(row.name))
        compiled.update({parts_of(name).skeleton: line for name in row.concrete_names})
    return compiled


def sent_rows(operation: Operation) -> Iterator[Param]:
    """The rows an operation accepts as parameters, in catalogue order; headers are none."""
    return (
        row
        for table in operation.tables
        for row in table.rows
        if row.direction == REQUEST and row.format.kind != NO_PARAMETER
    )


def _line(place: int, row: Param, format: Format, refused: Relation | None) -> CompiledRow:
    return CompiledRow(
        place=place,
        row=row,
        format=format,
        accepts=refuses if refused else acceptance_of(format),
        key=row.key,
        key_accepts=acceptance_of(row.key) if row.key else refuses,
        refused=refused,
    )

"""Statements with an id, written as text: one a paragraph, under the heading of its section."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

ID = re.compile(r"([A-Z][A-Z0-9]*-?\d+)  (.+)")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source says, under its id and the heading of its section."""

    id: str
    section: str
    text: str


def read_statements(text: str) -> Mapping[str, Statement]:
    """The statements of `text` by id, in their order.

    A line that begins with an id and two blanks begins a statement, an indented line continues it,
    and any other line is the heading of a section.
    """
    return {row.id: row for row in _statements(text)}


def _statements(text: str) -> Iterator[Statement]:
    section = ""
    for paragraph in re.split(r"\n(?=\S)", text.strip()):
        line = " ".join(paragraph.split())
        begun = ID.match(paragraph)
        if begun is None:
            section = line
        else:
            yield Statement(begun[1], section, line.removeprefix(begun[1]).strip())

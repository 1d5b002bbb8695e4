"""Secrets in the steps of features: in quotes behind the name of one, and in tables.

Choice: D-224.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from simulator.client.shown.masking import MASK, is_secret

QUOTED = re.compile(r'(?<![\w.\[\]-])([\w.\[\]-]{1,100})( (?:is |of )?)"([^"\n]+)"')
# Other cells are phrases: "an authorization".
NAME = re.compile(r"[\w.\[\]-]{1,100}")
# Columns that say what a row is about, and what is expected.
NO_VALUES = frozenset({"code", "kind", "outcome", "status", "why"})
BAR = re.compile(r"(?<!\\)\|")
# Before the first bar and behind the last there is nothing; a table of names and values has two.
CELLS_OF_PAIRS = 4
EXAMPLES = ("Examples", "Scenarios")


def masked_step(text: str) -> str:
    """A step with its table, or a feature file, without what its writer put under the name of a
    secret; places such as <cvv> stay.
    """
    return "\n".join(_masked_lines(QUOTED.sub(_without_value, text)))


def _without_value(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    return f'{name}{between}"{MASK}"' if is_secret(name) and _is_value(value) else found[0]


def masked_example(example: Mapping[str, str]) -> dict[str, str]:
    """A row of examples, without the value beside the name of a secret."""
    hidden = _beside_names([*example], [*example.values()])
    return {
        column: MASK if place in hidden and _is_value(text) else text
        for place, (column, text) in enumerate(example.items())
    }


def _masked_lines(text: str) -> Iterator[str]:
    head: list[str] = []
    before = ""
    for line in text.split("\n"):
        is_row, is_empty = line.lstrip().startswith("|"), line.strip()[:1] in ("", "#")
        if not is_row:
            head, before = (head, before) if is_empty else ([], line.strip())
            yield line
            continue
        cells = BAR.split(line)
        if len(cells) == CELLS_OF_PAIRS and not before.startswith(EXAMPLES):
            hidden = {place + 1 for place in _secrets_of(cells)}
        else:
            hidden = _secrets_of(head) | _beside_names(head, cells)
            head = head or cells
        yield "|".join(_shown_cell(cell, place in hidden) for place, cell in enumerate(cells))


def _secrets_of(cells: Sequence[str]) -> set[int]:
    return {place for place, cell in enumerate(cells) if is_secret(cell.strip())}


def _beside_names(head: Sequence[str], cells: Sequence[str]) -> set[int]:
    """The places right of the name of a secret, in columns that may hold its value."""
    named = {place for place in _secrets_of(cells) if NAME.fullmatch(cells[place].strip())}
    return {
        place for place, column in enumerate(head)
        if place - 1 in named and column.strip() not in NO_VALUES
    }  # fmt: skip


def _shown_cell(cell: str, is_hidden: bool) -> str:
    return f" {MASK} " if is_hidden and _is_value(cell) else cell


def _is_value(text: str) -> bool:
    text = text.strip()
    return bool(text) and not (text.startswith("<") and text.endswith(">"))

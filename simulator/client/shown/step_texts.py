"""Secrets in the steps of features: in quotes behind the name of one, and in tables.

Choice: D-224.
"""

import re
from collections.abc import Iterator

from simulator.client.shown.masking import MASK, is_secret

QUOTED = re.compile(r'(?<![\w.\[\]-])([\w.\[\]-]{1,100})( (?:is |of )?)"([^"\n]+)"')
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


def _masked_lines(text: str) -> Iterator[str]:
    head: set[int] | None = None
    before = ""
    for line in text.split("\n"):
        if not line.lstrip().startswith("|"):
            head, before = None, line.strip() or before
            yield line
            continue
        cells = BAR.split(line)
        named = {place for place, cell in enumerate(cells) if is_secret(cell.strip())}
        if len(cells) == CELLS_OF_PAIRS and not before.startswith(EXAMPLES):
            hidden = {place + 1 for place in named}
        else:
            hidden, head = head or set(), named if head is None else head
        yield "|".join(_shown_cell(cell, place in hidden) for place, cell in enumerate(cells))


def _shown_cell(cell: str, is_hidden: bool) -> str:
    return f" {MASK} " if is_hidden and _is_value(cell) else cell


def _is_value(text: str) -> bool:
    text = text.strip()
    return bool(text) and not (text.startswith("<") and text.endswith(">"))

"""Parameter names: dotted paths, indexes and keys in square brackets.

Source: Transport and encoding, 4.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
INDEX = re.compile(r"0|[1-9][0-9]{0,5}")
REMEMBERED_MAX = 8192


class Parts(NamedTuple):
    """A name taken apart: `a[2].b[x]` has the skeleton `a[].b[]`, the contents 2 and x.

    `opened` are the lists or maps its brackets stand behind: `a` and `a[2].b`.
    """

    skeleton: str
    contents: tuple[str, ...]
    opened: tuple[str, ...]


# Clients send the same names again and again, and taking one apart costs what ten matches cost.
@lru_cache(maxsize=REMEMBERED_MAX)
def parts_of(name: str) -> Parts | None:
    """The parts of a name; None where its brackets do not pair."""
    pieces = _BRACKETS.split(name)
    outside = pieces[::2]
    if any("[" in piece or "]" in piece for piece in outside):
        return None
    contents = tuple(pieces[1::2])
    return Parts("[]".join(outside), contents, tuple(_opened(outside, contents)))


def _opened(outside: list[str], contents: tuple[str, ...]) -> Iterator[str]:
    before = ""
    for piece, content in zip(outside, contents, strict=False):
        yield before + piece
        before = f"{before}{piece}[{content}]"

"""Concrete names and the templates they follow, and the nearest known name to an unknown one."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from heapq import nlargest

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.fields.parameters import TABLES
from simulator.grammar.names import parts_of

COMPARED_LENGTH_MAX = 100
# So many known names are compared letter by letter, which takes a tenth of a millisecond each.
COMPARED_MAX = 8


def template_of(name: str) -> str:
    """The catalogue's name for `name`: `cart.items[3].name` gives `cart.items[n].name`.

    A name the catalogue does not have keeps its words, digits in brackets become `n`.
    """
    parts = parts_of(name)
    if not parts.paired:
        return name
    filled = _filled(parts.skeleton, ("n" if key.isdecimal() else "name" for key in parts.contents))
    return templates().get(parts.skeleton, filled)


@cache
def templates() -> Mapping[str, str]:
    """The catalogue's names by skeleton: with empty brackets, and each scheme in its place."""
    return {
        parts_of(name).skeleton: row.name
        for table in TABLES
        for row in table.rows
        for name in row.concrete_names
    }


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, however different; None where there is none at all."""
    asked = name[:COMPARED_LENGTH_MAX]
    pairs = frozenset(zip(asked, asked[1:], strict=False))

    def likeness(other: str) -> float:
        others = _pairs_of(other)
        return len(pairs & others) / (len(pairs) + len(others) + 1)

    likely = nlargest(COMPARED_MAX, known, key=likeness)
    found = get_close_matches(asked, likely, n=1, cutoff=0.0)
    return found[0] if found else None


@lru_cache(maxsize=4096)
def _pairs_of(known: str) -> frozenset[tuple[str, str]]:
    """The pairs of letters in a known name."""
    return frozenset(zip(known, known[1:], strict=False))


def nearest_brand(word: str) -> str:
    """The brand whose value, or another name of it, is most like `word`, in any case of letters."""
    named = {alias: row.value for row in BRANDS.values() for alias in (row.value, *row.aliases)}
    return named[nearest(word.upper(), named) or next(iter(named))]


def _filled(skeleton: str, contents: Iterable[str]) -> str:
    first, *rest = skeleton.split("[]")
    return first + "".join(
        f"[{content}]{part}" for content, part in zip(contents, rest, strict=True)
    )

"""The rules of parameters, in short, for pages that show a request."""

from collections.abc import Iterable
from functools import cache, lru_cache

from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.checks.names import template_of
from simulator.derive.explain.fields import explain_field
from simulator.grammar.choices import Choices

SHOWN = ("format", "length", "value", "need", "relation")


@lru_cache(maxsize=2048)
def rule_of(name: str, choices: Choices) -> str:
    """What the catalogue demands of a parameter, in a few lines; empty where it has no such."""
    lines = [line.strip() for line in explain_field(name, choices)]
    return "\n".join(" ".join(line.split()) for line in lines if line.startswith(SHOWN))


def in_catalogue_order(names: Iterable[str]) -> list[str]:
    """Parameters in the order of the specification; others come last."""
    places = _places()
    return sorted(names, key=lambda name: places.get(template_of(name) or name, len(places)))


@cache
def _places() -> dict[str, int]:
    rows = dict.fromkeys(row.name for table in TABLES for row in table.rows)
    return {name: place for place, name in enumerate(rows)}

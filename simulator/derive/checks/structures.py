"""Flat names as nested JSON Schema: `cart.items[n].name` stands in an array in an object.

Source: Transport and encoding, 4.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

ITEM = "[n]"
KEY = "[]"

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def nested_schema(leaves: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of an object that holds each of `leaves`, schemas by flat name, in its place.

    It holds nothing else, and neither does anything in it.
    """
    tree: dict[str, Any] = {}
    for name, schema in leaves.items():
        *path, last = _steps(name)
        node = tree
        for step in path:
            node = node.setdefault(step, {})
        node[last] = Leaf(schema)
    return _schema_of(tree)


class Leaf(NamedTuple):
    """The end of a path."""

    schema: dict[str, Any]


def _steps(name: str) -> Iterator[str]:
    for bracket, word in _STEP.findall(name):
        yield word or (ITEM if bracket == "n" else KEY)


def _schema_of(node: dict[str, Any] | Leaf) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return node.schema
    inner = {step: _schema_of(below) for step, below in node.items()}
    if ITEM in inner:
        return {"type": "array", "items": inner[ITEM]}
    schema: dict[str, Any] = {"type": "object"}
    others = inner.pop(KEY, False)
    if inner:
        schema["properties"] = inner
    return {**schema, "additionalProperties": others}

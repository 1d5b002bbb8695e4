"""Flat parameter names and nested answers: `cart.items[0].name` and {"cart": {"items": [{"name": ...}]}}.

Clients send the same names again and again, so where a name stands in an answer is remembered.
Source: Transport and encoding, 4; RSP-08.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from simulator.domain.parameters import LISTS, is_echoed

REMEMBERED_LENGTH_MAX = 200


class Place(NamedTuple):
    """Where something stands: the name of the object, map or list around it, and its key there."""

    around: str
    key: str | int


def echoed(sent: Mapping[str, str]) -> dict:
    """The structures of `sent` that answers repeat, nested.

    Dots open objects, indexes open lists, other brackets are keys of a map.
    """
    tree: dict = {}
    nodes = {"": tree}
    for name, value in sent.items():
        place = _remembered(name) if len(name) <= REMEMBERED_LENGTH_MAX else _echo_place(name)
        if place is not None:
            around, key = place
            node = nodes.get(around)
            if node is None:
                node = _opened(around, nodes)
            node[key] = value
    _close_lists(nodes)
    return tree


@lru_cache(maxsize=8192)
def _remembered(name: str) -> Place | None:
    return _echo_place(name)


def _echo_place(name: str) -> Place | None:
    return _place_of(name) if is_echoed(name) else None


def _place_of(name: str) -> Place:
    if name[-1] != "]":
        around, _, last = name.rpartition(".")
        return Place(around, last)
    around, _, content = name[:-1].rpartition("[")
    return Place(around, int(content) if _is_list(around) else content)


def _is_list(name: str) -> bool:
    return name.rpartition(".")[2] in LISTS


def _opened(name: str, nodes: dict[str, dict]) -> dict:
    """A new node under this name, and those around it that are missing; a list is a dict by index."""
    around, key = _place_of(name)
    parent = nodes.get(around)
    if parent is None:
        parent = _opened(around, nodes)
    node = nodes[name] = parent[key] = {}
    return node


def _close_lists(nodes: dict[str, dict]) -> None:
    """Put lists in the places of dicts by index, the innermost first."""
    for name in [name for name in reversed(nodes) if _is_list(name)]:
        around, key = _place_of(name)
        nodes[around][key] = [entry for _, entry in sorted(nodes[name].items())]

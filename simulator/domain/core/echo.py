"""Flat parameter names and nested answers: `cart.items[0].name` and
{"cart": {"items": [{"name": ...}]}}.

Clients send the same names again and again, so the tree that names make is remembered.
Source: Transport and encoding, 4; RSP-08.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from simulator.domain.core.parameters import LISTS, is_echoed
from simulator.grammar.remembered import ByNames

Key = str | int


class Branch(NamedTuple):
    """An object, map or list in the tree of an answer.

    It stands in the branch number `parent` under `key`.
    """

    parent: int
    key: Key
    is_list: bool


class Tree(NamedTuple):
    """The branches that names make, the root first, and what grows on them: the number of a branch,
    a key there, and the name of the parameter whose value it has.
    """

    branches: list[Branch]
    leaves: list[tuple[int, Key, str]]


def echoed(sent: Mapping[str, str]) -> dict[str, Any]:
    """The structures of `sent` that answers repeat, nested.

    Dots open objects, indexes open lists, other brackets are keys of a map.
    """
    branches, leaves = _tree_of(sent)
    nodes: list[dict[Any, Any]] = [{} for _ in branches]
    for number, key, name in leaves:
        nodes[number][key] = sent[name]
    # A branch comes after the one it stands in: so from the last to the first, all are complete.
    for number in range(len(branches) - 1, 0, -1):
        parent, key, is_list = branches[number]
        node = nodes[number]
        nodes[parent][key] = [node[index] for index in sorted(node)] if is_list else node
    return nodes[0]


def _grown(names: Iterable[str]) -> Tree:
    """The tree that the echoed ones of `names` need."""
    tree = Tree([Branch(0, "", is_list=False)], [])
    numbers = {"": 0}
    for name in names:
        if is_echoed(name):
            around, key = _place_of(name)
            tree.leaves.append((_number_of(around, tree.branches, numbers), key, name))
    return tree


def _number_of(name: str, branches: list[Branch], numbers: dict[str, int]) -> int:
    """The number of the branch with this name, which grows with those below it if it is missing."""
    if name not in numbers:
        around, key = _place_of(name)
        parent = _number_of(around, branches, numbers)
        numbers[name] = len(branches)
        branches.append(Branch(parent, key, _is_list(name)))
    return numbers[name]


def _place_of(name: str) -> tuple[str, Key]:
    """The name of what is around `name`, and its key or index there."""
    if name[-1] != "]":
        around, _, last = name.rpartition(".")
        return around, last
    around, _, content = name[:-1].rpartition("[")
    return around, int(content) if _is_list(around) else content


def _is_list(name: str) -> bool:
    return name.rpartition(".")[2] in LISTS


_tree_of = ByNames(_grown)

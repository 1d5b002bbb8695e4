"""Flat parameter names and nested answers: `cart.items[0].name` and
{"cart": {"items": [{"name": ...}]}}.

Clients send the same names again and again, so the tree that names make is remembered.
Source: Transport and encoding, 4; RSP-08.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from simulator.domain.parameters import LISTS, is_echoed

REMEMBERED_NAMES_MAX = 200
REMEMBERED_LENGTH_MAX = 8000

Key = str | int


class Branch(NamedTuple):
    """An object, map or list in the tree of an answer.

    It stands in the branch number `parent` under `key`; `leaves` are its own keys with the names of
    the parameters that stand there.
    """

    parent: int
    key: Key
    is_list: bool
    leaves: list[tuple[Key, str]]


def echoed(sent: Mapping[str, str]) -> dict:
    """The structures of `sent` that answers repeat, nested.

    Dots open objects, indexes open lists, other brackets are keys of a map.
    """
    branches = _branches_of(sent)
    nodes: list[dict] = [{key: sent[name] for key, name in branch.leaves} for branch in branches]
    # A branch comes after the one it stands in: so from the last to the first, all are complete.
    for number in range(len(branches) - 1, 0, -1):
        parent, key, is_list, _ = branches[number]
        node = nodes[number]
        nodes[parent][key] = [node[index] for index in sorted(node)] if is_list else node
    return nodes[0]


def _branches_of(names: Iterable[str]) -> list[Branch]:
    names = tuple(names)
    short = len(names) <= REMEMBERED_NAMES_MAX and sum(map(len, names)) <= REMEMBERED_LENGTH_MAX
    return _remembered(names) if short else _grown(names)


@lru_cache(maxsize=512)
def _remembered(names: tuple[str, ...]) -> list[Branch]:
    return _grown(names)


def _grown(names: Iterable[str]) -> list[Branch]:
    """The branches that the echoed ones of `names` need, the root first."""
    branches = [Branch(0, "", is_list=False, leaves=[])]
    numbers = {"": 0}
    for name in names:
        if is_echoed(name):
            around, key = _place_of(name)
            branches[_number_of(around, branches, numbers)].leaves.append((key, name))
    return branches


def _number_of(name: str, branches: list[Branch], numbers: dict[str, int]) -> int:
    """The number of the branch with this name, which grows with those below it if it is missing."""
    if name not in numbers:
        around, key = _place_of(name)
        parent = _number_of(around, branches, numbers)
        numbers[name] = len(branches)
        branches.append(Branch(parent, key, _is_list(name), leaves=[]))
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

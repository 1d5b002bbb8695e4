"""Flat parameter names and nested answers: `cart.items[0].name` and {"cart": {"items": [{"name": ...}]}}.

Source: Transport and encoding, 4; RSP-08.
"""

import re
from collections.abc import Mapping

from simulator.domain.parameters import LISTS, is_echoed

STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def echoed(sent: Mapping[str, str]) -> dict:
    """The structures of `sent` that answers repeat, nested."""
    return nested({name: value for name, value in sent.items() if is_echoed(name)})


def nested(flat: Mapping[str, str]) -> dict:
    """`flat` as a tree: dots open objects, indexes open lists, other brackets are keys of a map."""
    tree: dict = {}
    for name, value in flat.items():
        *path, last = name.split(".") if "[" not in name else _steps(name)
        node = tree
        for step in path:
            node = node.setdefault(step, {})
        node[last] = value
    return _with_lists(tree) if any("[" in name for name in flat) else tree


def _steps(name: str) -> list[str | int]:
    steps: list[str | int] = []
    for key, word in STEP.findall(name):
        is_index = not word and steps and steps[-1] in LISTS
        steps.append(word or (int(key) if is_index else key))
    return steps


def _with_lists(node: object) -> object:
    if not isinstance(node, dict):
        return node
    if node and all(isinstance(key, int) for key in node):
        return [_with_lists(node[index]) for index in sorted(node)]
    return {key: _with_lists(value) for key, value in node.items()}

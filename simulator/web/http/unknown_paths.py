"""What a client is answered that asks for a path which is none: the path, and the nearest one."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

PATH_SHOWN, WORD_MAX = 100, 24
KEPT_PATHS = 1024
PLACE = re.compile(r"\{\w+\}")


class NearestPath:
    """The nearest of the paths of an application."""

    def __init__(self, paths: Iterable[str]):
        self._pairs = {PLACE.sub("{id}", path): _pairs_in_path(path) for path in paths}

    def of(self, came: str) -> str:
        """The path that shares most with the one that came."""
        found = _pairs_in(came)
        return max(self._pairs, key=lambda path: _likeness(found, self._pairs[path]))


def without_ids(path: str) -> str:
    """A path as the documents write it: ids and secrets are not repeated."""
    parts = path[: PATH_SHOWN * 4].split("/")
    return "/".join("{id}" if len(part) > WORD_MAX else part for part in parts)[:PATH_SHOWN]


@lru_cache(maxsize=KEPT_PATHS)
def _pairs_in_path(path: str) -> frozenset[str]:
    """Those of a path of the application, its places left out."""
    return _pairs_in(PLACE.sub("{id}", path))


def _pairs_in(text: str) -> frozenset[str]:
    """The pairs of neighboring characters: what two texts share of them is counted quickly."""
    return frozenset(map("".join, pairwise(text)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one) + len(other) or 1)

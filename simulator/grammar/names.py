"""Parameter names: dotted paths, indexes and keys in square brackets.

Source: Transport and encoding, 4.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
INDEX = re.compile(r"0|[1-9][0-9]{0,5}")
REMEMBERED_LENGTH_MAX = 200
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Words(NamedTuple):
    """Words that names are recognized by: `stems` anywhere in a name without its signs and
    capitals, `whole` as words of their own ("pin" is part of "shipping").
    """

    stems: tuple[str, ...]
    whole: frozenset[str]

    def are_in(self, name: str) -> bool:
        """Whether one of them is in a name."""
        squashed = squashed_name(name)
        return any(stem in squashed for stem in self.stems) or not self.whole.isdisjoint(
            words_of(name)
        )


def squashed_name(name: str) -> str:
    """A name without signs and capitals."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def words_of(name: str) -> set[str]:
    """The words of a name, as signs and capitals separate them."""
    return {word.lower() for word in _WORD.findall(name)}


class Parts(NamedTuple):
    """A name taken apart: `a[2].b[x]` has the skeleton `a[].b[]` and the contents 2 and x.

    A name whose brackets do not pair is its own skeleton, which no row has. It `has_indexes` where
    each content may stand in a list.
    """

    skeleton: str
    contents: tuple[str, ...]
    paired: bool = True
    has_indexes: bool = True

    def opened(self) -> Iterator[str]:
        """The lists or maps the brackets stand behind: `a` and `a[2].b`."""
        before = ""
        for piece, content in zip(self.skeleton.split("[]"), self.contents, strict=False):
            yield before + piece
            before = f"{before}{piece}[{content}]"


def parts_of(name: str) -> Parts:
    """The parts of a name."""
    return _remembered(name) if len(name) <= REMEMBERED_LENGTH_MAX else _parts_of(name)


# Clients send the same names again and again, and taking one apart costs what ten matches cost.
@lru_cache(maxsize=8192)
def _remembered(name: str) -> Parts:
    return _parts_of(name)


def _parts_of(name: str) -> Parts:
    pieces = _BRACKETS.split(name)
    outside = pieces[::2]
    if any("[" in piece or "]" in piece for piece in outside):
        return Parts(name, (), paired=False)
    contents = tuple(pieces[1::2])
    return Parts("[]".join(outside), contents, has_indexes=all(map(INDEX.fullmatch, contents)))

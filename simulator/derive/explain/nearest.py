"""The known names that are nearest to an unknown one."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

NEAREST_MAX = 5
COMPARED_LENGTH_MAX = 100
# Below this length a resemblance is chance, and a word inside another one too.
LENGTH_MIN = 3
RESEMBLANCE_MIN = 0.7
PARTS = re.compile(r"[.\[\]_ -]+")


def nearest_names(asked: str, names: Iterable[str]) -> list[str]:
    """The names a person may have meant, the likeliest first; none where nothing is near.

    A name that has the word as one of its parts comes before one that begins with it, that before
    one that contains it, and that before one that resembles it.
    """
    word = asked[:COMPARED_LENGTH_MAX].lower()
    ranked = [(rank, len(name), name) for name in names if (rank := _rank(word, name.lower()))]
    return [name for _, _, name in sorted(ranked)[:NEAREST_MAX]]


def _rank(word: str, name: str) -> float:
    """How far a name is from a word: from 1, the nearest, to 5; 0 where it is not near."""
    parts = PARTS.split(name)
    if word in parts and len(word) >= LENGTH_MIN:
        return 1
    if name.startswith(word):
        return 2
    if any(part.startswith(word) for part in parts) and len(word) >= LENGTH_MIN:
        return 3
    if word in name and len(word) >= LENGTH_MIN:
        return 4
    if min(len(word), len(name)) < LENGTH_MIN:
        return _rank_of_short(word, name)
    alike = max(_resemblance(word, each) for each in (name, parts[-1]))
    return 5 - alike if alike >= RESEMBLANCE_MIN else 0


def _rank_of_short(word: str, name: str) -> float:
    """A short name is near where one letter differs, is too many or is missing at the end."""
    is_near = name.startswith(word[: len(name)]) or word.startswith(name)
    return 4 if is_near and abs(len(word) - len(name)) <= 1 else 0


def _resemblance(word: str, name: str) -> float:
    if len(name) < LENGTH_MIN:
        return 0
    matcher = SequenceMatcher(None, word, name)
    bound = matcher.real_quick_ratio()
    return matcher.ratio() if bound >= RESEMBLANCE_MIN else 0

"""What can be explained: each subject knows its names, its explanation and what it mentions."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from simulator.grammar.choices import Choices


@dataclass(frozen=True, slots=True)
class Subject:
    """One kind of thing that has names, such as result codes.

    `names` are compared with an unknown word. `explain` gives no line where a name is not of this
    kind. `texts` are the names with what is said about each, searched for words to see also;
    `page` is a page of the documentation about all of them.
    """

    kind: str
    example: str
    page: str
    names: Callable[[], Iterable[str]]
    explain: Callable[[str, Choices], Iterable[str]]
    texts: Callable[[], Iterable[tuple[str, str]]] = tuple


def is_distinctive(word: str) -> bool:
    """Whether `word` is a name wherever it occurs: `card.cvv` and `RF` are, `amount` is not."""
    return not (word.isalpha() and word.islower())


def mentioning(word: str, subjects: Iterable[Subject]) -> Iterator[str]:
    """The names whose texts mention `word`."""
    whole = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)")
    for subject in subjects:
        for name, text in subject.texts():
            if word in text and whole.search(text):
                yield name

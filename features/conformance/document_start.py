"""The beginning of a document or text of any size: so much of it as is looked at.

Only the beginning is shown, so only that is searched for secrets: a target may answer what takes
minutes to mask.
"""

from collections.abc import Callable
from typing import Any

# A secret that lies across the edge is cut off with the edge.
LOOKED_AT_MAX, EDGE = 64_000, 1_000
NOT_WHOLE = f"... (more than {LOOKED_AT_MAX} characters, of which no more is kept)"


def masked_start(text: str, mask: Callable[[str], str]) -> str:
    """A text as it may be shown; of a huge one the beginning, which may be masked once more."""
    begins = text.removesuffix(NOT_WHOLE)
    if begins == text and len(text) <= LOOKED_AT_MAX:
        return mask(text)
    return mask(begins[:LOOKED_AT_MAX])[:-EDGE] + NOT_WHOLE


class DocumentStart:
    """Takes the members and values of a document, in order, until they have `length` characters.

    What does not fit is left out whole: of a secret no part is kept, which would not be known as
    one.
    """

    def __init__(self, length: int):
        self._left = length
        self.is_cut = False

    def of(self, value: Any) -> Any:
        """As much of a value as fits."""
        if isinstance(value, dict):
            # By its name it is known whether the value of a pair is a secret: never without it.
            names = sorted(value, key=lambda name: name == "value") if "name" in value else value
            return {name: self.of(value[name]) for name in names if self._fits(name, value[name])}
        if isinstance(value, list):
            return [self.of(each) for each in value if self._fits("", each)]
        return value

    def _fits(self, name: str, value: Any) -> bool:
        if not self.is_cut:
            self._left -= len(name) + 1
            self._left -= 0 if isinstance(value, dict | list) else len(str(value))
            self.is_cut = self._left < 0
        return not self.is_cut

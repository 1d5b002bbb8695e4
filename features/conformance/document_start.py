"""The beginning of a document of any size: so much of it as is looked at."""

from typing import Any


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
            return {name: self.of(each) for name, each in value.items() if self._fits(name, each)}
        if isinstance(value, list):
            return [self.of(each) for each in value if self._fits("", each)]
        return value

    def _fits(self, name: str, value: Any) -> bool:
        if not self.is_cut:
            self._left -= len(name) + 1
            self._left -= 0 if isinstance(value, dict | list) else len(str(value))
            self.is_cut = self._left < 0
        return not self.is_cut

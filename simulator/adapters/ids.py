"""Ids: the only source of chance. Drawn in batches: a call to the system costs as much as fifty."""

import os
from collections.abc import Callable

RECORD_DIGITS = 32
# Short ids begin with 0 to 4: twelve digits that begin with 5 or 6 may be the number of a card,
# and journal and logs would mask them. Choice: D-23.
SHORT_IDS = 5 * 10**11
TRACE_MAX = 999_999
BATCH_BYTES = 2048


def random_hex(count: int) -> str:
    """`count` unpredictable lowercase hex digits."""
    return os.urandom((count + 1) // 2).hex()[:count]


def short_form(number: int) -> str:
    """The short id that is made of a number, NNNN.NNNN.NNNN."""
    digits = f"{number % SHORT_IDS:012d}"
    return f"{digits[:4]}.{digits[4:8]}.{digits[8:]}"


class RandomIds:
    """Unpredictable ids, made of the bytes `draw` gives; traces start anywhere."""

    __slots__ = ("_draw", "_digits", "_position", "_trace")

    def __init__(
        self, draw: Callable[[int], bytes] = os.urandom, *, first_trace: int | None = None
    ):
        self._draw = draw
        self._digits = ""
        self._position = 0
        self._trace = first_trace or int(self.hex(8), 16) % TRACE_MAX + 1

    def record(self) -> str:
        """A new id of a record: 32 lowercase hex digits, the first an 8. Choice: D-27."""
        return "8" + self.hex(RECORD_DIGITS - 1)

    def hex(self, count: int) -> str:
        """`count` random lowercase hex digits."""
        start = self._position
        if start + count > len(self._digits):
            self._digits = self._draw(max(BATCH_BYTES, count)).hex()
            start = 0
        self._position = start + count
        return self._digits[start : start + count]

    def short(self) -> str:
        """A short id, NNNN.NNNN.NNNN."""
        # Sixteen hex digits, so that no decimal digit is noticeably likelier than another.
        return short_form(int(self.hex(16), 16))

    def trace(self) -> int:
        """The next system trace audit number, 1 to 999999 and then 1 again."""
        trace = self._trace
        self._trace = trace % TRACE_MAX + 1
        return trace

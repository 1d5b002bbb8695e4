"""Numbers by hash in little memory: some 30 bytes each, where a dict takes 150."""

from array import array
from collections.abc import Iterator

FIRST_SIZE = 1024
BITS = (1 << 64) - 1


class HashSlots:
    """Which numbers were added under a hash. A table with open addresses, at most half full, has
    the last number of each hash; `following` leads from each to the next, and from the last to the
    first. So many numbers under one hash cost no more than any others.

    Different keys may have one hash: who finds a number looks whether it is the one.
    """

    __slots__ = ("_hashes", "_lasts", "_following", "_used", "_mask")

    def __init__(self) -> None:
        self._used = 0
        self._following = array("I")
        self._make_room(FIRST_SIZE)

    def add(self, hashed: int, number: int) -> None:
        """Add a number, higher than all before it, below four thousand million."""
        if 2 * self._used > self._mask:
            self._grow()
        following = self._following
        following.extend([0] * (number + 1 - len(following)))
        place = self._place(hashed & BITS)
        last = self._lasts[place]
        if last:
            following[number], following[last - 1] = following[last - 1], number
        else:
            following[number] = number
            self._hashes[place], self._used = hashed & BITS, self._used + 1
        self._lasts[place] = number + 1

    def find(self, hashed: int) -> Iterator[int]:
        """The numbers under a hash, as they were added."""
        last = self._lasts[self._place(hashed & BITS)] - 1
        if last < 0:
            return
        number = self._following[last]
        while number != last:
            yield number
            number = self._following[number]
        yield last

    def _place(self, hashed: int) -> int:
        """Where the hash stands, or may be put."""
        hashes, lasts, mask = self._hashes, self._lasts, self._mask
        place = hashed & mask
        while lasts[place] and hashes[place] != hashed:
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        hashes, lasts = self._hashes, self._lasts
        self._make_room(2 * len(hashes))
        for hashed, last in zip(hashes, lasts, strict=True):
            if last:
                place = self._place(hashed)
                self._hashes[place], self._lasts[place] = hashed, last

    def _make_room(self, size: int) -> None:
        self._mask = size - 1
        self._hashes, self._lasts = array("Q", bytes(8 * size)), array("I", bytes(4 * size))

"""The bodies of a table, packed into slabs.

Each in bytes of its own costs a sixth more: between two that stay, the memory of what every request
allocates and frees has no good size for the next one. What thousands of bodies repeat, such as whom
a payment belongs to, is kept once.
"""

from collections.abc import Iterator
from struct import Struct

# Bytes of the first slab of a table, and of most: each is twice as long as the one before, up to
# this. A longer body has one of its own.
FIRST_BYTES, SLAB_BYTES = 1 << 12, 1 << 18
LENGTH_BITS = 26
# A place of less than 60 bits is a short int: 32 bytes.
OFFSET_BITS = 18
LENGTH_MASK, OFFSET_MASK = (1 << LENGTH_BITS) - 1, (1 << OFFSET_BITS) - 1
# Before a body that shares a part: where it stood, and its number.
SHARED = Struct("<II")
RECORD_BYTES_MAX = LENGTH_MASK - SHARED.size


class SharedParts:
    """The parts that bodies share: from the member `first` of a document to the end of the object
    `last`, such as "type" and "stamp". Where a text holds a brace the part is shorter.
    """

    __slots__ = ("_first", "_last", "_newest", "_numbers", "_parts")

    def __init__(self, first: str, last: str):
        self._first, self._last = f'"{first}":'.encode(), f'"{last}":{{'.encode()
        self._parts = [b""]
        self._numbers = {b"": 0}
        # Where the part of the newest body began, and its number: mostly that of the next one.
        self._newest = (0, 0)

    def pack(self, body: bytes) -> bytes:
        """The body without its part."""
        start, number = self._newest
        part = self._parts[number]
        if not (number and body.startswith(part, start)):
            start, part = self._part_in(body)
            number = self._number_of(part)
            self._newest = (start, number)
        return b"".join((SHARED.pack(start, number), body[:start], body[start + len(part) :]))

    def _part_in(self, body: bytes) -> tuple[int, bytes]:
        """Where the part of a body begins, and the part; nothing where there is none."""
        start = body.find(self._first)
        last = body.find(self._last, start)
        stop = body.find(b"}", last) + 1
        if not 0 <= start <= last < stop:
            start = stop = 0
        return start, body[start:stop]

    def _number_of(self, part: bytes) -> int:
        number = self._numbers.setdefault(part, len(self._parts))
        if number == len(self._parts):
            self._parts.append(part)
        return number

    def unpack(self, packed: memoryview) -> bytes:
        """The body as it was packed."""
        start, number = SHARED.unpack_from(packed)
        stop = SHARED.size + start
        return b"".join((packed[SHARED.size : stop], self._parts[number], packed[stop:]))


class Slab:
    """Bodies one after the other up to `end`, the ids they were put under, and how many bytes are
    in use.
    """

    __slots__ = ("content", "end", "ids", "used")

    def __init__(self, size: int) -> None:
        self.content = memoryview(bytearray(size))
        self.ids: list[str] = []
        self.end = self.used = 0


class Bodies:
    """Bodies by id, in the order in which the ids came; `places` has every id."""

    __slots__ = ("places", "_shared", "_slabs")

    def __init__(self, shared: SharedParts | None = None):
        # By id; number of the slab, offset in it and length, in one int.
        self.places: dict[str, int] = {}
        self._slabs: list[Slab] = []
        self._shared = shared

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __contains__(self, identity: str) -> bool:
        return identity in self.places

    def __getitem__(self, identity: str) -> bytes:
        return self._at(self.places[identity])

    def get(self, identity: str) -> bytes | None:
        """The body under this id, or None."""
        place = self.places.get(identity)
        return None if place is None else self._at(place)

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Ids and bodies."""
        return ((identity, self._at(place)) for identity, place in self.places.items())

    def copy(self) -> "Bodies":
        """What is here now, for reading: later changes are not in it."""
        copy = Bodies(self._shared)
        copy.places, copy._slabs = self.places.copy(), self._slabs.copy()
        return copy

    def put(self, identity: str, body: bytes) -> None:
        """Keep a body under this id, in place of the one that is there."""
        before = self.places.get(identity)
        packed = body if self._shared is None else self._shared.pack(body)
        self.places[identity] = self._append(identity, packed)
        if before is not None:
            self._leave(before)

    def remove(self, identity: str) -> None:
        """Keep nothing under this id any more."""
        before = self.places.pop(identity, None)
        if before is not None:
            self._leave(before)

    def _at(self, place: int) -> bytes:
        packed = self._packed_at(place)
        return bytes(packed) if self._shared is None else self._shared.unpack(packed)

    def _packed_at(self, place: int) -> memoryview:
        start = place >> LENGTH_BITS & OFFSET_MASK
        content = self._slabs[place >> LENGTH_BITS + OFFSET_BITS].content
        return content[start : start + (place & LENGTH_MASK)]

    def _append(self, identity: str, packed: bytes | memoryview) -> int:
        length = len(packed)
        slabs = self._slabs
        if not slabs or slabs[-1].end + length > len(slabs[-1].content):
            slabs.append(self._new_slab(length))
        slab = slabs[-1]
        start = slab.end
        slab.end = stop = start + length
        slab.content[start:stop] = packed
        slab.ids.append(identity)
        slab.used += length
        return (len(slabs) - 1 << OFFSET_BITS | start) << LENGTH_BITS | length

    def _new_slab(self, length: int) -> Slab:
        """A slab with room for so many bytes."""
        if length > LENGTH_MASK:
            raise ValueError(f"expected a record of at most {LENGTH_MASK} bytes, got {length}")
        size = min(FIRST_BYTES << min(len(self._slabs), OFFSET_BITS), SLAB_BYTES)
        return Slab(max(size, length))

    def _leave(self, place: int) -> None:
        """Count a place as unused. A slab that is full and half unused is given back; what it
        holds moves to the last one.
        """
        number = place >> LENGTH_BITS + OFFSET_BITS
        slab = self._slabs[number]
        slab.used -= place & LENGTH_MASK
        if number == len(self._slabs) - 1 or 2 * slab.used > len(slab.content):
            return
        for identity in slab.ids:
            held = self.places.get(identity, -1)
            if held >> LENGTH_BITS + OFFSET_BITS == number:
                self.places[identity] = self._append(identity, self._packed_at(held))
        self._slabs[number] = Slab(0)

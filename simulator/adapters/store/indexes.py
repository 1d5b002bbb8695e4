"""Indexes in memory: from a key to the ids of the records that have it.

Both kinds share one method, `move`: a record enters, changes and leaves an index the same way. They
hold strings and dicts of strings only, which the garbage collector passes over.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator

# It sorts before every other character, so "key" comes before "key and more".
_SEPARATOR = "\0"
READ_AT_ONCE = 64


class HashIndex:
    """Ids by key: enter, leave and find cost the same however many records there are."""

    __slots__ = ("_ids",)

    def __init__(self) -> None:
        # Most keys have one record: its id stands alone, a dict is made for the second one.
        self._ids: dict[str, str | dict[str, None]] = {}

    def move(self, place: tuple[int, str], before: str | None, after: str | None) -> None:
        if before is not None:
            self._leave(before, place[1])
        if after is not None:
            self._enter(after, place[1])

    def ids(self, key: str) -> tuple[str, ...]:
        """The ids under `key`, in no order worth relying on."""
        held = self._ids.get(key, ())
        return (held,) if isinstance(held, str) else tuple(held)

    def size(self, key: str) -> int:
        """How many ids there are under `key`."""
        held = self._ids.get(key, ())
        return 1 if isinstance(held, str) else len(held)

    def _enter(self, key: str, identity: str) -> None:
        held = self._ids.setdefault(key, identity)
        if isinstance(held, dict):
            held[identity] = None
        elif held != identity:
            self._ids[key] = {held: None, identity: None}

    def _leave(self, key: str, identity: str) -> None:
        held = self._ids[key]
        if isinstance(held, dict):
            del held[identity]
        if held == identity or not held:
            del self._ids[key]


class OrderedIndex:
    """Entries in order of key, then of serial: the older record first.

    A sorted list: an entry near the end (the usual case: keys are instants) costs next to nothing,
    one at the start of a million moves eight megabytes of pointers.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: list[str] = []

    def move(self, place: tuple[int, str], before: str | None, after: str | None) -> None:
        if before is not None:
            entry = _entry(before, place)
            del self._entries[bisect_left(self._entries, entry)]
        if after is not None:
            entry, entries = _entry(after, place), self._entries
            # Keys are instants for the most part: the newest stands at the end.
            if not entries or entries[-1] < entry:
                entries.append(entry)
            else:
                insort(entries, entry)

    def __len__(self) -> int:
        return len(self._entries)

    def between(self, low: str, high: str) -> Iterator[str]:
        """The entries with a key in [low, high), each as it stands when its turn comes.

        Read a few at a time: reading the first of a million costs the first.
        """
        entries, start = self._entries, bisect_left(self._entries, low)
        while few := entries[start : start + READ_AT_ONCE]:
            for entry in few:
                if entry >= high:
                    return
                yield entry
            start = bisect_right(entries, few[-1])

    def page(self, low: str, high: str, *, start: int, most: int) -> tuple[list[str], int]:
        """At most `most` entries with a key in [low, high), from number `start` on, and the count
        of all of them. Costs what it returns.
        """
        first, last = bisect_left(self._entries, low), bisect_left(self._entries, high)
        begin = first + start
        return self._entries[begin : min(begin + most, last)], max(last - first, 0)

    def holds(self, entry: str) -> bool:
        """Whether the entry still stands: its record has the same key as when it was read."""
        position = bisect_left(self._entries, entry)
        return position < len(self._entries) and self._entries[position] == entry


def id_in(entry: str) -> str:
    """The id of the record an entry stands for."""
    return entry.rpartition(_SEPARATOR)[2]


def _entry(key: str, place: tuple[int, str]) -> str:
    serial, identity = place
    return f"{key}{_SEPARATOR}{serial:012d}{_SEPARATOR}{identity}"

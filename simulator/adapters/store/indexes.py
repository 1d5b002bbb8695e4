"""Indexes in memory: from a key to the ids of the records that have it.

Both kinds share one method, `move`: a record enters, changes and leaves an index the same way. They
hold strings and dicts of strings only, which the garbage collector passes over.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator

# It sorts before every other character, so "key" comes before "key and more".
_SEPARATOR = "\0"
READ_AT_ONCE = 64
# Entries of one list: to move all of them takes less than a microsecond.
LIST_MAX = 2048
# How the entries of a record end, and its id.
Place = tuple[str, str]


class HashIndex:
    """Ids by key: enter, leave and find cost the same however many records there are."""

    __slots__ = ("_ids",)

    def __init__(self) -> None:
        # Most keys have one record: its id stands alone, a dict is made for the second one.
        self._ids: dict[str, str | dict[str, None]] = {}

    def move(self, place: Place, before: str | None, after: str | None) -> None:
        if before is not None:
            self._leave(before, place[1])
        if after is not None:
            self._enter(after, place[1])

    def enter_all(self, keys: Iterable[str | None], places: Iterable[Place]) -> None:
        """Let records enter that are new, each that has a key."""
        for key, (_, identity) in zip(keys, places, strict=True):
            if key is not None:
                self._enter(key, identity)

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

    Sorted lists of a bounded length, in a list: an entry near the end (the usual case: keys are
    instants) is appended, and one anywhere else moves no more than a list, however many there are.
    """

    __slots__ = ("_count", "_lasts", "_lists")

    def __init__(self) -> None:
        self._lists: list[list[str]] = []
        # The last entry of each list, to find the one an entry belongs to.
        self._lasts: list[str] = []
        self._count = 0

    def move(self, place: Place, before: str | None, after: str | None) -> None:
        if before is not None:
            self._remove(before + place[0])
        if after is not None:
            self._insert(after + place[0])

    def enter_all(self, keys: Iterable[str | None], places: Iterable[Place]) -> None:
        """Let records enter that are new, each that has a key: those behind the last entry, as
        most are, all at once.
        """
        found = zip(keys, places, strict=True)
        entries = sorted([key + end for key, (end, _) in found if key is not None])
        behind = bisect_right(entries, self._lasts[-1]) if self._lasts else 0
        for entry in entries[:behind]:
            self._insert(entry)
        self._append(entries[behind:])

    def __len__(self) -> int:
        return self._count

    def between(self, low: str, high: str) -> Iterator[str]:
        """The entries with a key in [low, high), each as it stands when its turn comes.

        Read a few at a time: reading the first of a million costs the first.
        """
        few = self._few(bisect_left, low)
        while few:
            for entry in few:
                if entry >= high:
                    return
                yield entry
            few = self._few(bisect_right, few[-1])

    def page(self, low: str, high: str, *, start: int, most: int) -> tuple[list[str], int]:
        """At most `most` entries with a key in [low, high), from number `start` on, and the count
        of all of them. Costs what it returns.
        """
        first, last = self._rank(low), self._rank(high)
        begin = first + start
        return self._slice(begin, min(begin + most, last)), max(last - first, 0)

    def holds(self, entry: str) -> bool:
        """Whether the entry still stands: its record has the same key as when it was read."""
        return self._few(bisect_left, entry)[:1] == [entry]

    def _insert(self, entry: str) -> None:
        lists, lasts = self._lists, self._lasts
        self._count += 1
        if not lasts or lasts[-1] < entry:
            if lists and len(lists[-1]) < LIST_MAX:
                lists[-1].append(entry)
                lasts[-1] = entry
            else:
                lists.append([entry])
                lasts.append(entry)
            return
        number = bisect_left(lasts, entry)
        insort(lists[number], entry)
        if len(lists[number]) > LIST_MAX:
            upper = lists[number][LIST_MAX // 2 :]
            del lists[number][LIST_MAX // 2 :]
            lists.insert(number + 1, upper)
            lasts.insert(number, lists[number][-1])

    def _append(self, entries: list[str]) -> None:
        """Add sorted entries that all come after the last one."""
        lists, lasts = self._lists, self._lasts
        self._count += len(entries)
        while entries:
            if not lists or len(lists[-1]) >= LIST_MAX:
                lists.append([])
                lasts.append("")
            room = LIST_MAX - len(lists[-1])
            lists[-1] += entries[:room]
            lasts[-1] = lists[-1][-1]
            entries = entries[room:]

    def _remove(self, entry: str) -> None:
        number = bisect_left(self._lasts, entry)
        held = self._lists[number]
        del held[bisect_left(held, entry)]
        self._count -= 1
        if held:
            self._lasts[number] = held[-1]
        else:
            del self._lists[number], self._lasts[number]

    def _few(self, bisect: Callable[[list[str], str], int], bound: str) -> list[str]:
        """Some entries from `bound` on, which is one of them (bisect_left) or not (bisect_right);
        none where there are no more.
        """
        number = bisect(self._lasts, bound)
        if number == len(self._lists):
            return []
        held = self._lists[number]
        start = bisect(held, bound)
        return held[start : start + READ_AT_ONCE]

    def _rank(self, bound: str) -> int:
        """How many entries are below `bound`."""
        number = bisect_left(self._lasts, bound)
        if number == len(self._lists):
            return self._count
        return sum(map(len, self._lists[:number])) + bisect_left(self._lists[number], bound)

    def _slice(self, begin: int, end: int) -> list[str]:
        """The entries from number `begin` up to `end`."""
        found: list[str] = []
        passed = 0
        for held in self._lists:
            if passed >= end:
                break
            if passed + len(held) > begin:
                found += held[max(0, begin - passed) : end - passed]
            passed += len(held)
        return found


def id_in(entry: str) -> str:
    """The id of the record an entry stands for."""
    return entry.rpartition(_SEPARATOR)[2]


def place_of(serial: int, identity: str) -> Place:
    """What a record is entered with into every index: each entry is its key and this end."""
    return f"{_SEPARATOR}{serial:012d}{_SEPARATOR}{identity}", identity

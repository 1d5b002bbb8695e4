"""The journal in memory: a ring of entries, the oldest of which make room for the newest.

Most entries are never read: an exchange is kept as it was told, the others as bytes, and neither
their number nor their size costs the garbage collector anything. What is found by ndc or payment is
chained: an entry knows the one before it under the same key.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

import msgspec
from gevent import Timeout
from gevent.event import Event
from msgspec.structs import replace

from simulator.domain.core.ports import Clock
from simulator.domain.journal.entries import Entry, WebhookAttempt, encoded, webhook_entry
from simulator.domain.journal.exchanges import Talk, Told, entry_in, packed

NONE = 0
# Exchanges under way at once; of more than these the far side has an entry of its own.
HELD_MAX = 1000


class Slot(msgspec.Struct, frozen=True, gc=False):
    """An entry in its place: its keys, and for each the number of the entry before it."""

    real: datetime
    keys: tuple[str, ...]
    before: tuple[int, ...]
    body: bytes | Told


class Ring:
    """The newest entries of a sandbox: at most `count`, none older than `age`. They are numbered
    from 1.
    """

    __slots__ = ("_age", "_count", "_followers", "_last_of", "_news", "_slots", "newest",
                 "oldest")  # fmt: skip

    def __init__(self, count: int, age: timedelta):
        self._count = count
        self._age = age
        self._slots: list[Slot | None] = []
        self._last_of: dict[str, int] = {}
        self._news: Event | None = None
        self._followers = 0
        self.newest = 0
        self.oldest = 1

    @property
    def is_empty(self) -> bool:
        """Whether there is no entry."""
        return self.newest < self.oldest

    @property
    def is_followed(self) -> bool:
        """Whether somebody waits for the next entry."""
        return self._followers > 0

    def dump(self) -> bytes:
        """Everything in it, for `load`."""
        slots = [self._slot(number) for number in range(self.oldest, self.newest + 1)]
        as_bytes = [replace(slot, body=packed(slot.body)) for slot in slots]
        return msgspec.msgpack.encode((self.oldest, as_bytes))

    def load(self, dumped: bytes) -> None:
        """Take over what another ring dumped; this one must be empty."""
        oldest, slots = msgspec.msgpack.decode(dumped, type=tuple[int, list[Slot]])
        for _ in range(self._count):
            self._slots.append(None)
        self.oldest, self.newest = oldest, oldest + len(slots) - 1
        for number, slot in enumerate(slots, oldest):
            self._slots[(number - 1) % self._count] = slot
            self._last_of.update(dict.fromkeys(slot.keys, number))

    def append(self, keys: tuple[str, ...], body: bytes | Told, real: datetime) -> None:
        """Append an entry; what is too old or too many goes. A key may come twice in `keys`."""
        if not self._count:
            return
        self.forget(real)
        if self.newest - self.oldest + 1 == self._count:
            self._drop_oldest()
        number = self.newest = self.newest + 1
        last_of = self._last_of
        keys = tuple(dict.fromkeys(keys))
        slot = Slot(real, keys, tuple([last_of.get(key, NONE) for key in keys]), body)
        if len(self._slots) < self._count:
            self._slots.append(slot)
        else:
            self._slots[(number - 1) % self._count] = slot
        for key in keys:
            last_of[key] = number
        if self._news is not None:
            self.wake()

    def forget(self, now: datetime) -> None:
        """Drop what is too old by now."""
        limit = now - self._age
        while self.oldest <= self.newest and self._slot(self.oldest).real < limit:
            self._drop_oldest()

    def entry(self, number: int) -> Entry:
        """The entry with this number, which must be one from `oldest` to `newest`."""
        return entry_in(self._slot(number).body)

    def numbers_of(self, key: str) -> list[int]:
        """The numbers of the entries with this key, oldest first."""
        found = []
        number = self._last_of.get(key, NONE)
        while number >= self.oldest:
            found.append(number)
            slot = self._slot(number)
            number = slot.before[slot.keys.index(key)]
        return found[::-1]

    def wait(self, after: int) -> None:
        """Return when there is a number above `after`, or when somebody wakes whoever waits."""
        if self.newest > after:
            return
        self._news = self._news or Event()
        self._followers += 1
        try:
            self._news.wait()
        finally:
            self._followers -= 1

    def wake(self) -> None:
        """Let whoever waits go on."""
        news, self._news = self._news, None
        if news is not None:
            news.set()

    def _slot(self, number: int) -> Slot:
        slot = self._slots[(number - 1) % self._count]
        assert slot is not None, "numbers from oldest to newest have their slots"
        return slot

    def _drop_oldest(self) -> None:
        number, self.oldest = self.oldest, self.oldest + 1
        for key in self._slot(number).keys:
            if self._last_of[key] == number:
                del self._last_of[key]
        self._slots[(number - 1) % self._count] = None


class MemoryJournal:
    """Implements ports.Journal: the ring of a sandbox, and clocks for what has no date."""

    __slots__ = ("_held", "_real", "_ring", "_world")

    def __init__(self, ring: Ring, *, world: Clock, real: Clock):
        self._ring = ring
        self._world = world
        self._real = real
        self._held: dict[str, Talk] = {}

    @property
    def newest(self) -> int:
        """The number of the newest entry; they count from 1."""
        return self._ring.newest

    def keep(self, entry: Entry, secrets: Collection[str] = ()) -> None:
        """Append an entry, masked. `secrets` are values that may stand nowhere in it."""
        real = entry.real
        if real is None:
            real = self._real.now()
            entry = replace(entry, real=real)
        self._ring.append((entry.ndc, *entry.payments), encoded(entry, secrets), real)

    def note(self, told: Told) -> None:
        """Append an exchange in which nothing is left to mask."""
        entry = told.entry
        assert entry.real is not None, "an exchange is dated when it begins"
        self._ring.append((entry.ndc, *entry.payments), told, entry.real)

    def hold(self, talk: Talk) -> None:
        """Hold what was said to the far side until its exchange takes it in."""
        self._held[talk.ndc] = talk
        if len(self._held) > HELD_MAX:
            self._let_go()

    def take(self, ndc: str) -> Talk | None:
        """What is held for this exchange, and is no longer."""
        return self._held.pop(ndc, None)

    def attempt(self, attempt: WebhookAttempt) -> None:
        """Append an attempt to deliver a webhook."""
        self.keep(webhook_entry(attempt, self._world.now()))

    def newest_first(self, *, before: int | None = None) -> Iterator[tuple[int, Entry]]:
        """The entries and their numbers, from the newest (or the one before `before`) back."""
        ring = self._ring
        self._let_go()
        ring.forget(self._real.now())
        number = ring.newest if before is None else min(before - 1, ring.newest)
        while number >= ring.oldest:
            yield number, ring.entry(number)
            number -= 1

    def about(self, key: str) -> list[tuple[int, Entry]]:
        """The entries with this ndc or about this payment, oldest first. Costs what it returns."""
        ring = self._ring
        self._let_go()
        ring.forget(self._real.now())
        return [(number, ring.entry(number)) for number in ring.numbers_of(key)]

    def follow(self, after: int, seconds: float) -> None:
        """Return when there is a number above `after`, at the latest after `seconds`."""
        with Timeout(seconds, False):
            self._ring.wait(after)

    def _let_go(self) -> None:
        """Keep what is held as entries of their own."""
        held, self._held = self._held, {}
        for talk in held.values():
            self.keep(talk.entry())

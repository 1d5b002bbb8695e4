"""The journal in memory: a ring of entries, the oldest of which make room for the newest.

Most entries are never read: an exchange is stored as recorded, the others as bytes, so that neither
their number nor their size costs the garbage collector anything. Entries with the same ndc or
payment are chained: each knows the one before it.
"""

import heapq
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import msgspec
from gevent import Timeout
from gevent.event import Event
from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.turns import Slices
from simulator.domain.core.ports import Clock
from simulator.domain.journal.entries import (
    BrowserEntry,
    Entry,
    WebhookAttempt,
    WebhookEntry,
    create_webhook_entry,
    keys_of,
    last_step,
    listing_key,
    without_content,
)
from simulator.domain.journal.exchanges import (
    AcquirerExchange,
    MaskedExchange,
    decode_body,
    encode_body,
)
from simulator.domain.journal.forgotten import ForgottenKeys
from simulator.domain.journal.stored import create_unreadable_entry, encode_entry

NONE = 0
# Of one payment or checkout: a browser that comes again and again fills no journal.
STEPS_MAX = 40
# Acquirer exchanges that are held at once; beyond it they become entries of their own.
HELD_MAX = 1000
Dated = TypeVar("Dated", bound=Entry)


class RingSlot(msgspec.Struct, frozen=True, gc=False):
    """An entry in its place: its keys, and for each the number of the entry before it. `step` is
    what a browser's step is counted under.
    """

    real: datetime
    keys: tuple[str, ...]
    before: tuple[int, ...]
    body: bytes | MaskedExchange
    step: str = ""


class JournalRing:
    """The newest entries of a sandbox: at most `count`, none older than `age`. They are numbered
    from 1. `forgotten` is there while others keep parts of it. `numbering` is held by what gives
    entries other numbers, and by what changes entries of certain numbers, over several turns.
    """

    __slots__ = ("_age", "_count", "_waiters", "_last_of", "_news", "_slots", "_steps", "forgotten",
                 "newest", "numbering", "oldest")  # fmt: skip

    def __init__(self, count: int, age: timedelta):
        self._count = count
        self._age = age
        self._slots: list[RingSlot | None] = []
        self._last_of: dict[str, int] = {}
        self._steps: dict[str, int] = {}
        self._news: Event | None = None
        self._waiters = 0
        self.forgotten: ForgottenKeys | None = None
        self.newest = 0
        self.numbering = BoundedSemaphore()
        self.oldest = 1

    @property
    def is_empty(self) -> bool:
        """Whether there is no entry."""
        return self.newest < self.oldest

    @property
    def has_waiters(self) -> bool:
        """Whether a request waits for the next entry."""
        return self._waiters > 0

    def dump(self) -> bytes:
        """Every entry, for `load`. Others have their turn meanwhile; what they append after that
        is not in it.
        """
        oldest, slices = self.oldest, Slices()
        slots = [self._slot(number) for number in range(oldest, self.newest + 1)]
        as_bytes = []
        for slot in slots:
            as_bytes.append(replace(slot, body=encode_body(slot.body)))
            slices.end_if_long()
        return msgspec.msgpack.encode((oldest, as_bytes))

    def load(self, dumped: bytes) -> None:
        """Load the dump of another ring; this one must be empty."""
        oldest, slots = msgspec.msgpack.decode(dumped, type=tuple[int, list[RingSlot]])
        for _ in range(self._count):
            self._slots.append(None)
        self.oldest, self.newest = oldest, oldest + len(slots) - 1
        for number, slot in enumerate(slots, oldest):
            self._slots[(number - 1) % self._count] = slot
            self._last_of.update(dict.fromkeys(slot.keys, number))
            self._count_step(slot.step, 1)

    def merge(self, after: int, dumped: Sequence[bytes]) -> None:
        """Merge the dumps of other rings into the entries that follow the number `after`, by the
        time they began; those get other numbers, so none of them may have been shown. What was
        forgotten here meanwhile is so in theirs.
        """
        others = [msgspec.msgpack.decode(each, type=tuple[int, list[RingSlot]]) for each in dumped]
        theirs, slices = (map(self._without_forgotten, each) for _, each in others), Slices()
        with self.numbering:
            ours = self._take_after(after)
            for slot in heapq.merge(ours, *theirs, key=lambda slot: slot.real):
                self.append(slot.keys, slot.body, slot.real, step=slot.step)
                slices.end_if_long()

    def _take_after(self, after: int) -> list[RingSlot]:
        """Remove and return the entries with a number above `after`, oldest first."""
        taken = []
        while self.newest >= self.oldest and self.newest > after:
            slot = self._slot(self.newest)
            self._count_step(slot.step, -1)
            for key, before in zip(slot.keys, slot.before, strict=True):
                self._last_of[key] = before
                if before < self.oldest:
                    del self._last_of[key]
            if len(self._slots) < self._count:
                self._slots.pop()
            else:
                self._slots[(self.newest - 1) % self._count] = None
            taken.append(slot)
            self.newest -= 1
        return taken[::-1]

    def append(
        self,
        keys: tuple[str, ...],
        body: bytes | MaskedExchange,
        real: datetime,
        *,
        step: str = "",
    ) -> None:
        """Append an entry and drop those too old or too many. `keys` may contain duplicates."""
        if not self._count:
            return
        self.drop_expired(real)
        if self.newest - self.oldest + 1 == self._count:
            self._drop_oldest()
        number = self.newest = self.newest + 1
        last_of = self._last_of
        keys = tuple(dict.fromkeys(keys))
        slot = RingSlot(real, keys, tuple([last_of.get(key, NONE) for key in keys]), body, step)
        self._count_step(step, 1)
        if len(self._slots) < self._count:
            self._slots.append(slot)
        else:
            self._slots[(number - 1) % self._count] = slot
        for key in keys:
            last_of[key] = number
        if self._news is not None:
            self.wake()

    def drop_expired(self, now: datetime) -> None:
        """Drop the entries that are too old at `now`."""
        limit = now - self._age
        while self.oldest <= self.newest and self._slot(self.oldest).real < limit:
            self._drop_oldest()

    def entry(self, number: int) -> Entry:
        """The entry with this number, which must be one from `oldest` to `newest`. Of one that
        cannot be read, only what it is about.
        """
        return _entry_in(self._slot(number))

    def steps_of(self, about: str) -> int:
        """How many steps of a browser there are under this id."""
        return self._steps.get(about, 0)

    def numbers_of(self, key: str) -> list[int]:
        """The numbers of the entries with this key, oldest first."""
        found = []
        number = self._last_of.get(key, NONE)
        while number >= self.oldest:
            found.append(number)
            slot = self._slot(number)
            number = slot.before[slot.keys.index(key)]
        return found[::-1]

    def replace_entry(self, number: int, entry: Entry) -> None:
        """Put another entry in the place of this one."""
        slot = replace(self._slot(number), body=encode_entry(entry))
        self._slots[(number - 1) % self._count] = slot

    def wait(self, after: int) -> None:
        """Return when there is a number above `after`, or at `wake`."""
        if self.newest > after:
            return
        self._news = self._news or Event()
        self._waiters += 1
        try:
            self._news.wait()
        finally:
            self._waiters -= 1

    def wake(self) -> None:
        """End every `wait`."""
        news, self._news = self._news, None
        if news is not None:
            news.set()

    def _slot(self, number: int) -> RingSlot:
        slot = self._slots[(number - 1) % self._count]
        assert slot is not None, "numbers from oldest to newest have their slots"
        return slot

    def _without_forgotten(self, slot: RingSlot) -> RingSlot:
        if self.forgotten is None or not self.forgotten.covers(slot.keys, slot.real):
            return slot
        return replace(slot, body=encode_entry(without_content(_entry_in(slot))))

    def _drop_oldest(self) -> None:
        number, self.oldest = self.oldest, self.oldest + 1
        slot = self._slot(number)
        self._count_step(slot.step, -1)
        for key in slot.keys:
            if self._last_of[key] == number:
                del self._last_of[key]
        self._slots[(number - 1) % self._count] = None

    def _count_step(self, step: str, more: int) -> None:
        if not step:
            return
        count = self._steps[step] = self.steps_of(step) + more
        if not count:
            del self._steps[step]


def _entry_in(slot: RingSlot) -> Entry:
    try:
        return decode_body(slot.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return create_unreadable_entry(slot.keys, slot.real)


class MemoryJournal:
    """Implements ports.Journal: a ring, and the clocks that date its entries."""

    __slots__ = ("_clock", "_held", "_real", "_ring", "_slices")

    def __init__(self, ring: JournalRing, *, clock: Clock, real: Clock):
        self._ring = ring
        self._clock = clock
        self._real = real
        self._held: dict[str, AcquirerExchange] = {}
        # A trace looks for the entries of thousands of payments, one after another.
        self._slices = Slices()

    @property
    def newest(self) -> int:
        """The number of the newest entry; they count from 1. What is held is one from now on."""
        self._append_held()
        return self._ring.newest

    def append_entry(self, entry: Entry, secrets: Collection[str] = ()) -> None:
        """Append an entry, masked; none of `secrets` may be in it."""
        entry = self.dated(entry)
        self.append_encoded(entry, encode_entry(entry, secrets))

    def dated(self, entry: Dated) -> Dated:
        """An entry with the time on the wire; one that has it stays."""
        return entry if entry.real is not None else replace(entry, real=self._real.now())

    def append_encoded(self, entry: Entry, body: bytes) -> None:
        """Append an entry that was masked and encoded already, and is dated."""
        assert entry.real is not None, "an entry is dated before it is encoded"
        step = entry.about if isinstance(entry, BrowserEntry) else ""
        self._ring.append(keys_of(entry), body, entry.real, step=step)

    def append_step(self, entry: BrowserEntry) -> None:
        """Append a step of a browser, unless there are too many of the same payment."""
        steps = self._ring.steps_of(entry.about)
        if steps < STEPS_MAX:
            self.append_entry(last_step(entry) if steps == STEPS_MAX - 1 else entry)

    def append_exchange(self, exchange: MaskedExchange) -> None:
        """Append an exchange with nothing left to mask."""
        entry = exchange.entry
        assert entry.real is not None, "an exchange is dated when it begins"
        self._ring.append(keys_of(entry), exchange, entry.real)

    def hold_acquirer_exchange(self, exchange: AcquirerExchange) -> None:
        """Hold the exchange with the acquirer until that of the merchant is complete."""
        self._held[exchange.payment] = exchange
        if len(self._held) > HELD_MAX:
            self._append_held()

    def take_acquirer_exchange(self, payment: str) -> AcquirerExchange | None:
        """Remove and return what is held for the exchange that made this payment: its ndc may be
        that of others.
        """
        return self._held.pop(payment, None)

    def append_attempt(self, attempt: WebhookAttempt) -> None:
        """Append an attempt to deliver a webhook event."""
        self.append_entry(self.entry_of(attempt))

    def entry_of(self, attempt: WebhookAttempt) -> WebhookEntry:
        """An attempt as an entry of now."""
        return create_webhook_entry(attempt, self._clock.now())

    def iterate_newest_first(self, *, before: int | None = None) -> Iterator[tuple[int, Entry]]:
        """The entries and their numbers, from the newest (or the one before `before`) back. Others
        have their turn between them, and may let the oldest go.
        """
        ring, slices = self._ring, Slices()
        self._append_held()
        ring.drop_expired(self._real.now())
        number = ring.newest if before is None else min(before - 1, ring.newest)
        while number >= ring.oldest:
            yield number, ring.entry(number)
            slices.end_if_long()
            number -= 1

    def find_entries(self, key: str) -> list[tuple[int, Entry]]:
        """The entries with this ndc or about this payment, oldest first. Costs what it returns;
        others have their turn meanwhile.
        """
        ring = self._ring
        self._append_held()
        ring.drop_expired(self._real.now())
        self._slices.end_if_long()
        found = []
        for number in ring.numbers_of(key):
            if number >= ring.oldest:
                found.append((number, ring.entry(number)))
            self._slices.end_if_long()
        return found

    def forget_content(self, key: str) -> None:
        """Keep of the entries with this ndc, about this payment, or with a list that shows it, only
        that there were any. Others have their turn meanwhile.
        """
        ring, keys = self._ring, (key, listing_key(key))
        self._append_held()
        with ring.numbering:
            if ring.forgotten is not None:
                ring.forgotten.add(keys, self._real.now())
            for number in [number for each in keys for number in ring.numbers_of(each)]:
                if number >= ring.oldest:
                    ring.replace_entry(number, without_content(ring.entry(number)))
                self._slices.end_if_long()

    def wait_for_entry(self, after: int, seconds: float) -> None:
        """Return when there is a number above `after`, at the latest after `seconds`."""
        with Timeout(seconds, False):
            self._ring.wait(after)

    def _append_held(self) -> None:
        """Append what is held as entries of their own."""
        held, self._held = self._held, {}
        for exchange in held.values():
            self.append_entry(exchange.to_entry())

"""Throttling: counters in fixed windows of world time, aligned to the minute. Choice: D-87.

Nothing here waits or yields, so that N allowed means N, however many ask at the same time. What was
lent to other gateways is called back before a request is refused: that alone may wait.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol

import msgspec

from simulator.domain.core.clock import wire_span
from simulator.domain.core.hosts import LIVE, TEST, Host
from simulator.grammar.throttles import OBJECT, Limit, ThrottleTable

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND, SHORTEST = timedelta(seconds=1), timedelta.resolution
ENDED_LONG_AGO = datetime.min.replace(tzinfo=UTC)
END_OF_TIME = datetime.max.replace(tzinfo=UTC)
# Of all windows of a sandbox: some 90 MB.
OBJECTS_MAX = 1_000_000


class ThrottleSetting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table of each host, None where nothing was asked for."""

    id: str = "throttle"
    version: int = 0
    throttle: ThrottleTable | None = None
    live_throttle: ThrottleTable | None = None


class ServerTables(msgspec.Struct, frozen=True, kw_only=True):
    """The table of each host of a server, which has both."""

    throttle: ThrottleTable
    live_throttle: ThrottleTable


class Layer(Protocol):
    """What may name tables: those a sandbox was given, those it was made with, its server."""

    @property
    def throttle(self) -> ThrottleTable | None: ...

    @property
    def live_throttle(self) -> ThrottleTable | None: ...


class Throttles:
    """The counters of one sandbox, for each merchant and host; they live in memory alone."""

    __slots__ = ("_counters", "_layers", "_room", "_tables")

    def __init__(self, setting: ThrottleSetting | None, *layers: Layer):
        self._layers = layers
        self._room = Room()
        self._counters: dict[tuple[Host, str], Throttle] = {}
        self._tables = tables_in_force(setting, *layers)

    @property
    def tables(self) -> Mapping[Host, ThrottleTable]:
        """The tables in force."""
        return self._tables

    def is_counting(self, now: datetime) -> bool:
        """Whether any window that has counted something is still open."""
        return any(throttle.is_counting(now) for throttle in self._counters.values())

    def open_windows(self, now: datetime) -> list["OpenWindow"]:
        """What each open window has let through, of every merchant and host."""
        return [
            OpenWindow(host, merchant, operation, used, limit, ends)
            for (host, merchant), throttle in self._counters.items()
            for operation, used, limit, ends in throttle.open_windows(now)
        ]

    def of(self, host: Host, merchant: str) -> "Throttle":
        """The counters of one merchant on one host."""
        key = (host, merchant)
        if key not in self._counters:
            self._counters[key] = Throttle(self._tables[host], self._room)
        return self._counters[key]

    def put(self, setting: ThrottleSetting) -> None:
        """Go on with other tables; a host whose table is another one counts anew."""
        before, self._tables = self._tables, tables_in_force(setting, *self._layers)
        for (host, _), throttle in self._counters.items():
            if self._tables[host] != before[host]:
                throttle.put(self._tables[host])


def tables_in_force(*layers: Layer | None) -> dict[Host, ThrottleTable]:
    """The table of each host: that of the first layer which has one."""
    tests = (layer.throttle for layer in layers if layer is not None)
    lives = (layer.live_throttle for layer in layers if layer is not None)
    return {
        TEST: next(table for table in tests if table is not None),
        LIVE: next(table for table in lives if table is not None),
    }


class OpenWindow(NamedTuple):
    """How many requests of an operation a window has let through, and how many it does until it
    ends; of a window that counts each object by itself, those about the one with most.
    """

    host: Host
    merchant: str
    operation: str
    used: int
    limit: int
    ends: datetime


class RequestGate(Protocol):
    """What counts the requests of one merchant on one host."""

    def admit(self, operation: str, identity: str | None, now: datetime) -> datetime | None:
        """As Throttle.admit."""

    def recall(self) -> bool:
        """Have back what was lent of open windows; whether anything was."""


class Block(msgspec.Struct, frozen=True):
    """Requests that are counted already, for another gateway to let through before `ends`; any
    number where nothing limits them.
    """

    count: int
    ends: datetime


UNLIMITED = -1
NOT_LENT = Block(0, ENDED_LONG_AGO)


class Room:
    """How many objects the windows of a sandbox may count, all of them together."""

    __slots__ = ("_counting", "_left", "_next_end")

    def __init__(self, objects_max: int = OBJECTS_MAX):
        self._left = objects_max
        self._counting: set[Gate] = set()
        self._next_end = ENDED_LONG_AGO

    def has_any(self, now: datetime) -> bool:
        """Whether there is room for one more, if need be for that of windows which have ended."""
        if self._left <= 0 and now >= self._next_end:
            for gate in [each for each in self._counting if each.ends <= now]:
                gate.clear()
            self._next_end = min((each.ends for each in self._counting), default=now)
        return self._left > 0

    def take(self, gate: "Gate") -> None:
        """The window of a gate counts one more."""
        self._left -= 1
        self._counting.add(gate)

    def give_back(self, gate: "Gate", count: int) -> None:
        """It counts none any more, of so many."""
        self._left += count
        self._counting.discard(gate)


class Throttle:
    """The counters of one merchant on one host."""

    __slots__ = ("_fetch_back", "_gates", "_room", "_table")

    def __init__(self, table: ThrottleTable, room: Room):
        self._room = room
        self._fetch_back: Callable[[], object] | None = None
        self._gates: dict[str, tuple[Gate, ...]] = {}
        self._table = table

    def put(self, table: ThrottleTable) -> None:
        """Count by another table from here on, from nothing."""
        for gates in self._gates.values():
            for gate in gates:
                gate.clear()
        self._table, self._gates = table, {}

    def is_counting(self, now: datetime) -> bool:
        """Whether any of its windows is still open."""
        return any(gate.ends > now for gates in self._gates.values() for gate in gates)

    def open_windows(self, now: datetime) -> Iterator[tuple[str, int, int, datetime]]:
        """Operation, count, limit and end of each window that has let something through."""
        for operation, gates in self._gates.items():
            for gate in gates:
                if gate.ends > now and gate.used:
                    yield operation, gate.used, gate.limit, gate.ends

    def admit(self, operation: str, identity: str | None, now: datetime) -> datetime | None:
        """None, and the request is counted; or the instant until which such requests are refused.

        `identity` is the id in the path, if there is one. A refused request counts nowhere.
        """
        gates = self._gates.get(operation)
        if gates is None:
            gates = self._gates[operation] = self._gates_of(operation)
        refused = None
        for gate in gates:
            if gate.is_shut(identity, now) and (refused is None or gate.ends > refused):
                refused = gate.ends
        if refused is None:
            for gate in gates:
                gate.count(identity)
        return refused

    def lend(
        self, operation: str, now: datetime, *, part: float, fetch_back: Callable[[], object]
    ) -> Block:
        """A block of requests to an operation: a `part` of its limit; NOT_LENT where there is no
        room for one, or objects are counted. `fetch_back` is called where a window is full.
        """
        gates = self._gates.get(operation)
        if gates is None:
            gates = self._gates[operation] = self._gates_of(operation)
        if not gates:
            return Block(UNLIMITED, END_OF_TIME)
        count = int(min(gate.limit for gate in gates) * part)
        if not count or not all(gate.has_room(count, now) for gate in gates):
            return NOT_LENT
        for gate in gates:
            gate.count(None, count)
        self._fetch_back = fetch_back
        return Block(count, min(gate.ends for gate in gates))

    def give_back(self, operation: str, block: Block) -> None:
        """What was not used of a block, which ends with the window that it was lent from."""
        for gate in self._gates.get(operation, ()):
            gate.uncount(block)

    def recall(self) -> bool:
        """Have back what was lent of open windows; whether anything was."""
        fetch_back = self._fetch_back
        if fetch_back is None:
            return False
        fetch_back()
        if self._fetch_back is fetch_back:
            self._fetch_back = None
        return True

    def _gates_of(self, operation: str) -> tuple["Gate", ...]:
        return tuple(Gate(row, self._room) for row in self._table.limits_of(operation))


class Gate:
    """One limit, and what it has let through in its present window, which ends at `ends`.

    A clock that steps back, as that of a machine may, stays in the window it has reached.
    """

    __slots__ = ("_counts", "_limit", "_per_object", "_room", "_span", "ends")

    def __init__(self, row: Limit, room: Room):
        self._limit, self._room = row.limit, room
        self._per_object = row.scope == OBJECT
        self._span = timedelta(seconds=row.window_s)
        self._counts: dict[int, int] = {}
        self.ends = ENDED_LONG_AGO

    @property
    def limit(self) -> int:
        """How many a window lets through."""
        return self._limit

    @property
    def used(self) -> int:
        """How many it has let through, of the object with most."""
        return max(self._counts.values(), default=0)

    def clear(self) -> None:
        """Forget what was counted."""
        if self._per_object:
            self._room.give_back(self, len(self._counts))
        self._counts = {}

    def is_shut(self, identity: str | None, now: datetime) -> bool:
        """Whether the window has no room for one more."""
        if now >= self.ends:
            self.clear()
            self.ends = window_end(now, self._span)
        counted = self._counts.get(self._key(identity))
        if counted is None:
            return not self._limit or (self._per_object and not self._room.has_any(now))
        return counted >= self._limit

    def has_room(self, count: int, now: datetime) -> bool:
        """Whether the window has room for so many more; never where objects are counted."""
        return (
            not self._per_object
            and not self.is_shut(None, now)
            and (self._limit - self._counts.get(self._key(None), 0) >= count)
        )

    def count(self, identity: str | None, more: int = 1) -> None:
        """One more went through, or several."""
        key = self._key(identity)
        counted = self._counts.get(key, 0)
        if self._per_object and not counted:
            self._room.take(self)
        self._counts[key] = counted + more

    def uncount(self, block: Block) -> None:
        """So many did not go through; nothing where that was in another window."""
        key = self._key(None)
        if key in self._counts and window_end(block.ends - SHORTEST, self._span) == self.ends:
            self._counts[key] -= block.count

    def _key(self, identity: str | None) -> int:
        # What stands in a path may be long: its hash costs the same for all.
        return hash(identity) if self._per_object else 0


def window_end(now: datetime, span: timedelta) -> datetime:
    """The end of the window `now` is in: windows of `span` lie side by side from 1970 on.

    The last window before the end of time is cut short by it.
    """
    try:
        return EPOCH + span * ((now - EPOCH) // span + 1)
    except OverflowError:
        return END_OF_TIME


def retry_after_s(until: datetime, shown: datetime, rate: float) -> int:
    """Whole seconds of wire time until the sandbox's clock, which shows `shown` and goes at `rate`,
    shows `until`: at least one.

    A clock that stands, or nearly, never shows it: then the seconds it has to be moved by.
    """
    left = wire_span(until - shown, rate)
    return max(1, -(-(until - shown if left is None else left) // SECOND))

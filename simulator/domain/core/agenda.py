"""Due work that cannot be done now: it waits for something, and is not looked at until that ends.

Each kind of due work is read in order of its instants. What a look finds and cannot do is noted
under the name of what it waits for, and the next look begins behind it: so a look costs what it
finds, however much is being carried out. All this is derived from the records: nothing is noted at
the beginning, nor after a write that was taken back. Choice: D-600.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple, Protocol


class StoredRecord(Protocol):
    """A record of any kind."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...


class Noted(NamedTuple):
    """A record that was passed over. The number keeps those of one instant in order."""

    due: datetime
    number: int
    kind: type
    id: str
    name: str


class Passed:
    """How far a kind was passed over: all up to `place` waits, save what is `ready` again."""

    __slots__ = ("place", "ready")

    def __init__(self) -> None:
        self.place: Any = None
        self.ready: list[Noted] = []


class Agenda:
    """What due work of a sandbox waits for, in the process that does it. Nothing that is due later
    than `upto` was passed over, where the newest look began.
    """

    __slots__ = ("_failed_writes", "_looks", "_numbers", "_passed", "_waiting", "upto")

    def __init__(self) -> None:
        self._numbers = count()
        self._failed_writes = 0
        self._looks = 0
        self.upto = datetime.min.replace(tzinfo=UTC)
        self._passed: dict[type, Passed] = {}
        self._waiting: dict[str, list[Noted]] = {}

    def __len__(self) -> int:
        """How much waits."""
        return sum(map(len, self._waiting.values()))

    @contextmanager
    def looking(self, now: datetime, failed_writes: int) -> Iterator[None]:
        """While it lasts a look for what is due `now` is under way."""
        if failed_writes != self._failed_writes:
            self._failed_writes = failed_writes
            self.reset()
        self.upto = max(self.upto, now)
        self._looks += 1
        try:
            yield
        finally:
            self._looks -= 1
            if not self._looks and not self._waiting:
                self._passed = {kind: each for kind, each in self._passed.items() if each.ready}

    def passed(self, kind: type) -> Passed | None:
        """How far a kind was passed over; None where its first record is to be looked at."""
        return self._passed.get(kind)

    def pass_over(self, kind: type) -> Passed:
        """Pass over records of a kind from now on: read after this, from its place on."""
        return self._passed.setdefault(kind, Passed())

    def wait(self, name: str, record: Any) -> None:
        """Look at a record again when what has this name has ended."""
        noted = Noted(record.due, next(self._numbers), type(record), record.id, name)
        heappush(self._waiting.setdefault(name, []), noted)

    def let_go(self, name: str) -> None:
        """What has this name has ended: look at the first record that waits for it."""
        waiting = self._waiting.get(name)
        if waiting is None:
            return
        first = heappop(waiting)
        if not waiting:
            del self._waiting[name]
        self._look_at(first)

    def drop(self, passed: Passed, noted: Noted, *, waits_for: str = "") -> None:
        """What was ready is not any more: it is over, or waits again; then the next one that waits
        for the same is looked at.
        """
        if passed.ready and passed.ready[0] is noted:
            heappop(passed.ready)
        if noted.name and noted.name != waits_for:
            self.let_go(noted.name)

    def notice(self, puts: Iterable[Any]) -> None:
        """Records were stored: look at what of them is due already, and at what waits for them."""
        if not self._passed:
            return
        for record in puts:
            kind = type(record)
            if kind in self._passed and record.due is not None and record.due <= self.upto:
                self._look_at(Noted(record.due, next(self._numbers), kind, record.id, ""))
            if record.id in self._waiting:
                self.let_go(record.id)

    def reset(self) -> None:
        """Look at everything again."""
        self._passed, self._waiting = {}, {}

    def _look_at(self, noted: Noted) -> None:
        passed = self._passed.get(noted.kind)
        if passed is not None:
            heappush(passed.ready, noted)


def name_of(record: StoredRecord) -> str:
    """A record with its version, as log lines name it."""
    return f"{type(record).__name__} {record.id}, version {record.version}"


class Scheduler(Protocol):
    """Runs due work of one sandbox when its time comes."""

    def wake(self) -> None:
        """Look again: something due was stored, or the clock was changed."""

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Do `work` under a name, and return when it is done or has to wait; nothing where work of
        this name runs already. Work that waits for the clock must not hold up the caller that
        moves it.
        """

    def is_running(self, name: str) -> bool:
        """Whether a job with this name runs, or failed and is set aside."""

    def end_attempt(self, identity: str) -> None:
        """End the open attempt of a payment beside, as a start ends it: its request has given up.
        It is tried until the store takes it.
        """

    def carry_out(self, record: StoredRecord, work: Callable[[], object]) -> None:
        """Do the due work of a record. Where it fails inside, that is logged and the record set
        aside for a while: all other work goes on. Raises ConflictError, DiskError and
        EpochEndedError, which are no faults, and CrowdedSandboxError where too much is set aside.
        """

    def set_aside(self, record: StoredRecord, reason: str) -> None:
        """Set a record aside whose work does not end."""

    def is_set_aside(self, record: StoredRecord) -> bool:
        """Whether a record is set aside. One that was changed since is not."""

    def looking(self, failed_writes: int) -> AbstractContextManager[Agenda]:
        """While it lasts due work is looked for, by what is passed over; so many writes of the
        store have failed.
        """

    @property
    def set_aside_count(self) -> int:
        """How much due work is set aside."""

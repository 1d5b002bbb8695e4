"""The writer: units that come while a batch is under way share the next one, as one transaction.

A unit that conflicts makes its batch fail; then each unit goes as a transaction of its own, so that
none harms another. Two units that change one record never share a batch.

Each transaction notes its number in a row of its gateway. Where the connection is lost before the
answer has come, the numbers that are read back say what was stored; the rest is sent again.
"""

import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import count
from time import monotonic

import gevent
from gevent.hub import Waiter

from simulator.adapters.postgresql.ownership import DEPOSED, EndedRightError, Owner, one_value
from simulator.adapters.postgresql.tables import RowChange
from simulator.adapters.postgresql.values import array, int4s, int8s
from simulator.adapters.postgresql.wire import FailedGroup, KeptWire, SqlStatement, Wire
from simulator.domain.core.errors import (
    ConflictError,
    HomeNeededError,
    LostOutcomeError,
    UnreachableStoreError,
)

LOG = logging.getLogger("sandgate.store")
BATCH_MAX = 200
RETRY_S = 1.0
# How long units whose outcome is unknown wait for the database to come back.
UNKNOWN_S_MAX = 20.0
OUTCOME_UNKNOWN = "it was lost while it stored, and has not come back: the outcome is unknown"
# A taken id, a version that was not there, and what PostgreSQL asks to be tried again.
CONFLICTS = frozenset({"23505", "22012", "40001", "40P01"})
# What a transaction ends with where the gateway may not write any more.
ENDED_RIGHT = "2201F"
# Where it is written at another level than the one it knows.
OTHER_LEVEL = "2201G"
# And where only the home of a sandbox may write.
ENDED_CALM = "2201E"
# Faults of the request, not of the database: no space, no rights, a standby and the like are not.
INTERNAL = ("22", "23", "42", "54", "XX")
FAULTS_OF_ONE = (ConflictError, HomeNeededError, RuntimeError)


class Work:
    """Changes and statements that are done together or not at all; `keys` say what they touch."""

    __slots__ = ("changes", "statements", "keys", "_waiter")

    def __init__(
        self,
        changes: Sequence[RowChange],
        keys: Iterable[Hashable],
        statements: Sequence[SqlStatement] = (),
    ):
        self.changes = changes
        self.statements = statements
        self.keys = frozenset(keys)
        self._waiter: Waiter = Waiter()

    def wait(self) -> None:
        """Return when it is stored. Raises what kept it from being stored."""
        error = self._waiter.get()
        if error is not None:
            raise error

    def end(self, error: Exception | None) -> None:
        """Let who waits for it go on, at the next turn of the hub."""
        gevent.get_hub().loop.run_callback(self._waiter.switch, error)


class BatchingWriter:
    """Stores works over the connection that `open_wire` makes, and makes again. `failure` says why
    nothing is stored now.
    """

    def __init__(self, open_wire: Callable[[], Wire], wire: Wire, owner: Owner):
        self.failure: str | None = None
        self.batches = 0
        self.unknown_s_max = UNKNOWN_S_MAX
        self._owner = owner
        self._kept = KeptWire(open_wire, wire)
        self._pending: deque[Work] = deque()
        self._greenlet: gevent.Greenlet | None = None
        self._numbers = count(1)
        self._retry_at = 0.0

    def store(self, work: Work) -> None:
        """Store a work; durable on return. Raises ConflictError, UnreachableStoreError."""
        if self.failure is not None and monotonic() < self._retry_at:
            raise UnreachableStoreError(self.failure)
        self._pending.append(work)
        if self._greenlet is None:
            self._greenlet = gevent.spawn(self._run)
        work.wait()

    def close(self) -> None:
        """Store what is pending, then give the connection back."""
        if self._greenlet is not None:
            self._greenlet.join()
        self._kept.close()

    def _run(self) -> None:
        try:
            while self._pending:
                self._store(self._next_batch())
        finally:
            self._greenlet = None

    def _next_batch(self) -> list[Work]:
        batch: list[Work] = []
        touched: set[Hashable] = set()
        for _ in range(len(self._pending)):
            work = self._pending.popleft()
            if len(batch) < BATCH_MAX and touched.isdisjoint(work.keys):
                batch.append(work)
            else:
                self._pending.append(work)
            # Also of one that waits: what touches the same must not overtake it.
            touched |= work.keys
        return batch

    def _store(self, batch: list[Work]) -> None:
        self.batches += 1
        try:
            (error,) = self._outcomes([batch])
            ends = [error] * len(batch)
            if isinstance(error, FAULTS_OF_ONE) and len(batch) > 1:
                # The fault of one of them: the others are stored.
                ends = self._outcomes([[work] for work in batch])
        except Exception as error:
            LOG.exception("internal error while storing")
            ends = [RuntimeError(f"not stored: {error}")] * len(batch)
        for work, end in zip(batch, ends, strict=True):
            work.end(end)
        lost = next((each for each in ends if isinstance(each, UnreachableStoreError)), None)
        self.failure = None if lost is None else lost.reason
        if lost is not None:
            self._give_up(lost)

    def _give_up(self, lost: UnreachableStoreError) -> None:
        """Store nothing for a moment; what waits is not stored."""
        LOG.error("nothing is stored: %s", lost)
        self._retry_at = monotonic() + RETRY_S
        # It was never sent, unlike the batch before it.
        is_unknown = isinstance(lost, LostOutcomeError)
        unsent = UnreachableStoreError(lost.reason) if is_unknown else lost
        while self._pending:
            self._pending.popleft().end(unsent)

    def _outcomes(self, groups: Sequence[Sequence[Work]]) -> list[Exception | None]:
        """What became of each group of works, each a transaction: stored, or why not."""
        outcomes: dict[int, Exception | None] = {}
        while left := [number for number in range(len(groups)) if number not in outcomes]:
            try:
                outcomes |= self._send({number: groups[number] for number in left})
            except UnreachableStoreError as lost:
                outcomes |= dict.fromkeys(left, lost)
        return [outcomes[number] for number in range(len(groups))]

    def _send(self, groups: Mapping[int, Sequence[Work]]) -> dict[int, Exception | None]:
        """What became of the groups, as far as that is known; the others were not stored. Raises
        UnreachableStoreError where none of them was stored, or nothing is known.
        """
        # Where it ended while nothing was under way, no outcome is unknown.
        wire = self._kept.open()
        numbers = {index: next(self._numbers) for index in groups}
        first, level = min(groups), self._owner.level
        sent = [
            [
                self._owner.note(numbers[index], is_first=index == first),
                *_statements_of(group, level),
            ]
            for index, group in groups.items()
        ]
        try:
            answers = wire.run(sent)
        except UnreachableStoreError as lost:
            LOG.warning("the connection was lost while storing (%s)", lost.reason)
            self._kept.drop()
            stored = self._stored_numbers()
            return {index: None for index, number in numbers.items() if number in stored}
        found = dict(zip(groups, answers, strict=True))
        former = [index for index, answer in found.items() if _is_of_other_level(answer)]
        if former:
            self._learn_level(wire)
        return {index: _error_in(found[index]) for index in found if index not in former}

    def _learn_level(self, wire: Wire) -> None:
        """Write in another form from here on: the level was raised."""
        try:
            self._owner.learn_level(wire)
        except UnreachableStoreError as lost:
            LOG.warning("the connection was lost (%s)", lost.reason)
            self._kept.drop()

    def _stored_numbers(self) -> set[int]:
        """The numbers of the transactions that were stored last, read over a new connection."""
        until = monotonic() + self.unknown_s_max
        while True:
            try:
                text = one_value(self._kept.open(), self._owner.numbers).decode()
                return {int(number) for number in text.strip("{}").split(",") if number}
            except UnreachableStoreError as error:
                self._kept.drop()
                if monotonic() > until or isinstance(error, EndedRightError):
                    raise LostOutcomeError(f"{OUTCOME_UNKNOWN} ({error.reason})") from error
            self.failure = "it is not reached"
            gevent.sleep(RETRY_S / 5)


def _statements_of(group: Sequence[Work], level: int) -> list[SqlStatement]:
    """The statements of one transaction, with records in the form of a write level."""
    statements: list[SqlStatement] = []
    rows: dict[tuple[str, str], list[RowChange]] = {}
    for work in group:
        # What several works share, by being the same, is done once.
        statements += [
            each for each in work.statements if not any(each is one for one in statements)
        ]
        for change in work.changes:
            rows.setdefault((change.table.name, change.operation), []).append(change)
    statements += [_statement_of(changes, level) for _, changes in sorted(rows.items())]
    return statements


def _statement_of(changes: Sequence[RowChange], level: int) -> SqlStatement:
    """One statement that makes all changes of one kind in one table."""
    first = changes[0]
    worlds = int4s(each.world for each in changes)
    names = array("text", [each.identity for each in changes])
    was = (int8s if first.operation == "fill" else int4s)(each.was for each in changes)
    sql: str = getattr(first.table, first.operation)
    if first.operation == "delete":
        return SqlStatement(sql, [worlds, names, was])
    versions = int4s(each.version for each in changes)
    forms = [next(form for form in each.forms if form.since <= level) for each in changes]
    bodies = array("json", [form.body for form in forms])
    columns = zip(*(form.keys for form in forms), strict=True)
    keys = [array("bytea", column) for column in columns]
    return SqlStatement(sql, [worlds, names, versions, bodies, was, *keys])


def _is_of_other_level(answer: object) -> bool:
    return isinstance(answer, FailedGroup) and answer.code == OTHER_LEVEL


def _error_in(answer: object) -> Exception | None:
    if not isinstance(answer, FailedGroup):
        return None
    if answer.code in CONFLICTS:
        return ConflictError(answer.text)
    if answer.code == ENDED_RIGHT:
        return EndedRightError(DEPOSED)
    if answer.code == ENDED_CALM:
        return HomeNeededError(answer.text)
    if answer.code.startswith(INTERNAL):
        return RuntimeError(f"{answer.code}: {answer.text}")
    return UnreachableStoreError(answer.text)

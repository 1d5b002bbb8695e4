"""Write levels: how two releases share a database while one takes the place of the other.

A member of the former release drops the fields that it does not know where it changes a record. So
a release stores a new field from a write level on (`Kind.since`), and below that level writes what
the former one writes. The row of the server has the level. It is raised, never lowered, once every
member can write at a higher one.

The row of a member repeats the level, and every transaction of the member checks it there. Both are
changed by one transaction, which waits for those under way: nothing is stored in the former form
afterwards, and a member whose transaction is refused for that reads the level, and stores it again.
"""

import logging
from time import monotonic
from typing import NamedTuple, Protocol

from simulator.adapters.postgresql.ownership import EndedRightError, one_value
from simulator.adapters.postgresql.values import int4, number_in
from simulator.adapters.postgresql.wire import FailedGroup, Rows, SqlStatement, Wire
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import Rhythm, UnusableDatabaseError
from simulator.domain.core.errors import UnreachableStoreError

LOG = logging.getLogger("sandgate.fleet")
# The level is held while a member joins: it is raised before or after that.
JOIN = (
    "with fit as (select level from server where level <= $3::int4 for share)"
    " insert into members (url, version, beat, level_max, level)"
    " select $1::text, $2::text, clock_timestamp(), $3::int4, level from fit returning id, level"
)
LOOK = SqlStatement(
    "select s.level, min(m.level), min(m.level_max), min(m.id) from server s, members m"
    " group by s.level"
)
READ_LEVEL = SqlStatement("select level from server")
# What members store holds their rows, and then perhaps that of the server: locked in this order.
RAISE = (
    "select count(*) from (select from members order by id for no key update) held",
    "select count(*) from (select from server for update) held",
    "update server set level = $1::int4 where level < $1::int4"
    " and not exists (select from members where level_max < $1::int4)",
    "update members set level = s.level from server s where members.level <> s.level",
)


class OutdatedReleaseError(EndedRightError):
    """The level was raised above what this member can write."""


class LeveledDatabase(Protocol):
    """What is needed of the connections of a process."""

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements answer. Raises UnreachableStoreError."""

    def store(self, work: Work) -> None:
        """Store a work. Raises ConflictError, UnreachableStoreError."""


class Seen(NamedTuple):
    """The write level, the lowest that a member writes at, the lowest of the highest that they can
    write at, and the first of the members.
    """

    level: int
    known: int
    possible: int
    first: int


class MemberLevel:
    """The write level as a member knows it, which joins as this is built. `number` is that of the
    member. Raises UnusableDatabaseError, UnreachableStoreError.
    """

    def __init__(self, wire: Wire, url: str, version: str, *, level_max: int, rhythm: Rhythm):
        self._max = level_max
        self._rhythm = rhythm
        self._possible_since: float | None = None
        given = [url.encode(), version.encode(), int4(level_max)]
        (answer,) = wire.run([[SqlStatement(JOIN, given)]])
        if isinstance(answer, FailedGroup):
            raise UnreachableStoreError(answer.text)
        if not answer[0]:
            level = number_in(one_value(wire, READ_LEVEL))
            raise UnusableDatabaseError(too_high(level, level_max))
        self.number, self._level = (number_in(bytes(each or b"")) for each in answer[0][0])

    @property
    def value(self) -> int:
        """The level. Raises OutdatedReleaseError where this member cannot write at it."""
        self._check()
        return self._level

    def learn(self, wire: Wire) -> None:
        """Read it again. Raises UnreachableStoreError."""
        self._level = number_in(one_value(wire, READ_LEVEL))

    def look(self, database: LeveledDatabase) -> None:
        """Raise the level where that is due. Raises OutdatedReleaseError where it is higher than
        this member can write at, ConflictError, UnreachableStoreError.
        """
        (rows,) = database.ask(LOOK)
        if not rows:
            # This member was removed just now.
            return
        seen = Seen(*(number_in(bytes(each or b"")) for each in rows[0]))
        self._level = max(self._level, seen.level)
        self._check()
        if self._is_due(seen) and seen.first == self.number:
            self._raise(database, seen)

    def _check(self) -> None:
        if self._level > self._max:
            raise OutdatedReleaseError(too_high(self._level, self._max))

    def _is_due(self, seen: Seen) -> bool:
        if seen.possible <= seen.level:
            self._possible_since = None
            # It was raised by hand, and the members go on at the former one.
            return seen.known < seen.level
        # One that was stopped for an upgrade may come back as it was.
        self._possible_since = self._possible_since or monotonic()
        return monotonic() - self._possible_since >= self._rhythm.raised_after_s

    def _raise(self, database: LeveledDatabase, seen: Seen) -> None:
        to = max(seen.level, seen.possible)
        lock_members, lock_server, change, repeat = RAISE
        statements = [
            SqlStatement(lock_members),
            SqlStatement(lock_server),
            SqlStatement(change, [int4(to)]),
            SqlStatement(repeat),
        ]
        database.store(Work((), [("level",)], statements))
        LOG.info("every member can write at level %d: the fleet does from now on", to)


def too_high(level: int, level_max: int) -> str:
    """Why a gateway that writes at `level_max` at most cannot be used at `level`."""
    return (
        f"it is written at level {level} by a newer release, expected {level_max} at most; start "
        "that release, or restore a backup from before it was raised"
    )

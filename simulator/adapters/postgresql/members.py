"""The members of a fleet: gateways that share a database, each with a lease.

Every transaction of a member notes its number in the row of that member. A lease that is over ends
by the removal of the row, which waits for a transaction under way, and after which every other one
of that member fails: it cannot write any more, whatever it believes. A removed member does not
come back: it begins anew under another number.

beat        when the member stored last, by the clock of the database; also an idle one does
url         where the others reach it
"""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Protocol

import gevent

from simulator.adapters.postgresql.levels import MemberLevel, OutdatedReleaseError
from simulator.adapters.postgresql.ownership import (
    LOCK,
    EndedRightError,
    one_value,
    take_lock,
)
from simulator.adapters.postgresql.values import int4, int8, number_in
from simulator.adapters.postgresql.wire import FailedGroup, Rows, SqlStatement, Wire
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import FleetAddress
from simulator.domain.core.errors import ConflictError, UnreachableStoreError

LOG = logging.getLogger("sandgate.fleet")
ENDED = "its lease has ended, and other members have its sandboxes; it has to start again"

TAKE_SHARED = SqlStatement("select pg_try_advisory_lock_shared($1::int8)", [LOCK])
# The locks of members, apart from every lock of one number.
TAKE_OWN = "select pg_try_advisory_lock(1935765348, $1::int4)"
IS_THERE = "select count(*) from members where id = $1::int4"
# The root of a negative number ends the transaction; so do no buckets, where the level is higher.
NOTE = (
    "with noted as (update members set beat = clock_timestamp(), batches ="
    " case when $2::int4 = 1 then array[$1::int8] else batches || $1::int8 end"
    " where id = $3::int4 returning level <= $4::int4 as fits) select sqrt(count(*) - 1),"
    " width_bucket(0::float8, 0, 1, (count(*) filter (where fits))::int4) from noted"
)
NUMBERS = "select coalesce(max(batches::text), '{}') from members where id = $1::int4"
SET_URL = "update members set url = $2::text where id = $1::int4"
SILENT = "beat < clock_timestamp() - $1::int4 * interval '1 millisecond'"
FIND_SILENT = f"select id from members where {SILENT}"
# A connection of a member that was cut off may hold a transaction open, and its locks with it.
END_CONNECTIONS = (
    "select pg_terminate_backend(l.pid) from pg_locks l join members m on l.objid::int8 = m.id"
    f" where l.locktype = 'advisory' and l.classid = 1935765348 and {SILENT}"
)
REMOVE = f"with gone as (delete from members where {SILENT} returning id) select count(*) from gone"
# Statements of their own, which see what was given to a member until it was removed.
FREE = (
    "with freed as (update homes set member = 0 where member <> 0 and not exists"
    " (select from members m where m.id = homes.member) returning 1) select count(*) from freed"
)
LEAVE = "delete from members where id = $1::int4"
FREE_OWN = "update homes set member = 0 where member = $1::int4"


class FleetDatabase(Protocol):
    """What a member needs of the connections of its process."""

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements answer. Raises UnreachableStoreError."""

    def store(self, work: Work) -> None:
        """Store a work. Raises ConflictError, UnreachableStoreError."""


class FleetMember:
    """Implements Owner for one member; joined once built. `number` is its term: no two have the
    same; `number_sent` is that as a value of a statement.

    Raises DatabaseInUseError, UnusableDatabaseError, UnreachableStoreError.
    """

    def __init__(self, wire: Wire, address: FleetAddress, *, level_max: int, within_s: float):
        take_lock(wire, within_s=within_s, statement=TAKE_SHARED)
        self._rhythm, self._ended = address.rhythm, ENDED
        self._level = MemberLevel(
            wire, address.url, address.version, level_max=level_max, rhythm=address.rhythm
        )
        self.number = self._level.number
        self.number_sent = int4(self.number)
        take_lock(wire, within_s=within_s, statement=self._own_lock)
        self._until = monotonic() + self._rhythm.lease_s
        self._last_beat = self._steady_since = monotonic()
        self._beating: gevent.Greenlet | None = None
        self._looking: gevent.Greenlet | None = None
        self._has_ended = False

    @property
    def is_valid(self) -> bool:
        """Whether the lease lasts: no other member has the sandboxes of this one."""
        return monotonic() < self._until

    @property
    def problem(self) -> str | None:
        """Why this member answers nothing, or None."""
        return None if self.is_valid else f"the fleet: {self._ended}"

    def refuse_ended(self) -> None:
        """Raise UnreachableStoreError where the lease is over: another member may have what this
        one had.
        """
        if not self.is_valid:
            raise UnreachableStoreError(self._ended)

    @property
    def level(self) -> int:
        """As Owner.level."""
        return self._level.value

    def learn_level(self, wire: Wire) -> None:
        """As Owner.learn_level."""
        self._level.learn(wire)

    @property
    def numbers(self) -> SqlStatement:
        return SqlStatement(NUMBERS, [self.number_sent])

    def note(self, number: int, *, is_first: bool) -> SqlStatement:
        given = [int8(number), int4(is_first), self.number_sent, int4(self.level)]
        return SqlStatement(NOTE, given)

    def take_again(self, wire: Wire, *, within_s: float) -> None:
        """As Owner.take_again; raises EndedRightError where the others have removed it."""
        take_lock(wire, within_s=within_s, statement=TAKE_SHARED)
        take_lock(wire, within_s=within_s, statement=self._own_lock)
        if not number_in(one_value(wire, SqlStatement(IS_THERE, [self.number_sent]))):
            raise EndedRightError(ENDED)

    def begin(
        self,
        database: FleetDatabase,
        open_wire: Callable[[], Wire],
        *,
        look: Callable[[], object],
        end: Callable[[], object],
    ) -> None:
        """Beat from now on: `look` is called behind a beat, and `end` when the lease is lost."""

        def look_around() -> None:
            self._look_for_silent(database, open_wire)
            self._level.look(database)
            look()

        self._beating = gevent.spawn(self._beat_on, database, look_around, end)

    def move(self, database: FleetDatabase, url: str) -> None:
        """The others reach this member there. Raises UnreachableStoreError."""
        moved = SqlStatement(SET_URL, [self.number_sent, url.encode()])
        database.store(Work((), [("member", self.number)], [moved]))

    def leave(self, database: FleetDatabase) -> None:
        """Free every sandbox, for another member at once."""
        gevent.killall([each for each in (self._beating, self._looking) if each is not None])
        if not self._has_ended:
            self._until = 0.0
            left = [SqlStatement(each, [self.number_sent]) for each in (LEAVE, FREE_OWN)]
            try:
                database.store(Work((), [("member", self.number)], left))
            except (ConflictError, UnreachableStoreError) as error:
                LOG.warning("the others free the sandboxes of this member: %s", error)

    @property
    def _own_lock(self) -> SqlStatement:
        return SqlStatement(TAKE_OWN, [self.number_sent])

    def _beat_on(
        self,
        database: FleetDatabase,
        look: Callable[[], object],
        end: Callable[[], object],
    ) -> None:
        while not self._has_ended:
            began = monotonic()
            is_kept = self._do_safely(lambda: self._beat(database), end, "a beat was missed")
            if not is_kept:
                self._steady_since = monotonic()
            # It takes many trips where there is much to take over: the lease lasts meanwhile.
            if is_kept and (self._looking is None or self._looking.ready()):
                self._looking = gevent.spawn(self._do_safely, look, end, "a look was missed")
            gevent.sleep(max(0.0, self._rhythm.beat_s - (monotonic() - began)))

    def _do_safely(
        self, work: Callable[[], object], end: Callable[[], object], missed: str
    ) -> bool:
        """Whether it was done: what keeps it from that is done again, or the lease is lost."""
        try:
            work()
        except EndedRightError as error:
            self._lose(error, end)
        except (ConflictError, UnreachableStoreError) as error:
            LOG.warning("%s: %s", missed, error)
        except Exception:
            LOG.exception("internal error while the members were looked at")
        else:
            return True
        return False

    def _lose(self, error: EndedRightError, end: Callable[[], object]) -> None:
        if self._has_ended:
            return
        if isinstance(error, OutdatedReleaseError):
            self._ended = error.reason
        self._has_ended, self._until = True, 0.0
        LOG.error("%s", self._ended)
        end()

    def _beat(self, database: FleetDatabase) -> None:
        began = monotonic()
        # The number that every transaction notes says that this member lives.
        database.store(Work((), [("member", self.number)]))
        if not self._is_steady:
            # After an outage of the database every member is silent: none is removed for that.
            self._steady_since = monotonic()
        self._last_beat, self._until = monotonic(), began + self._rhythm.lease_s

    @property
    def _is_steady(self) -> bool:
        """Whether the database has answered all along since the last beat."""
        return monotonic() - self._last_beat <= self._rhythm.gap_s

    @property
    def _may_remove(self) -> bool:
        """Whether it has for so long that one which was silent meanwhile is gone."""
        steady_s = monotonic() - self._steady_since
        return self._is_steady and steady_s > self._rhythm.removed_after_s

    def _look_for_silent(self, database: FleetDatabase, open_wire: Callable[[], Wire]) -> None:
        if not self._may_remove:
            return
        limit = int4(int(self._rhythm.removed_after_s * 1000))
        (silent,) = database.ask(SqlStatement(FIND_SILENT, [limit]))
        # The database, or this process, may have stood still meanwhile.
        if silent and self._may_remove:
            _remove_silent(open_wire, limit)


def _remove_silent(open_wire: Callable[[], Wire], limit: bytes) -> None:
    """Remove the members that were silent for so many seconds, and free their sandboxes."""
    wire = open_wire()
    try:
        answers = wire.run(
            [
                [SqlStatement(END_CONNECTIONS, [limit])],
                [SqlStatement(REMOVE, [limit]), SqlStatement(FREE)],
            ]
        )
    finally:
        wire.close()
    removed = answers[1]
    if isinstance(removed, FailedGroup):
        LOG.warning("a silent member is removed later: %s", removed.text)
        return
    gone, freed = (number_in(bytes(rows[0][0] or b"")) for rows in removed)
    if gone:
        LOG.warning("members removed: %d; sandboxes without a home now: %d", gone, freed)

"""The engine on PostgreSQL: the records of a server and its sandboxes in one database."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import gevent
import psycopg

from simulator.adapters.postgresql.advice import explained
from simulator.adapters.postgresql.calm import Calm, CalmDatabase
from simulator.adapters.postgresql.copies import copy_world, fill_world
from simulator.adapters.postgresql.database import Database, DatabaseTrips
from simulator.adapters.postgresql.fleet import Fleet, MemberState, join_fleet, members_in
from simulator.adapters.postgresql.members import TAKE_SHARED, FleetMember
from simulator.adapters.postgresql.ownership import (
    DatabaseInUseError,
    Owner,
    SoleOwner,
    take_lock,
)
from simulator.adapters.postgresql.reader import LongReader, MultiplexedReader
from simulator.adapters.postgresql.records import SERVER_WORLD, PostgresRecords
from simulator.adapters.postgresql.schema import (
    LEVEL,
    Connection,
    ServerRow,
    make_schema,
    read_server_row,
    refuse_other_key,
)
from simulator.adapters.postgresql.shared_records import SharedRecords
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.tables import tables_of
from simulator.adapters.postgresql.values import int4, int4s, number_in
from simulator.adapters.postgresql.wire import Rows, SqlStatement, Wire, connect, words_of
from simulator.adapters.postgresql.writer import BatchingWriter, Work
from simulator.adapters.store.engine import (
    FleetAddress,
    SandboxStore,
    ServerRecords,
    UnusableDatabaseError,
)
from simulator.adapters.store.kinds import KINDS, SERVER_RECORDS, Kind, codecs
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.ports.server import SnapshotFile

LOG = logging.getLogger("sandgate.store")
# How long a start, and a new connection, wait for a former one to end.
LOCK_AT_START_S, LOCK_AGAIN_S = 3.0, 1.0
# A member waits no longer for the database than its lease lasts: then others have its sandboxes.
FLEET_TRIP_S, FLEET_CONNECT_S, FLEET_UNKNOWN_S = 2.5, 2, 1.5
PROBE_S = 1.0
CLEANED_AT_ONCE = 500
CLEAN_PAUSE_S, CLEAN_AGAIN_S = 0.01, 5.0

FIND_WORLD = "select world from worlds where sandbox = $1::text and epoch = $2::int4"
MAKE_WORLD = (
    "insert into worlds (sandbox, epoch) values ($1::text, $2::int4) on conflict do nothing"
)
END_WORLD = "update worlds set sandbox = null where sandbox = $1::text and epoch = $2::int4"
END_THESE = "update worlds set sandbox = null where world = any($1::int4[])"
ALL_WORLDS = "select world, sandbox, epoch from worlds"
REMOVE_WORLD = "delete from worlds where world = $1::int4"
HOLDER = (
    "select a.pid, coalesce(host(a.client_addr), 'this machine') from pg_locks l"
    " join pg_stat_activity a using (pid) join pg_database d on d.oid = l.database"
    " where l.locktype = 'advisory' and l.granted and d.datname = current_database() limit 1"
)


def inspect_database(address: str) -> ServerRow | None:
    """What the database says of itself, None where it is empty; nothing is written.

    Raises UnusableDatabaseError.
    """
    try:
        with connect(address) as connection:
            return read_server_row(connection)
    except psycopg.Error as error:
        raise UnusableDatabaseError(explained(words_of(error))) from error


def inspect_fleet(address: str) -> tuple[ServerRow | None, list[MemberState]]:
    """The same, and the members that share the database. Raises UnusableDatabaseError."""
    try:
        with connect(address) as connection:
            row = read_server_row(connection)
            return row, [] if row is None else list(members_in(connection))
    except psycopg.Error as error:
        raise UnusableDatabaseError(explained(words_of(error))) from error


class PostgresEngine:
    """Implements Engine over the database at `address`, which it owns alone. Raises
    UnusableDatabaseError.

    `fingerprint` is that of the key which seals its secrets; without `is_synced` a change is with
    the system, not on the disk, when it is answered. It writes at the level `level_max` at most.
    """

    is_lasting = True

    def __init__(
        self,
        address: str,
        fingerprint: str,
        *,
        kinds: tuple[Kind, ...] = KINDS,
        is_synced: bool = True,
        fleet: FleetAddress | None = None,
        level_max: int = LEVEL,
    ):
        self._address = address
        self._fleet_address, self._level_max = fleet, level_max
        self.fleet: Fleet | None = None
        self._settings = () if is_synced else ("synchronous_commit = off",)
        self._tables = tables_of(kinds)
        self._codecs = {
            codec.shape.table: (self._tables[kind], codec) for kind, codec in codecs(kinds).items()
        }
        self._cleaner: gevent.Greenlet | None = None
        wire, self._owner = self._open_owned(fingerprint)
        self._writer = BatchingWriter(self._open_writing, wire, self._owner)
        self._reader = MultiplexedReader(self._open_reading)
        self._long_reader = LongReader(self._open_reading)
        if isinstance(self._owner, FleetMember):
            self._writer.unknown_s_max = FLEET_UNKNOWN_S
            self.fleet = Fleet(self, self._owner, self._open_reading)
        self.records: ServerRecords = self._open_records()
        self._end_unknown_worlds()

    @property
    def is_shared(self) -> bool:
        """Whether this is a member of a fleet."""
        return self.fleet is not None

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""
        return self._writer.failure

    @property
    def level(self) -> int:
        """The write level, as far as is known here. Raises UnreachableStoreError."""
        return self._owner.level

    @property
    def trips(self) -> DatabaseTrips:
        """The trips that were made so far."""
        return DatabaseTrips(self._reader.trips + self._long_reader.trips, self._writer.batches)

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements answer. Raises UnreachableStoreError."""
        return self._reader.ask(*statements)

    def ask_long(self, *statements: SqlStatement) -> list[Rows]:
        """The same, where it may be long: short questions do not wait for it."""
        return self._long_reader.ask(*statements)

    def store(self, work: Work) -> None:
        """Store a work. Raises ConflictError, UnreachableStoreError."""
        self._writer.store(work)

    def take_home(self, identity: str) -> None:
        """Let no other member serve the sandbox. Raises ServedElsewhereError."""
        if self.fleet is not None:
            self.fleet.homes.take(identity)

    def make_home(self, identity: str) -> None:
        """The same of a sandbox that may not be there yet. Raises ServedElsewhereError."""
        if self.fleet is not None:
            self.fleet.homes.make(identity)

    def leave_home(self, identity: str) -> None:
        """Be no home of a sandbox that is not there any more."""
        if self.fleet is not None:
            self.fleet.homes.leave(identity)
            self._clean()

    def steer(self, identity: str) -> None:
        """Let no other member serve the sandbox beside this one."""
        if self.fleet is not None:
            self.fleet.homes.steered(identity)

    def changed(self) -> Sequence[str]:
        """The ids of the sandboxes that other members may have changed since the last call."""
        return self.records.changed() if isinstance(self.records, SharedRecords) else ()

    def problem(self) -> str | None:
        """Why nothing can be read now, or None."""
        if self.fleet is not None and self.fleet.member.problem is not None:
            return self.fleet.member.problem
        try:
            with gevent.Timeout(PROBE_S):
                self.ask(SqlStatement("select 1"))
        except gevent.Timeout:
            return f"the database: no answer within {PROBE_S:g} s"
        except UnreachableStoreError as error:
            return str(error)
        return None

    def store_of(self, sandbox: Sandbox) -> PostgresStore:
        """A store of the sandbox in its epoch."""
        return self._store_in(partial(self._world_of, sandbox.id, sandbox.epoch))

    def calm_database(self, calm: Calm) -> CalmDatabase:
        """This database for a member that is not the home of the sandbox, while that calm lasts."""
        return CalmDatabase(self, self._tables, calm)

    def store_over(self, sandbox: Sandbox, database: CalmDatabase) -> PostgresStore:
        """A store of the sandbox in its epoch, over that."""
        return self._store_in(partial(self._world_of, sandbox.id, sandbox.epoch), database)

    def _store_in(
        self, world: Callable[[], int], database: Database | None = None
    ) -> PostgresStore:
        return PostgresStore(database or self, self._tables, world=world, copy=self._copy)

    def _open_records(self) -> ServerRecords:
        if self.fleet is None:
            return PostgresRecords(self, self._tables)
        stored = self._store_in(lambda: SERVER_WORLD)
        return SharedRecords(stored, self.fleet.homes, self.fleet.member.number)

    def may_have_records(self, sandbox: Sandbox) -> bool:
        """Whether a world was made for this epoch."""
        return self._find_world(sandbox.id, sandbox.epoch) is not None

    def fill(self, sandbox: Sandbox, store: SandboxStore, snapshot: SnapshotFile) -> None:
        """Put the records of a snapshot into the epoch, in place of what an interrupted restore may
        have left. Raises UnreachableStoreError.
        """
        self.drop(sandbox)
        fill_world(self, self._codecs, self._world_of(sandbox.id, sandbox.epoch), snapshot)

    def drop(self, sandbox: Sandbox) -> None:
        """End the world of this epoch; its records are removed afterwards, some at a time."""
        given = [sandbox.id.encode(), int4(sandbox.epoch)]
        self.store(Work((), [("world", *given)], [SqlStatement(END_WORLD, given)]))
        self._clean()

    def close(self) -> None:
        """Store what is pending and give the connections back."""
        if self._cleaner is not None:
            self._cleaner.kill()
        self.records.close()
        if self.fleet is not None:
            self.fleet.leave()
        self._writer.close()
        self._reader.close()
        self._long_reader.close()

    def _open_owned(self, fingerprint: str) -> tuple[Wire, Owner]:
        """The connection that has the right to write, with the schema behind it."""
        try:
            with connect(self._address) as connection:
                refuse_other_key(read_server_row(connection, self._level_max), fingerprint)
                wire = self._open_reading()
                try:
                    return wire, self._own(connection, wire, fingerprint)
                except DatabaseInUseError:
                    wire.close()
                    raise UnusableDatabaseError(_in_use(connection)) from None
                except UnusableDatabaseError:
                    wire.close()
                    raise
        except psycopg.Error as error:
            raise UnusableDatabaseError(explained(words_of(error))) from error
        except UnreachableStoreError as error:
            raise UnusableDatabaseError(explained(error.reason)) from error

    def _own(self, connection: Connection, wire: Wire, fingerprint: str) -> Owner:
        """The right to write, alone or as a member. Raises DatabaseInUseError and others."""
        tables = list(self._tables.values())
        if self._fleet_address is not None:
            take_lock(wire, within_s=LOCK_AT_START_S, statement=TAKE_SHARED)
            make_schema(connection, tables, fingerprint, self._level_max)
            return join_fleet(
                connection,
                wire,
                self._fleet_address,
                level_max=self._level_max,
                within_s=LOCK_AT_START_S,
            )
        take_lock(wire, within_s=LOCK_AT_START_S)
        make_schema(connection, tables, fingerprint, self._level_max)
        # A fleet that has just left may have raised the level.
        read_server_row(connection, self._level_max)
        return SoleOwner(wire, self._level_max)

    def _open_writing(self) -> Wire:
        """Another connection in place of one that was lost. Raises UnreachableStoreError."""
        wire = self._open_reading()
        try:
            self._owner.take_again(wire, within_s=LOCK_AGAIN_S)
        except DatabaseInUseError:
            wire.close()
            raise UnreachableStoreError("the former connection has not ended yet") from None
        except UnreachableStoreError:
            wire.close()
            raise
        return wire

    def _open_reading(self) -> Wire:
        if self._fleet_address is None:
            return Wire(self._address, settings=self._settings)
        return Wire(
            self._address,
            settings=self._settings,
            trip_s=FLEET_TRIP_S,
            connect_s=FLEET_CONNECT_S,
        )

    def _copy(self, world: int) -> Iterator[bytes]:
        tables = [table for kind, table in self._tables.items() if kind not in SERVER_RECORDS]
        return copy_world(self._open_reading, tables, world)

    def _world_of(self, identity: str, epoch: int) -> int:
        """The number of a sandbox in an epoch, made where there is none."""
        found = self._find_world(identity, epoch)
        if found is None:
            given = [identity.encode(), int4(epoch)]
            self.store(Work((), [("world", *given)], [SqlStatement(MAKE_WORLD, given)]))
            found = self._find_world(identity, epoch)
        assert found is not None, "it was made just now"
        return found

    def _find_world(self, identity: str, epoch: int) -> int | None:
        (rows,) = self.ask(SqlStatement(FIND_WORLD, [identity.encode(), int4(epoch)]))
        return number_in(bytes(rows[0][0] or b"")) if rows else None

    def _end_unknown_worlds(self) -> None:
        """End what a crash has left: worlds of sandboxes, or of epochs, that are no more. A member
        does so while it is alone: what one makes that joins later is not among those found before.
        """
        if self._has_others():
            return
        known = {(each.id, each.epoch) for each in self.records.sandboxes()}
        left = [each for each, name, epoch in self._worlds() if name and (name, epoch) not in known]
        if not self._has_others():
            self.store(Work((), [("worlds",)], [SqlStatement(END_THESE, [int4s(left)])]))
            self._clean()

    def _has_others(self) -> bool:
        return self.fleet is not None and not self.fleet.is_alone

    def _worlds(self) -> list[tuple[int, str | None, int]]:
        (rows,) = self.ask(SqlStatement(ALL_WORLDS))
        return [
            (number_in(bytes(world or b"")), None if name is None else bytes(name).decode(),
             number_in(bytes(epoch or b"")))
            for world, name, epoch in rows
        ]  # fmt: skip

    def _clean(self) -> None:
        if self._cleaner is None:
            self._cleaner = gevent.spawn(self._clean_all)

    def _clean_all(self) -> None:
        try:
            while ended := [world for world, name, _ in self._worlds() if name is None]:
                for world in ended:
                    self._clean_world(int4(world))
        except UnreachableStoreError as error:
            LOG.warning("records of former epochs are removed later: %s", error)
        finally:
            self._cleaner = None

    def _clean_world(self, world: bytes) -> None:
        names = [table.name for table in self._tables.values()]
        is_clean = False
        while not is_clean:
            gevent.sleep(CLEAN_PAUSE_S)
            held = self._names_with_records(names, world)
            is_clean = not held
            for name in held:
                sql = (
                    f"delete from {name} where world = $1::int4 and id = any(array(select id from"
                    f" {name} where world = $1::int4 limit {CLEANED_AT_ONCE}))"
                )
                self.store(Work((), [("clean", world)], [SqlStatement(sql, [world])]))
        self.store(Work((), [("clean", world)], [SqlStatement(REMOVE_WORLD, [world])]))

    def _names_with_records(self, names: Sequence[str], world: bytes) -> list[str]:
        asked = (
            SqlStatement(f"select 1 from {name} where world = $1::int4 limit 1", [world])
            for name in names
        )
        return [name for name, rows in zip(names, self.ask(*asked), strict=True) if rows]


def _in_use(connection: "psycopg.Connection[tuple[object, ...]]") -> str:
    holder = connection.execute(HOLDER).fetchone()
    who = "another gateway" if holder is None else f"a gateway at {holder[1]} (backend {holder[0]})"
    return f"{who} uses it, expected one at a time; stop that one, or name another database"

"""The records of the server in PostgreSQL, and in memory: the gateway owns the database alone."""

from collections.abc import Iterator
from pathlib import Path

from gevent.lock import BoundedSemaphore

from simulator.adapters.postgresql.database import Database, wait_for_outcomes
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.tables import RecordTable
from simulator.adapters.store.engine import ServerRecord
from simulator.adapters.store.server_memory import END_OF_TIME, ServerMemory
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import UnknownOutcomeError
from simulator.domain.core.ports import Unit

# The number of the world that no sandbox has.
SERVER_WORLD = 0


class PostgresRecords:
    """Implements ServerRecords."""

    def __init__(self, database: Database, tables: dict[type, RecordTable]):
        self._database = database
        self._stored = PostgresStore(
            database, tables, world=lambda: SERVER_WORLD, copy=lambda world: iter(())
        )
        self._is_stale = False
        # Of two that read again at once, one would not see what the other has stored meanwhile.
        self._reading = BoundedSemaphore(1)
        self._has_records = Sandbox in tables
        self._memory = self._read()

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""
        return self._database.failure

    def get(self, kind: type[ServerRecord], identity: str) -> ServerRecord | None:
        """The record as last stored, or None. Raises UnreachableStoreError."""
        return self._present().get(kind, identity)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first. Raises UnreachableStoreError."""
        return self._present().sandboxes()

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._memory.count()

    def commit(self, unit: Unit) -> None:
        """Store a unit, durable on return. Raises ConflictError if a record has another version or
        is being written, UnreachableStoreError.
        """
        memory = self._present()
        try:
            memory.commit(unit, self._stored.commit)
        except UnknownOutcomeError:
            self._is_stale = True
            raise

    def close(self) -> None:
        """Hold nothing any more."""
        self._memory.close()

    def _present(self) -> ServerMemory:
        """What is stored: read again where that is not known."""
        if self._is_stale:
            with self._reading:
                if self._is_stale:
                    wait_for_outcomes(self._database)
                    self._memory = self._read()
                    self._is_stale = False
        return self._memory

    def _read(self) -> ServerMemory:
        memory = ServerMemory(Path("postgresql"))
        if self._has_records:
            default = self._stored.get(DefaultSandbox, "default")
            found = list(self._stored.between(Sandbox, "date", "", END_OF_TIME))
            memory.fill([*([] if default is None else [default]), *found])
        return memory

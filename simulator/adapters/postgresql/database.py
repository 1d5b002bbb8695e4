"""The database as a store reaches it: by the connections of its process, or within a calm."""

from typing import NamedTuple, Protocol

from simulator.adapters.postgresql.wire import Rows, SqlStatement
from simulator.adapters.postgresql.writer import Work


class DatabaseTrips(NamedTuple):
    """How many trips were made to read, and how many batches were written."""

    read: int
    written: int


class Storing(Protocol):
    """Where works are stored."""

    def store(self, work: Work) -> None:
        """Store a work. Raises ConflictError, UnreachableStoreError."""


class Database(Storing, Protocol):
    """What a store needs of the connections of its process."""

    @property
    def level(self) -> int:
        """The write level, which is never lowered. Raises UnreachableStoreError."""

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements answer. Raises UnreachableStoreError."""

    def ask_long(self, *statements: SqlStatement) -> list[Rows]:
        """The same, where it may be long: short questions do not wait for it."""


def wait_for_outcomes(database: Storing) -> None:
    """Return once nothing that was stored over a connection that is lost is still under way: what
    is read from then on stands. Raises UnreachableStoreError.
    """
    database.store(Work((), [("outcomes",)], [SqlStatement("select 1")]))

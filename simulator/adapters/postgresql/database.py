"""The database as a store reaches it: by the connections of its process, or within a calm."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from gevent.lock import BoundedSemaphore

from simulator.adapters.postgresql.wire import Rows, SqlStatement
from simulator.adapters.postgresql.writer import Work
from simulator.domain.core.errors import (
    LostOutcomeError,
    UnknownOutcomeError,
    UnreachableStoreError,
)


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
    try:
        database.store(Work((), [("outcomes",)], [SqlStatement("select 1")]))
    except LostOutcomeError as lost:
        # Nothing was to be stored.
        raise UnreachableStoreError(lost.reason) from lost


class Outcomes:
    """What a store writes with unknown outcome: `unknown` counts it, and `lost` is called then."""

    __slots__ = ("lost", "unknown", "_known", "_settling")

    def __init__(self, lost: Callable[[], object]):
        self.lost = lost
        self.unknown = self._known = 0
        self._settling = BoundedSemaphore(1)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """While it lasts something is written."""
        try:
            yield
        except UnknownOutcomeError:
            self.unknown += 1
            self.lost()
            raise

    def settle(self, database: Storing, *read_again: Callable[[], object]) -> None:
        """Where an outcome is unknown: once it stands, read again. Raises UnreachableStoreError."""
        while self._known != self.unknown:
            with self._settling:
                self._settle(database, read_again)

    def _settle(self, database: Storing, read_again: Sequence[Callable[[], object]]) -> None:
        unknown = self.unknown
        # Another one may just have done it.
        if self._known != unknown:
            wait_for_outcomes(database)
            for read in read_again:
                read()
            self._known = unknown

"""Who may write in a database: one gateway alone, or the members of a fleet.

Either is held by a lock that ends with the connection of the writer. So a gateway whose connection
was lost knows, once it has the lock again, that nothing of the former connection is still under
way, and by its term whether it may still write.
"""

from time import monotonic
from typing import Protocol

import gevent

from simulator.adapters.postgresql.values import int4, int8, number_in
from simulator.adapters.postgresql.wire import FailedGroup, SqlStatement, Wire
from simulator.domain.core.errors import UnreachableStoreError

# "sandgate" in ASCII, without the sign.
LOCK = int8(0x73616E6467617465)
LOCK_STEP_S = 0.1
TAKE_LOCK = "select pg_try_advisory_lock($1::int8)"
COUNT_TERM = "update server set term = term + 1, batches = '{}', level = $1::int4 returning term"
READ_TERM = "select term from server"
DEPOSED = "another gateway has served it since; start this one again"
NOTE_NUMBER = (
    "update server set batches ="
    " case when $2::int4 = 1 then array[$1::int8] else batches || $1::int8 end"
)
READ_NUMBERS = SqlStatement("select cast(batches as text) from server")


class DatabaseInUseError(Exception):
    """Another gateway has the lock."""


class EndedRightError(UnreachableStoreError):
    """This gateway may not write any more."""


class Owner(Protocol):
    """The right of a gateway to write."""

    @property
    def level(self) -> int:
        """The write level of the database, as far as is known here. Raises EndedRightError where
        this gateway cannot write at it.
        """

    def learn_level(self, wire: Wire) -> None:
        """Read it again. Raises UnreachableStoreError."""

    @property
    def numbers(self) -> SqlStatement:
        """Reads the numbers of the transactions that were stored last."""

    def note(self, number: int, *, is_first: bool) -> SqlStatement:
        """Notes the number of a transaction, which fails where the right has ended; the `first` of
        a trip takes the place of those before.
        """

    def take_again(self, wire: Wire, *, within_s: float) -> None:
        """Have the right over another connection, once nothing of the former one is under way.

        Raises DatabaseInUseError, UnreachableStoreError.
        """


class SoleOwner:
    """Implements Owner for a gateway that has the database alone. Each one counts a term.

    It writes at `level` from the first record on: no other gateway has to read what it writes.
    """

    numbers = READ_NUMBERS

    def __init__(self, wire: Wire, level: int):
        self._term = number_in(one_value(wire, SqlStatement(COUNT_TERM, [int4(level)])))
        self.level = level

    def learn_level(self, wire: Wire) -> None:
        """There is no other gateway that could raise it."""

    def note(self, number: int, *, is_first: bool) -> SqlStatement:
        return SqlStatement(NOTE_NUMBER, [int8(number), int4(is_first)])

    def take_again(self, wire: Wire, *, within_s: float) -> None:
        take_lock(wire, within_s=within_s)
        if number_in(one_value(wire, SqlStatement(READ_TERM))) != self._term:
            raise UnreachableStoreError(DEPOSED)


def take_lock(wire: Wire, *, within_s: float, statement: SqlStatement | None = None) -> None:
    """Take a lock, else the one of a sole owner, waiting for a connection that is just ending.

    Raises DatabaseInUseError.
    """
    statement = statement or SqlStatement(TAKE_LOCK, [LOCK])
    until = monotonic() + within_s
    while one_value(wire, statement) != b"\x01":
        if monotonic() > until:
            raise DatabaseInUseError
        gevent.sleep(LOCK_STEP_S)


def one_value(wire: Wire, statement: SqlStatement) -> bytes:
    """The one value that a statement answers. Raises UnreachableStoreError."""
    (answer,) = wire.run([[statement]])
    if isinstance(answer, FailedGroup):
        raise UnreachableStoreError(answer.text)
    value = answer[0][0][0]
    assert value is not None, "asked for what is there"
    return bytes(value)

"""Which gateway a database belongs to: one at a time, by a lock that ends with its connection.

Each gateway that takes the lock counts the term. So a gateway whose connection was lost knows, once
it has the lock again, that nothing of the former connection is still under way, and by the term
whether another gateway was there meanwhile.
"""

from time import monotonic

import gevent

from simulator.adapters.postgresql.values import int8, number_in
from simulator.adapters.postgresql.wire import FailedGroup, SqlStatement, Wire
from simulator.domain.core.errors import UnreachableStoreError

# "sandgate" in ASCII, without the sign.
LOCK = int8(0x73616E6467617465)
LOCK_STEP_S = 0.1
TAKE_LOCK = "select pg_try_advisory_lock($1::int8)"
COUNT_TERM = "update server set term = term + 1, batches = '{}' returning term"
READ_TERM = "select term from server"
DEPOSED = "another gateway has served it since; start this one again"


class DatabaseInUseError(Exception):
    """Another gateway has the lock."""


def take_lock(wire: Wire, *, within_s: float) -> None:
    """Take the lock, waiting for a connection that is just ending. Raises DatabaseInUseError."""
    until = monotonic() + within_s
    while one_value(wire, SqlStatement(TAKE_LOCK, [LOCK])) != b"\x01":
        if monotonic() > until:
            raise DatabaseInUseError
        gevent.sleep(LOCK_STEP_S)


def count_term(wire: Wire) -> int:
    """The new term of this gateway, which has the lock."""
    return number_in(one_value(wire, SqlStatement(COUNT_TERM)))


def refuse_other_term(wire: Wire, term: int) -> None:
    """Raise UnreachableStoreError where another gateway had the lock meanwhile."""
    if number_in(one_value(wire, SqlStatement(READ_TERM))) != term:
        raise UnreachableStoreError(DEPOSED)


def one_value(wire: Wire, statement: SqlStatement) -> bytes:
    """The one value that a statement answers. Raises UnreachableStoreError."""
    (answer,) = wire.run([[statement]])
    if isinstance(answer, FailedGroup):
        raise UnreachableStoreError(answer.text)
    value = answer[0][0][0]
    assert value is not None, "asked for what is there"
    return bytes(value)

"""One connection to PostgreSQL: pipelines of prepared statements, one flush and one wait for each.

It waits on the hub's own watchers, so that it costs a fraction of a cursor and works whether or not
the process is patched. One greenlet at a time may use it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import gevent
import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from simulator.domain.core.errors import UnreachableStoreError

READ, READ_AND_WRITE = 1, 3
# After so long without an answer the connection is given up.
TRIP_S_MAX = 20.0
CONNECT_S = 5
DEFAULTS = {"application_name": "sandgate"}
# What is wrong with an address is said in the words of libpq. Of what these repeat only the name of
# an option cannot be a password, or a part of one.
REPEATED = re.compile(r'"(?![a-z_]+")[^"]*"')
# A sign of a password that stands for itself ends it, and what follows would be taken for a host.
AUTHORITY = re.compile(r"\w+://[^@/?#]*(?:@[^@/?#]*)?(?:/[^@?#]*)?(?:\?.*)?")
PORTS = re.compile(r"[0-9,]*")
UNREADABLE = (
    "expected an address such as postgresql://user@host:5432/database, with each @, /, ? and # of "
    "a password percent-encoded"
)
# A plan that was made for an empty table must not survive, so none is made from statistics.
SETTINGS = (
    "search_path = sandgate",
    "plan_cache_mode = force_generic_plan",
    "enable_seqscan = off",
    "enable_hashjoin = off",
    "enable_mergejoin = off",
    "jit = off",
)

Row = list[bytes | None]
Rows = list[Row]


class SqlStatement(NamedTuple):
    """SQL with its parameters in binary, and how long the bodies are at most that it brings."""

    sql: str
    parameters: Sequence[bytes | None] = ()
    most: int = 0


class FailedGroup(NamedTuple):
    """A group that changed nothing: the code and the words of PostgreSQL, without any value."""

    code: str
    text: str


Answer = list[Rows] | FailedGroup


class Wire:
    """A connection. Raises UnreachableStoreError, after which it is of no use any more."""

    def __init__(
        self,
        address: str,
        *,
        settings: Sequence[str] = (),
        trip_s: float = TRIP_S_MAX,
        connect_s: int = CONNECT_S,
    ):
        self._trip_s = trip_s
        self._names: dict[str, bytes] = {}
        try:
            connection = connect(address, connect_s=connect_s)
            for setting in (*SETTINGS, *settings):
                connection.execute(f"set {setting}".encode())
            self._connection = connection
            self._line = connection.pgconn
            self._line.nonblocking = 1
            self._line.enter_pipeline_mode()
        except psycopg.Error as error:
            raise UnreachableStoreError(words_of(error)) from error
        io = gevent.get_hub().loop.io
        self._readable = io(self._line.socket, READ)
        self._ready = io(self._line.socket, READ_AND_WRITE)

    def run(self, groups: Sequence[Sequence[SqlStatement]]) -> list[Answer]:
        """What each group answers, in one trip. Each is a transaction: its statements change all or
        nothing, and one that fails does not keep the others from being done.
        """
        try:
            with gevent.Timeout(self._trip_s):
                return self._run(groups)
        except psycopg.Error as error:
            reason = words_of(error)
        except gevent.Timeout:
            reason = f"no answer within {self._trip_s:g} s"
        self.close()
        raise UnreachableStoreError(reason)

    @property
    def is_open(self) -> bool:
        """Whether the server has not ended it, as far as is known here; costs no wait."""
        line = self._line
        try:
            # The last words of the server come first, and then the end.
            for _ in range(2):
                line.consume_input()
                line.is_busy()
        except psycopg.Error:
            return False
        is_fit = line.pipeline_status == pq.PipelineStatus.ON
        return is_fit and line.status == pq.ConnStatus.OK

    def close(self) -> None:
        """Give it back."""
        with suppress(psycopg.Error):
            self._connection.close()
        for watcher in (self._readable, self._ready):
            watcher.close()

    def _run(self, groups: Sequence[Sequence[SqlStatement]]) -> list[Answer]:
        line, names = self._line, self._names
        new = {each.sql for group in groups for each in group if each.sql not in names}
        for sql in new:
            name = names[sql] = b"s%d" % len(names)
            line.send_prepare(name, sql.encode())
        if new:
            # In a group of their own: one that fails would take its statements with it.
            line.pipeline_sync()
        for group in groups:
            for sql, parameters, _ in group:
                formats = [pq.Format.BINARY] * len(parameters)
                line.send_query_prepared(names[sql], parameters, formats, pq.Format.BINARY)
            line.pipeline_sync()
        while line.flush():
            # Waiting for room alone would block where PostgreSQL waits to be read.
            gevent.get_hub().wait(self._ready)
            line.consume_input()
        if new and isinstance(prepared := self._answer(), FailedGroup):
            raise psycopg.OperationalError(f"{prepared.code} {prepared.text}")
        return [self._answer() for _ in groups]

    def _answer(self) -> Answer:
        rows: list[Rows] = []
        failed: FailedGroup | None = None
        while (result := self._result()) is None or result.status != pq.ExecStatus.PIPELINE_SYNC:
            if result is None:
                continue
            if result.status == pq.ExecStatus.FATAL_ERROR:
                failed = _failure_in(result)
            elif result.status == pq.ExecStatus.TUPLES_OK:
                rows.append(_rows_in(result))
        return failed or rows

    def _result(self) -> pq.abc.PGresult | None:
        line = self._line
        while line.is_busy():
            gevent.get_hub().wait(self._readable)
            line.consume_input()
        result = line.get_result()
        if result is None and line.status == pq.ConnStatus.BAD:
            raise psycopg.OperationalError("the connection was lost")
        return result


class KeptWire:
    """A connection, else None, that `open_wire` makes again where it was lost."""

    def __init__(self, open_wire: Callable[[], Wire], wire: Wire | None = None):
        self._open_wire = open_wire
        self._wire = wire

    def held(self) -> Wire:
        """The connection, made where there is none. Raises UnreachableStoreError."""
        if self._wire is None:
            self._wire = self._open_wire()
        return self._wire

    def open(self) -> Wire:
        """The same, made again where the server has ended it. Raises UnreachableStoreError."""
        if self._wire is not None and not self._wire.is_open:
            self.close()
        return self.held()

    def drop(self) -> None:
        """It was lost."""
        self._wire = None

    def close(self) -> None:
        """Give it back."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None


def connect(
    address: str, *, connect_s: int = CONNECT_S
) -> "psycopg.Connection[tuple[object, ...]]":
    """A connection, each statement a transaction of its own. Raises psycopg.Error."""
    given, usual = _read_address(address), {**DEFAULTS, "connect_timeout": connect_s}
    more: dict[str, Any] = {name: usual[name] for name in usual if name not in given}
    return psycopg.connect(make_conninfo(address, **more), autocommit=True)


def _read_address(address: str) -> Mapping[str, Any]:
    """The options that an address names. Raises psycopg.ProgrammingError, which repeats none of
    their values.
    """
    try:
        given = conninfo_to_dict(address)
    except psycopg.Error as error:
        said = REPEATED.sub('"***"', words_of(error))
        raise psycopg.ProgrammingError(said) from None
    if not AUTHORITY.fullmatch(address) or not PORTS.fullmatch(str(given.get("port", ""))):
        raise psycopg.ProgrammingError(UNREADABLE)
    return given


def words_of(error: Exception) -> str:
    """What PostgreSQL says, on one line."""
    return " ".join(str(error).split())


def _rows_in(result: pq.abc.PGresult) -> Rows:
    columns = range(result.nfields)
    return [[result.get_value(row, column) for column in columns] for row in range(result.ntuples)]


def _failure_in(result: pq.abc.PGresult) -> FailedGroup:
    fields = (pq.DiagnosticField.SQLSTATE, pq.DiagnosticField.MESSAGE_PRIMARY)
    code, text = ((result.error_field(each) or b"").decode(errors="replace") for each in fields)
    return FailedGroup(code, text)

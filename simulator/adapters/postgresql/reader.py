"""The reader: questions that come while a trip is under way share the next one."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import gevent
from gevent.hub import Waiter

from simulator.adapters.postgresql.database import Database
from simulator.adapters.postgresql.tables import (
    FOUND_EACH,
    FOUND_FIRST,
    FOUND_PART,
    LONG_BYTES,
    ONE_BYTES,
)
from simulator.adapters.postgresql.values import int8, is_cut, with_bodies
from simulator.adapters.postgresql.wire import (
    Answer,
    FailedGroup,
    KeptWire,
    Rows,
    SqlStatement,
    Wire,
)
from simulator.adapters.turns import OWNER, OwnersTurns
from simulator.domain.core.errors import UnreachableStoreError

LOG = logging.getLogger("sandgate.store")
# How much a trip brings: so many answers, and bodies of so many bytes.
READS_MAX, TRIP_BYTES = 500, 4 << 20
# Of so many owners a long read is under way at once.
LONG_READS_MAX = 4


class AskedStatements(NamedTuple):
    """What is asked, and who waits for the answer."""

    statements: Sequence[SqlStatement]
    waiter: Waiter


class WaitingQuestions:
    """The questions that wait for the next trip. Of the owners each has one in turn: however many
    long ones there are of one, that of another comes with the next trip.
    """

    def __init__(self) -> None:
        # In the order in which the owners come next.
        self._by_owner: dict[str, deque[AskedStatements]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_owner)

    def add(self, question: AskedStatements) -> None:
        """Let a question of this owner wait."""
        self._by_owner.setdefault(OWNER.get(), deque()).append(question)

    def take(self) -> list[AskedStatements]:
        """Those of the next trip: no more than it may bring, and the first one in any case."""
        taken: list[AskedStatements] = []
        room = TRIP_BYTES
        while self._by_owner and room > 0 and len(taken) < READS_MAX:
            owner = next(iter(self._by_owner))
            questions = self._by_owner.pop(owner)
            taken.append(questions.popleft())
            room -= sum([each.most for each in taken[-1].statements])
            if questions:
                self._by_owner[owner] = questions
        return taken


class MultiplexedReader:
    """Reads over the connection that `open_wire` makes, and makes again."""

    def __init__(self, open_wire: Callable[[], Wire]):
        self.trips = self.reads = 0
        self._kept = KeptWire(open_wire)
        self._waiting = WaitingQuestions()
        self._greenlet: gevent.Greenlet | None = None

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements that change nothing answer. Raises UnreachableStoreError."""
        self.reads += 1
        waiter: Waiter = Waiter()
        self._waiting.add(AskedStatements(statements, waiter))
        if self._greenlet is None:
            self._greenlet = gevent.spawn(self._run)
        answer = waiter.get()
        if isinstance(answer, FailedGroup):
            raise UnreachableStoreError(f"{answer.code}: {answer.text}")
        if isinstance(answer, Exception):
            raise answer
        rows: list[Rows] = answer
        return rows

    def close(self) -> None:
        """Give the connection back."""
        if self._greenlet is not None:
            self._greenlet.join()
        self._kept.close()

    def _run(self) -> None:
        try:
            while self._waiting:
                asked = self._waiting.take()
                answers = self._answers([statements for statements, _ in asked])
                run_callback = gevent.get_hub().loop.run_callback
                for (_, waiter), answer in zip(asked, answers, strict=True):
                    run_callback(waiter.switch, answer)
        finally:
            self._greenlet = None

    def _answers(self, groups: Sequence[Sequence[SqlStatement]]) -> Sequence[Answer | Exception]:
        self.trips += 1
        try:
            return self._read(groups)
        except UnreachableStoreError as lost:
            failed: Exception = lost
        except Exception as error:
            LOG.exception("internal error while reading")
            failed = RuntimeError(f"not read: {error}")
        # What may still come on it answers no other question.
        self._kept.drop()
        return [failed] * len(groups)

    def _read(self, groups: Sequence[Sequence[SqlStatement]]) -> Sequence[Answer]:
        with suppress(UnreachableStoreError):
            return self._kept.held().run(groups)
        # It may have been idle while the database was started anew: reading twice does no harm.
        self._kept.drop()
        return self._kept.held().run(groups)


class LongReader:
    """Long reads, over a connection that is theirs: short ones do not wait for them. Of each owner
    one is under way, however many it wants, and of few owners at once.
    """

    def __init__(self, open_wire: Callable[[], Wire]):
        self._reader = MultiplexedReader(open_wire)
        self._turns = OwnersTurns(LONG_READS_MAX)

    @property
    def trips(self) -> int:
        """The trips that were made so far."""
        return self._reader.trips

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements that change nothing answer. Raises UnreachableStoreError."""
        with self._turns.taken(OWNER.get()):
            return self._reader.ask(*statements)

    def close(self) -> None:
        """Give the connection back."""
        self._reader.close()


def ask_for(
    database: Database, sql: str, given: Sequence[bytes], length: int, *before: SqlStatement
) -> list[Rows]:
    """What a statement answers whose bodies are within a length, behind others. Raises
    UnreachableStoreError.
    """
    ask = database.ask if length < LONG_BYTES else database.ask_long
    return ask(*before, SqlStatement(sql, [*given, int8(length)], length))


def is_left_out(rows: Rows) -> bool:
    """Whether the body of the first row is longer than what was asked for."""
    return bool(rows) and rows[0][-2] is None


def at_any_length(database: Database, sql: str, given: Sequence[bytes], rows: Rows) -> Rows:
    """The one row that was found, if any, with its body: a long one is read by itself."""
    if is_left_out(rows):
        (rows,) = ask_for(database, sql, given, LONG_BYTES)
    return rows


def one_row(database: Database, sql: str, given: Sequence[bytes]) -> Rows:
    """The one row that is found, if any."""
    (rows,) = ask_for(database, sql, given, ONE_BYTES)
    return at_any_length(database, sql, given, rows)


def found_rows(database: Database, first: str, more: str, given: Sequence[bytes]) -> Rows:
    """The rows that `find_records` finds, and those behind them that `find_more` does, some at a
    time.
    """
    (rows,) = database.ask(SqlStatement(first, given, FOUND_FIRST * FOUND_EACH))
    found, some = with_bodies(rows), FOUND_FIRST
    while len(rows) == some or is_cut(rows):
        serial = (found[-1][0] or b"") if found else int8(-1)
        (rows,) = ask_for(database, more, [*given, serial], LONG_BYTES)
        found += with_bodies(rows)
        some = FOUND_PART
    return found

"""The reader: questions that come while a trip is under way share the next one."""

import logging
from collections.abc import Callable, Sequence

import gevent
from gevent.hub import Waiter

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
READS_MAX = 500
# Of so many owners a long read is under way at once.
LONG_READS_MAX = 4

Question = tuple[Sequence[SqlStatement], Waiter]


class MultiplexedReader:
    """Reads over the connection that `open_wire` makes, and makes again."""

    def __init__(self, open_wire: Callable[[], Wire]):
        self.trips = self.reads = 0
        self._kept = KeptWire(open_wire)
        self._asked: list[Question] = []
        self._greenlet: gevent.Greenlet | None = None

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements that change nothing answer. Raises UnreachableStoreError."""
        self.reads += 1
        waiter: Waiter = Waiter()
        self._asked.append((statements, waiter))
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
            while self._asked:
                asked, self._asked = self._asked[:READS_MAX], self._asked[READS_MAX:]
                answers = self._answers([statements for statements, _ in asked])
                run_callback = gevent.get_hub().loop.run_callback
                for (_, waiter), answer in zip(asked, answers, strict=True):
                    run_callback(waiter.switch, answer)
        finally:
            self._greenlet = None

    def _answers(self, groups: Sequence[Sequence[SqlStatement]]) -> Sequence[Answer | Exception]:
        self.trips += 1
        try:
            return self._kept.held().run(groups)
        except UnreachableStoreError:
            # It may have been idle while the database was started anew: reading twice does no harm.
            self._kept.drop()
        try:
            return self._kept.held().run(groups)
        except UnreachableStoreError as lost:
            self._kept.drop()
            return [lost] * len(groups)
        except Exception as error:
            LOG.exception("internal error while reading")
            return [RuntimeError(f"not read: {error}")] * len(groups)


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

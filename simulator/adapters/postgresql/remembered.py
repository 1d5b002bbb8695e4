"""What was read of the kinds that every payment reads several times: of them nothing is read twice.

One process owns the database, so that nothing changes but by its own commits.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from simulator.adapters.postgresql.tables import RecordTable

Question = tuple[str, bytes]
# Of one kind; a client may ask for records that do not exist as often as it likes.
QUESTIONS_MAX = 1024


class Remembered:
    """Records by the question that found them, until one of their kind changes."""

    __slots__ = ("_changes", "_forgets", "_found", "_under_way")

    def __init__(self) -> None:
        self._found: dict[str, dict[Question, Sequence[Any]]] = {}
        self._changes: dict[str, int] = {}
        self._under_way: dict[str, int] = {}
        self._forgets = 0

    def known(self, table: RecordTable, question: Question) -> Sequence[Any] | None:
        """What the question found before, or None."""
        return self._found.get(table.name, {}).get(question)

    def state(self, table: RecordTable) -> int:
        """Which changes of a kind are over, for `keep`."""
        return self._changes.get(table.name, 0) + self._forgets

    def keep(
        self, table: RecordTable, question: Question, records: Sequence[Any], *, since: int
    ) -> None:
        """Remember what was read, unless a change came between or is under way."""
        if since == self.state(table) and not self._under_way.get(table.name):
            found = self._found.setdefault(table.name, {})
            if len(found) >= QUESTIONS_MAX:
                found.clear()
            found[question] = tuple(records)

    @contextmanager
    def changing(self, tables: Sequence[RecordTable]) -> Iterator[None]:
        """While it lasts records of these kinds change."""
        for table in tables:
            self._under_way[table.name] = self._under_way.get(table.name, 0) + 1
        try:
            yield
        finally:
            for table in tables:
                self._under_way[table.name] -= 1
                self._changes[table.name] = self._changes.get(table.name, 0) + 1
                self._found.pop(table.name, None)

    def forget(self) -> None:
        """Remember nothing of what was read until now."""
        self._found.clear()
        self._forgets += 1

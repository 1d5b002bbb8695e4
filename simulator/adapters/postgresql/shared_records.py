"""The records of a server that several members share: read where they are, each time.

Each change notes which sandbox it was, under a number that grows with every commit, so that the
other members know what of their tokens to read again.
"""

from collections.abc import Iterator, Sequence

from simulator.adapters.postgresql.database import wait_for_outcomes
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.values import array, int4, int8, number_in
from simulator.adapters.postgresql.wire import SqlStatement
from simulator.adapters.store.engine import ServerRecord
from simulator.adapters.store.server_memory import END_OF_TIME
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import UnknownOutcomeError
from simulator.domain.core.ports import Unit

LAST_CHANGE = "select changes from server"
NOTE_CHANGES = (
    "with noted as (update server set changes = changes + 1 returning changes)"
    " insert into changed_sandboxes (number, sandbox) select changes, each from noted,"
    " unnest($1::text[]) each"
)
FORGET_CHANGES = "delete from changed_sandboxes where at < clock_timestamp() - interval '1 hour'"
CHANGED = "select number, sandbox from changed_sandboxes where number > $1::int8 order by number"
ADD_HOMES = (
    "insert into homes (sandbox, member) select each, $2::int4 from unnest($1::text[]) each"
    " on conflict do nothing"
)


class SharedRecords:
    """Implements ServerRecords for the member with this number."""

    def __init__(self, stored: PostgresStore, homes: Homes, number: int):
        self._stored = stored
        self._homes = homes
        self._number = int4(number)
        self._is_stale = False
        ((row,),) = stored.database.ask(SqlStatement(LAST_CHANGE))
        self._seen = number_in(bytes(row[0] or b""))

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""
        return self._stored.failure

    def get(self, kind: type[ServerRecord], identity: str) -> ServerRecord | None:
        """The record as it is stored, or None."""
        if self._is_stale:
            wait_for_outcomes(self._stored.database)
            self._is_stale = False
        return self._stored.get(kind, identity)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._stored.between(Sandbox, "date", "", END_OF_TIME)

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._stored.count(Sandbox)

    def commit(self, unit: Unit) -> None:
        """Store a unit, durable on return; a sandbox is changed where it is at home. Raises
        ConflictError, UnreachableStoreError, ServedElsewhereError.
        """
        records = (*unit.puts, *unit.removes)
        changed = [each.id for each in records if isinstance(each, Sandbox)]
        made = [each.id for each in unit.puts if isinstance(each, Sandbox) and each.version == 1]
        for identity in changed:
            self._homes.take(identity)
            self._homes.steered(identity)
        try:
            self._stored.commit_with(unit, self._statements(changed, made))
        except UnknownOutcomeError:
            self._is_stale = True
            raise
        for identity in made:
            self._homes.add_own(identity)

    def changed(self) -> Sequence[str]:
        """The ids of the sandboxes that were changed since the last call, here or elsewhere."""
        (rows,) = self._stored.database.ask(SqlStatement(CHANGED, [int8(self._seen)]))
        found = [(number_in(bytes(one or b"")), bytes(two or b"").decode()) for one, two in rows]
        self._seen = max([self._seen, *(number for number, _ in found)])
        return list(dict.fromkeys(identity for _, identity in found))

    def close(self) -> None:
        """Hold nothing any more."""

    def _statements(self, changed: list[str], made: list[str]) -> Iterator[SqlStatement]:
        if changed:
            yield SqlStatement(NOTE_CHANGES, [_texts(changed)])
            yield SqlStatement(FORGET_CHANGES)
        if made:
            yield SqlStatement(ADD_HOMES, [_texts(made), self._number])


def _texts(texts: list[str]) -> bytes:
    return array("text", [each.encode() for each in texts])

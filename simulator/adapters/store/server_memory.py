"""The records of a server in memory, changed one unit of a record at a time."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from weakref import WeakValueDictionary

import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.engine import ServerRecord
from simulator.adapters.store.integrity import SANDBOXES
from simulator.adapters.store.kinds import KINDS, SERVER_RECORDS
from simulator.adapters.store.store import DocumentStore, refuse_other_version
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Unit

DEFAULTS = "defaults"
KINDS_OF_SERVER = tuple(kind for kind in KINDS if kind.record in SERVER_RECORDS)
END_OF_TIME = "9999-12-31"


class ServerMemory:
    """What the engine keeps of the server; reads cost no wait."""

    def __init__(self, place: Path):
        # What no unit is made of while it is written.
        self._under_way: set[str] = set()
        # What is in use is read once: that of a large sandbox takes milliseconds.
        self._held: WeakValueDictionary[str, Sandbox] = WeakValueDictionary()
        self._memory = DocumentStore(place, kinds=KINDS_OF_SERVER, durability=Durability.MEMORY)

    def fill(self, records: Iterable[Sandbox | DefaultSandbox]) -> None:
        """Hold these records, in their order; nothing may be held before."""
        self._memory.fill(_log_of(records))

    def get(self, kind: type[ServerRecord], identity: str) -> ServerRecord | None:
        """The record as last stored, or None."""
        held = self._held.get(identity)
        if isinstance(held, kind):
            return held
        found = self._memory.get(kind, identity)
        if isinstance(found, Sandbox):
            self._held[identity] = found
        return found

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._memory.between(Sandbox, "date", "", END_OF_TIME)

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._memory.count(Sandbox)

    def commit(self, unit: Unit, write: Callable[[Unit], object]) -> None:
        """Hold a unit once `write` has stored it. Raises ConflictError if a record has another
        version or is being written, and what `write` raises.
        """
        changed = {record.id for record in (*unit.puts, *unit.removes)}
        if changed & self._under_way:
            raise ConflictError("another change of the sandbox is being written")
        self._refuse_other_versions(unit)
        self._under_way |= changed
        try:
            write(unit)
            self._memory.commit(unit)
            self._hold(unit)
        finally:
            self._under_way -= changed

    def close(self) -> None:
        """Hold nothing any more."""
        self._memory.close()

    def _hold(self, unit: Unit) -> None:
        for record in (*unit.puts, *unit.removes):
            self._held.pop(record.id, None)
        self._held.update({each.id: each for each in unit.puts if isinstance(each, Sandbox)})

    def _refuse_other_versions(self, unit: Unit) -> None:
        for record in unit.puts:
            held = self.get(type(record), record.id)
            refuse_other_version(record, 1 if held is None else held.version + 1)
        for record in unit.removes:
            held = self.get(type(record), record.id)
            refuse_other_version(record, None if held is None else held.version)


def _log_of(records: Iterable[Sandbox | DefaultSandbox]) -> Iterator[bytes]:
    """The lines of a log that holds these records."""
    header = lines.header_line()
    yield header
    units = (_unit_of(serial, record) for serial, record in enumerate(records, 1))
    yield from map(b"".join, lines.render_units(units, synced=0, place=len(header)))


def _unit_of(serial: int, record: Sandbox | DefaultSandbox) -> bytes:
    table = SANDBOXES if isinstance(record, Sandbox) else DEFAULTS
    return lines.unit_of([(table, record.id, msgspec.json.encode((serial, record)))])

"""The records of the server: each sandbox in `sandbox.json` of its folder, and in memory.

A sandbox is its folder: people may open, copy and remove it while no gateway runs there. Which one
is the default stands in `server.json`. Up to release 0.1.0 they lay together in `registry.log`,
which is read once and put aside. Choice: D-309.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import msgspec

from simulator.adapters.store.commit import Durability, in_thread
from simulator.adapters.store.engine import ServerRecord
from simulator.adapters.store.files import Disk, LocalDisk, UnsyncedNameError
from simulator.adapters.store.integrity import (
    REGISTRY,
    SANDBOX_FILE,
    SANDBOXES,
    SERVER_FILE,
    folder_of,
    sandbox_files_in,
)
from simulator.adapters.store.server_memory import (
    DEFAULTS,
    END_OF_TIME,
    KINDS_OF_SERVER,
    ServerMemory,
)
from simulator.adapters.store.small_documents import (
    read_records,
    remove_documents,
    store_document,
)
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import (
    DamagedLogError,
    DamagedRecordError,
    DiskError,
    UnknownOutcomeError,
)
from simulator.domain.core.ports import Unit

OLD = ".old"


class SandboxFiles:
    """The sandboxes below the data folder and the default one. Raises DamagedLogError."""

    def __init__(self, data: Path, *, durability: Durability, disk: Disk | None = None):
        self._data = data
        self._disk = disk or LocalDisk(syncs=durability is Durability.DISK)
        self._is_kept = durability is not Durability.MEMORY
        self._failure: str | None = None
        # Of records that stand, and that a power cut may still undo, by their ids.
        self._unsynced: dict[str, UnsyncedNameError] = {}
        self._memory = ServerMemory(data / SANDBOXES)
        if self._is_kept:
            self._take_over_registry()
            self._memory.fill(self._read())

    @property
    def failure(self) -> str | None:
        """What the disk answered to the newest unit, if that was not stored, or may not last."""
        return self._failure or next((one.strerror for one in self._unsynced.values()), None)

    def get(self, kind: type[ServerRecord], identity: str) -> ServerRecord | None:
        """The record as last stored, or None. Raises DiskError where that may not last yet."""
        if identity in self._unsynced:
            self._make_last(identity)
        return self._memory.get(kind, identity)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._memory.sandboxes()

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._memory.count()

    def commit(self, unit: Unit) -> None:
        """Store a unit, durable on return; the last of its records counts, and is written last.

        Raises ConflictError if a record has another version or is being written, DiskError. After
        UnknownOutcomeError the unit stands, and is read once a power cut does not undo it.
        """
        self._memory.commit(unit, self._write_durably)
        for record in (*unit.puts, *unit.removes):
            if (error := self._unsynced.get(record.id)) is not None:
                raise UnknownOutcomeError(error.filename, str(error.strerror))

    def close(self) -> None:
        """Hold nothing any more."""
        self._memory.close()

    def _write_durably(self, unit: Unit) -> None:
        try:
            if self._is_kept:
                in_thread(self._write, unit)
            self._failure = None
        except OSError as error:
            self._failure = error.strerror or str(error)
            raise DiskError(self._data, self._failure) from error

    def _write(self, unit: Unit) -> None:
        # A default that is no sandbox yet is made anew by the next start; a second one would stay.
        for record in reversed(unit.puts):
            with self._noting(record.id):
                self._store(record)
        for record in unit.removes:
            with self._noting(record.id):
                remove_documents(folder_of(self._data, record.id) / SANDBOX_FILE, self._disk)

    @contextmanager
    def _noting(self, identity: str) -> Iterator[None]:
        """Note whether a change of a record, which stands from here on, may not last."""
        try:
            yield
            self._unsynced.pop(identity, None)
        except UnsyncedNameError as error:
            self._unsynced[identity] = error

    def _make_last(self, identity: str) -> None:
        noted = self._unsynced[identity]
        try:
            in_thread(self._disk.sync_folder, Path(noted.filename).parent)
        except OSError as error:
            raise DiskError(self._data, error.strerror or str(error)) from error
        # Another change may have come meanwhile.
        if self._unsynced.get(identity) is noted:
            del self._unsynced[identity]

    def _store(self, record: Sandbox | DefaultSandbox) -> None:
        document = msgspec.to_builtins(record)
        if isinstance(record, Sandbox):
            path = folder_of(self._data, record.id) / SANDBOX_FILE
            store_document(path, SANDBOXES, record.id, document, disk=self._disk)
        else:
            path = self._data / SERVER_FILE
            store_document(path, DEFAULTS, record.id, document, disk=self._disk)

    def _read(self) -> Iterator[Sandbox | DefaultSandbox]:
        named = self._data / SERVER_FILE
        default = [*read_records(named, DEFAULTS, DefaultSandbox, self._disk).values()]
        if not default and named.exists():
            raise DamagedLogError(named, 1, "the record of the default sandbox, got none")
        yield from default
        found = chain.from_iterable(
            read_records(path, SANDBOXES, Sandbox, self._disk).values()
            for path in sandbox_files_in(self._data)
        )
        yield from sorted(found, key=lambda sandbox: (sandbox.created_at, sandbox.id))

    def _take_over_registry(self) -> None:
        """Write what the log of a former release holds; it is put aside when all is written."""
        path = self._data / REGISTRY
        if not self._disk.size(path):
            return
        # It is read alone, and not missed when it is put aside.
        former = DocumentStore(
            path, kinds=KINDS_OF_SERVER, disk=self._disk, durability=Durability.OS
        )
        try:
            default = former.get(DefaultSandbox, "default")
            for record in (default, *former.between(Sandbox, "date", "", END_OF_TIME)):
                if record is not None:
                    self._store(record)
        except DamagedRecordError as error:
            raise DamagedLogError(path, 1, f"records of this version ({error})") from None
        finally:
            former.close()
        self._disk.rename(path, path.with_name(REGISTRY + OLD))
        self._disk.sync_folder(self._data)

"""A disk that refuses on request, and a gateway in the process whose sandboxes write to it."""

import errno
import os
from contextlib import suppress
from pathlib import Path

import gevent

from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.files import Disk, LocalDisk
from simulator.adapters.store.integrity import log_of
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Unit
from simulator.engines import OpenEngine
from simulator.settings import Settings


class FaultyDisk:
    """A local disk that counts its syncs and fails on request: after half a write, or at a sync.

    It `refuses` a write with these bytes in it, once.
    """

    def __init__(self) -> None:
        self._disk = LocalDisk()
        self.syncs = 0
        self.appends = 0
        self.is_full = False
        self.cannot_sync = False
        self.refuses: bytes | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._disk, name)

    def append(self, handle: int, data: bytes) -> None:
        self.appends += 1
        is_refused = self.refuses is not None and self.refuses in data
        if self.is_full or is_refused:
            self.refuses = None if is_refused else self.refuses
            self._disk.append(handle, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._disk.append(handle, data)

    def sync(self, handle: int) -> None:
        self.syncs += 1
        if self.cannot_sync:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._disk.sync(handle)


class SlowlyUsedStore:
    """A store that is used so slowly that each unit is written before the next call, or its write
    has failed and the disk has room again.
    """

    def __init__(self, store: DocumentStore):
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        try:
            self._store.commit(unit)
        finally:
            self._take_time()

    def commit_unflushed(self, unit: Unit) -> Flush:
        flush = self._store.commit_unflushed(unit)
        self._take_time()
        return flush

    def _take_time(self) -> None:
        with suppress(DiskError):
            self._store.wait_durable()
        if self._store.failure is not None:
            self._store.reopen()


class FaultyEngine:
    """Implements Engine over the data folder: the logs of its sandboxes are on a faulty disk, and
    are used slowly where that is asked for.
    """

    def __init__(self, settings: Settings, disk: FaultyDisk, *, is_slow: bool):
        self._engine = FileEngine(settings.data, Durability(settings.durability))
        self._data, self._disk, self._is_slow = settings.data, disk, is_slow

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def store_of(self, sandbox: Sandbox) -> DocumentStore | SlowlyUsedStore:
        store = DocumentStore(log_of(self._data, sandbox.id, sandbox.epoch), disk=self._disk)
        return SlowlyUsedStore(store) if self._is_slow else store


def engine_on(disk: FaultyDisk, *, is_slow: bool = False) -> OpenEngine:
    """What opens the embedded engine on this disk."""
    return lambda settings, _: FaultyEngine(settings, disk, is_slow=is_slow)


def reopen_after_failure(store: DocumentStore) -> None:
    """Return when a write has failed and the store takes units again: what a commit does after a
    second.
    """
    with gevent.Timeout(10):
        while store.failure is None:
            gevent.sleep(0)
    store.reopen()


class UnnamedDisk:
    """A disk that changes a name, and then fails the next `refusals` syncs of a folder, or of the
    one that is named `only_in`.
    """

    def __init__(self, disk: Disk | None = None) -> None:
        self._disk = disk or LocalDisk()
        self._is_changed = False
        self.refusals = 0
        self.only_in: str | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._disk, name)

    def rename(self, source: Path, target: Path) -> None:
        self._disk.rename(source, target)
        self._is_changed = True

    def remove(self, path: Path) -> None:
        self._is_changed = self._is_changed or self._disk.size(path) > 0
        self._disk.remove(path)

    def sync_folder(self, path: Path) -> None:
        is_meant = self.only_in in (None, path.name)
        if self._is_changed and self.refusals and is_meant:
            self.refusals -= 1
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        self._disk.sync_folder(path)
        self._is_changed = self._is_changed and not is_meant

"""Group commit: commits during a write share the next one.

Units are joined and written by one greenlet that lives only while there is something to write. The
write and its sync are one call in the hub's thread pool: a sync in the loop stops every greenlet.

When the disk refuses a write, nothing that was not yet durable is kept: its units are taken back
from memory, newest first, and cut off the file if the disk lets us; their waiters get
DiskError, and nothing is accepted until `reopen`, which a commit tries once a second. So
memory never runs ahead of the disk, and reads stay true meanwhile. Who took a unit and waits
later learns of it then, however much later: each unit has its `Flush`, and each failed write counts
(ports.Store). Choice: D-671.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Any

import gevent
from gevent.hub import Waiter
from gevent.lock import BoundedSemaphore

from simulator.adapters.background import run_in
from simulator.adapters.store import files, lines
from simulator.adapters.store.files import Disk
from simulator.adapters.store.used_logs import mark_of, mark_used
from simulator.domain.core.errors import DiskError
from simulator.domain.core.flushes import FLUSHED, Flush

LOG = logging.getLogger("sandgate.store")
INTERRUPTED = "the write was interrupted"
RETRY_S = 1.0


class Durability(StrEnum):
    """Where a unit is when its save returns; in MEMORY nothing is ever written."""

    DISK = "disk"
    OS = "os"
    MEMORY = "memory"


def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """What `function` answers, or raises; it runs in the hub's thread pool meanwhile."""
    return run_in(gevent.get_hub().threadpool, function, *arguments)


class Batch:
    """Units that share one write, how to take them back, and who waits for them. It is their
    ports.Flush: once it failed it says so for good.

    Every payment waits for its batch: a bare waiter of the hub costs half of what an Event does.
    """

    __slots__ = ("units", "take_back", "is_over", "_error", "_path", "_waiters")

    def __init__(self, path: Path) -> None:
        self.units: list[bytes] = []
        self.take_back: list[Callable[[], None]] = []
        self.is_over = False
        self._error: str | None = None
        self._path = path
        self._waiters: list[Waiter] = []

    def wait(self) -> None:
        """Return when its units are durable. Raises DiskError where they were taken back."""
        if not self.is_over:
            waiter: Waiter = Waiter()
            self._waiters.append(waiter)
            waiter.get()
        if self._error is not None:
            raise DiskError(self._path, self._error)

    def end(self, error: str | None) -> None:
        """Tell everybody who waits how it ended; after an error its units are taken back first."""
        self._error = error
        if error is not None:
            for take_back in reversed(self.take_back):
                take_back()
        # A waiter that only looks at the result must not keep them in memory.
        self.units, self.take_back = [], []
        self.is_over = True
        if self._waiters:
            gevent.get_hub().loop.run_callback(self._wake)

    def _wake(self) -> None:
        # This runs in the hub, which alone may switch to those who wait.
        for waiter in self._waiters:
            waiter.switch(None)


class GroupCommit:
    """The end of one log: takes units, writes them in the order taken, says when they are durable.

    `size` is the length of the file without what is under way, `synced` how much of it is durable.
    `copied` collects what is written while a compaction copies the rest. `failed_writes` counts the
    writes after which something was taken back.
    """

    __slots__ = (
        "path", "size", "synced", "failed", "failed_writes", "copied",
        "_disk", "_durability", "_handle", "_is_named", "_pending", "_retry_at", "_under_way",
        "_turn", "_flusher",
    )  # fmt: skip

    def __init__(self, disk: Disk, path: Path, *, size: int, durability: Durability):
        self.path = path
        self.size = size
        self.synced = size if durability is Durability.DISK else 0
        self.failed: str | None = None
        self.failed_writes = 0
        self.copied: list[bytes] | None = None
        self._disk = disk
        self._durability = durability
        self._handle: int | None = None
        self._is_named = True
        self._pending: Batch | None = None
        self._retry_at = 0.0
        self._under_way: Batch | None = None
        self._turn = BoundedSemaphore(1)
        self._flusher: gevent.Greenlet | None = None

    @property
    def idle(self) -> bool:
        """Whether everything taken is durable, nothing is under way and nothing has failed."""
        return self._flusher is None and self.failed is None and not self._turn.locked()

    def check(self) -> None:
        """Raise DiskError where nothing can be taken. After a failure the disk is asked again, at
        most once in RETRY_S.
        """
        if self.failed is not None and monotonic() >= self._retry_at:
            self._retry_at = monotonic() + RETRY_S
            with suppress(OSError):
                self.reopen()
        if self.failed is not None:
            raise DiskError(self.path, self.failed)

    def take(self, unit: bytes, take_back: Callable[[], None]) -> Flush:
        """Take a unit that was just made in memory; `take_back` unmakes it should the disk fail."""
        if self._durability is Durability.MEMORY:
            return FLUSHED
        batch = self._pending
        if batch is None:
            batch = self._pending = Batch(self.path)
            if self._flusher is None:
                self._flusher = gevent.spawn(self._flush)
        batch.units.append(unit)
        batch.take_back.append(take_back)
        return batch

    def settle(self) -> None:
        """Return when everything that stands is durable. Raises DiskError if it never will be."""
        batch = self._pending or self._under_way
        if batch is not None:
            batch.wait()

    def reopen(self) -> None:
        """Accept units again after a failure; what the failed write left in the file is cut off."""
        with self._turn:
            if self.failed is None:
                return
            self._drop_handle()
            if self.size:
                in_thread(self._disk.truncate, self.path, self.size)
            self.failed = None

    def close(self) -> None:
        """Write what is pending, then give the file back; the next unit opens it again."""
        flusher = self._flusher
        if flusher is not None:
            flusher.join()
        self._drop_handle()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While it lasts nothing is written; units are taken all the same."""
        with self._turn:
            yield

    def adopt(self, handle: int, size: int) -> int | None:
        """Go on in a durable file that took this one's name; the handle to close, if any. The next
        write makes its name durable, or fails.

        Only while paused. Closing frees the old file, which takes long where it is long.
        """
        old, self._handle = self._handle, handle
        self._is_named = self._durability is not Durability.DISK
        self.size = self.synced = size
        return old

    def _flush(self) -> None:
        try:
            while self._pending is not None:
                with self._turn:
                    self._write(self._pending)
        finally:
            self._flusher = None

    def _write(self, batch: Batch) -> None:
        self._pending, self._under_way = None, batch
        place = self.size or len(lines.header_line())
        rendered = lines.render_units(batch.units, synced=self.synced, place=place)
        data = b"".join([part for line in rendered for part in line])
        error, grown = INTERRUPTED, 0
        try:
            error, grown = in_thread(self._write_in_thread, data)
        finally:
            self._under_way = None
            if error:
                self._fail(batch, error)
            else:
                self._written(batch, grown)

    def _write_in_thread(self, data: bytes) -> tuple[str, int]:
        try:
            handle, grown = self._opened()
            self._disk.append(handle, data)
            if self._durability is Durability.DISK:
                self._disk.sync(handle)
        except OSError as error:
            # What failed must not be found by a later start, where that can be helped.
            with suppress(OSError):
                self._disk.truncate(self.path, self.size)
            return str(error), 0
        return "", grown + len(data)

    def _opened(self) -> tuple[int, int]:
        """The handle to write to, and how much the file has grown by making it."""
        grown = 0
        if not self._is_named:
            self._disk.sync_folder(self.path.parent)
            self._is_named = True
        if self._handle is None and self.size:
            self._handle = self._disk.open(self.path)
        elif self._handle is None:
            header = lines.header_line()
            # A first write that failed may have left something behind.
            self._disk.remove(mark_of(self.path))
            self._disk.remove(self.path)
            self._handle = files.create(self._disk, self.path, header)
            if self._durability is Durability.DISK:
                mark_used(self._disk, self.path)
            grown = len(header)
        return self._handle, grown

    def _written(self, batch: Batch, grown: int) -> None:
        self.size += grown
        if self._durability is Durability.DISK:
            self.synced = self.size
        if self.copied is not None:
            self.copied += batch.units
        batch.end(None)

    def _fail(self, batch: Batch, error: str) -> None:
        self.failed = error
        self.failed_writes += 1
        self._retry_at = monotonic() + RETRY_S
        LOG.error("%s: the disk refuses: %s", self.path, error)
        self.copied = None
        later, self._pending = self._pending, None
        if later is not None:
            later.end(error)
        batch.end(error)

    def _drop_handle(self) -> None:
        if self._handle is not None:
            self._disk.close(self._handle)
            self._handle = None

"""The files of settlement of an epoch, put into their place once it is stored that it has begun.

DATA/epochs/SANDBOX/EPOCH/clearing, outgoing    what the epoch begins with, both empty after a reset

They wait there before the record of the sandbox names the epoch. Those of the epoch before are then
put aside, and these moved into their place, each folder in one step. A process that is killed in
between leaves some of them waiting: the next start goes on, and removes what waits for an epoch
that never began. In a fleet the next home of the sandbox goes on, since two members may start at
once; a lock lets one process at a time do so, should two take themselves for the home. Choice:
D-672.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import gevent

from simulator.adapters.settlement import archive
from simulator.adapters.settlement.folders import CLEARING
from simulator.adapters.settlement.removals import Removals
from simulator.adapters.sftp.outgoing import OUTGOING
from simulator.adapters.store.integrity import folder_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DamagedLogError, DiskError, EpochEndedError
from simulator.domain.ports.server import Registry

EPOCHS, LOCK = "epochs", "lock"
# What is done under the lock takes a millisecond: a process that has it for longer is halted.
HELD_S_MAX, HELD_STEP_S = 5.0, 0.01
HOME_S_MAX, HOME_STEP_S = 8.0, 0.1


class EpochFiles:
    """The files of settlement in a data folder, as epochs of its sandboxes begin and end."""

    def __init__(self, data: Path):
        self._data, self._place = data, data / EPOCHS
        self._removals = Removals(data)

    def stop(self) -> None:
        """Begin nothing any more; the next process removes what is left."""
        self._removals.stop()

    def prepare(self, sandbox: Sandbox, lines: Iterable[bytes] | None = None) -> None:
        """Have the files wait that this epoch, which is not stored yet, begins with: those of a
        checked archive, or none. Raises DiskError.
        """
        waiting = self._waiting_for(sandbox)
        try:
            self._removals.remove(waiting.parent)
            for name in (CLEARING, OUTGOING):
                (waiting / name).mkdir(mode=0o700, parents=True)
            # Made now: on a full disk none could be made later.
            (waiting.parent / LOCK).touch(0o600)
            if lines is not None:
                archive.unpack_archive(lines, waiting)
        except OSError as error:
            self._removals.remove(waiting.parent)
            raise DiskError(waiting, error.strerror or str(error)) from error

    def begin(self, sandbox: Sandbox) -> None:
        """Put what waits for the present epoch of a sandbox, if anything does, into the place of
        what there is. Of several processes only the home of the sandbox may do that. Raises
        DiskError where that cannot be done, as where another one keeps the lock.
        """
        waiting = self._waiting_for(sandbox)
        if not waiting.exists():
            return
        try:
            with _held(waiting.parent):
                if waiting.exists():
                    self._put_in_place(waiting, folder_of(self._data, sandbox.id))
        except OSError as error:
            raise DiskError(waiting, error.strerror or str(error)) from error

    def _put_in_place(self, waiting: Path, folder: Path) -> None:
        for name in (CLEARING, OUTGOING):
            # What has been moved stays: what is there then is of this epoch.
            if (waiting / name).exists():
                self._removals.remove(folder / name)
                _move(waiting / name, folder / name)
        self._remove_waiting(waiting.parent)

    def go_on(self, sandbox_of: Callable[[str], Sandbox | None]) -> None:
        """Begin what a process before this one has stored as begun, and remove what waits for an
        epoch that never began. No other process may have the folder.
        """
        with suppress(FileNotFoundError):
            for each in sorted(self._place.iterdir()):
                sandbox = sandbox_of(each.name)
                if sandbox is not None:
                    self.begin(sandbox)
                self._removals.remove(each)

    def remove(self, identity: str) -> None:
        """Remove everything that a deleted sandbox has in the data folder."""
        self._removals.remove(folder_of(self._data, identity))
        self._removals.remove(self._place / identity)

    def _waiting_for(self, sandbox: Sandbox) -> Path:
        return _waiting_in(self._data, sandbox)

    def _remove_waiting(self, place: Path) -> None:
        """Remove what is empty now; something is left where a restore was interrupted before."""
        with suppress(OSError):
            (place / LOCK).unlink()
            for each in place.iterdir():
                each.rmdir()
            place.rmdir()
        self._removals.remove(place)


def is_begun(data: Path, identity: str, registry: Registry) -> bool:
    """Whether a sandbox has the files of its present epoch. Where a gateway was killed before they
    were in place the sandbox is loaded, which puts them there: here, or where it has its home, once
    the others know that the former one is gone. That is waited for as a request waits for a home.
    """
    until = monotonic() + HOME_S_MAX
    while _waits(data, registry.sandbox(identity)):
        if monotonic() > until:
            return False
        with suppress(DamagedLogError, DiskError, EpochEndedError):
            registry.ports(identity)
        gevent.sleep(HOME_STEP_S)
    return True


def _waits(data: Path, sandbox: Sandbox | None) -> bool:
    return sandbox is not None and _waiting_in(data, sandbox).exists()


def _waiting_in(data: Path, sandbox: Sandbox) -> Path:
    return folder_of(data / EPOCHS, sandbox.id) / (sandbox.epoch_id or "first")


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Held by one process at a time, until it ends. Raises DiskError, OSError."""
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        # Another process has done what was to be done here.
        yield
        return
    try:
        until = monotonic() + HELD_S_MAX
        while not _is_locked(handle):
            if monotonic() > until:
                raise DiskError(folder, f"another process has held its lock for {HELD_S_MAX:g} s")
            gevent.sleep(HELD_STEP_S)
        yield
    finally:
        os.close(handle)


def _is_locked(handle: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _move(waiting: Path, place: Path) -> None:
    """Move a folder, unless that is done; one that is empty is as good as none."""
    try:
        waiting.rmdir()
    except OSError:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        with suppress(FileNotFoundError):
            waiting.rename(place)

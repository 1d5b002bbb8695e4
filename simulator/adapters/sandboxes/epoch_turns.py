"""The epochs of sandboxes as they begin and end: one at a time, and a snapshot is of one of them.

What a snapshot has of a sandbox is read in three places: its record, those of its store, and its
files. Where an epoch ends in between, all of it is read again, while none can end. Choice: D-672.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from weakref import WeakValueDictionary

from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.sandboxes.runtime import SandboxRuntime
from simulator.adapters.turns import pause
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import ConflictError, EpochEndedError, ReplacedEpochError
from simulator.domain.core.ports import Ids

Result = TypeVar("Result")
Stored = Callable[[str], Sandbox | None]
EPOCH_ID_DIGITS, TRIES_MAX = 16, 20


class EpochTurns:
    """Each is held while an epoch of a sandbox begins or ends, so that no two write its log."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[str, BoundedSemaphore] = WeakValueDictionary()

    def of(self, identity: str) -> BoundedSemaphore:
        """The turn of a sandbox."""
        return self._turns.setdefault(identity, BoundedSemaphore(1))

    def in_one(self, identity: str, read: Callable[[], Result]) -> Result:
        """What `read` returns, which raises EpochEndedError where the epoch of the sandbox ends
        meanwhile: then it is called again, and no epoch ends until it returns.
        """
        try:
            return read()
        except EpochEndedError:
            with self.of(identity):
                return read()

    @staticmethod
    def newest(read: Callable[[], Result], renew: Callable[[], object]) -> Result:
        """What `read` returns, which changes nothing; called again, behind `renew`, where an epoch
        ended meanwhile. Raises ReplacedEpochError where one does each time.
        """
        for failures in range(1, TRIES_MAX + 1):
            try:
                return read()
            except EpochEndedError:
                pause(failures)
                renew()
        raise ReplacedEpochError


def in_epoch(before: Sandbox | None, sandbox: Sandbox, ids: Ids) -> Sandbox:
    """The sandbox with the id of its epoch: a new one where it begins one."""
    if before is not None and before.epoch == sandbox.epoch:
        return replace(sandbox, epoch_id=before.epoch_id)
    return replace(sandbox, epoch_id=ids.hex(EPOCH_ID_DIGITS))


def replaced_by(sandbox: Sandbox, stored: Stored) -> Sandbox | None:
    """The stored record that `sandbox` shall replace. Raises ConflictError where it is another one:
    the log of the next epoch may then be in use.
    """
    before = stored(sandbox.id)
    if sandbox.version != (0 if before is None else before.version):
        raise ConflictError(f"sandbox {sandbox.id}: it changed meanwhile")
    return before


def log_of(runtime: SandboxRuntime, sandbox: Sandbox) -> Iterator[bytes]:
    """The log of a sandbox as it is stored now, in pieces. Raises EpochEndedError where the runtime
    is of another epoch.
    """
    _refuse_other(sandbox, runtime.ports.sandbox)
    runtime.store_counts()
    runtime.store.wait_durable()
    return runtime.store.copied()


def of_one_epoch(sandbox: Sandbox, stored: Stored, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces. Raises EpochEndedError behind the last where the sandbox is in another epoch by
    then, or gone: the files of the next epoch stand where those of this one stood.
    """
    yield from pieces
    _refuse_other(sandbox, stored(sandbox.id))


def _refuse_other(sandbox: Sandbox, other: Sandbox | None) -> None:
    if other is None or (other.epoch, other.epoch_id) != (sandbox.epoch, sandbox.epoch_id):
        raise EpochEndedError("the epoch of the sandbox is over")

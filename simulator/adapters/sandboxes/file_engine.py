"""The embedded engine: a log for each sandbox in the data folder, and their records beside."""

from collections.abc import Sequence
from pathlib import Path

from simulator.adapters.sandboxes.sandbox_files import SandboxFiles
from simulator.adapters.store.commit import Durability, in_thread
from simulator.adapters.store.engine import SandboxStore
from simulator.adapters.store.integrity import log_of
from simulator.adapters.store.snapshots import write_log
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.store.used_logs import mark_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.ports.server import SnapshotFile


class FileEngine:
    """Implements Engine over the data folder. Raises DamagedLogError."""

    is_shared = False

    def __init__(self, data: Path, durability: Durability):
        self._data = data
        self._durability = durability
        self.records = SandboxFiles(data, durability=durability)

    @property
    def is_lasting(self) -> bool:
        """Whether there are files."""
        return self._durability is not Durability.MEMORY

    def take_home(self, identity: str) -> None:
        """Do nothing: a folder has one gateway."""

    def make_home(self, identity: str) -> None:
        """The same of one that is made."""

    def leave_home(self, identity: str) -> None:
        """The same of one that is gone."""

    def steer(self, identity: str) -> None:
        """Nothing: no other gateway has the data folder."""

    def changed(self) -> Sequence[str]:
        """None: a folder has one gateway."""
        return ()

    def problem(self) -> str | None:
        """None: the disk is probed beside."""
        return None

    def store_of(self, sandbox: Sandbox) -> DocumentStore:
        """A store over the log of this epoch."""
        return DocumentStore(self._log_of(sandbox), durability=self._durability)

    def may_have_records(self, sandbox: Sandbox) -> bool:
        """Whether there is a log."""
        return self._log_of(sandbox).exists()

    def fill(self, sandbox: Sandbox, store: SandboxStore, snapshot: SnapshotFile) -> None:
        """Write the log of a snapshot in the place of that of `store`. Raises DiskError."""
        assert isinstance(store, DocumentStore), "a store of this engine"
        if self.is_lasting:
            write_log(snapshot, store.path)
        else:
            store.fill(snapshot.log_lines())

    def drop(self, sandbox: Sandbox) -> None:
        """Remove the log."""
        in_thread(_remove, self._log_of(sandbox))

    def close(self) -> None:
        """Hold nothing any more."""
        self.records.close()

    def _log_of(self, sandbox: Sandbox) -> Path:
        return log_of(self._data, sandbox.id, sandbox.epoch)


def _remove(log: Path) -> None:
    # To give back a long file takes a disk long.
    mark_of(log).unlink(missing_ok=True)
    log.unlink(missing_ok=True)

"""The classes of a server, in TinyDB: `classes.json` in the data folder, and beside it the folder
`classes` with the snapshots that some of them begin with. Choices: D-492, D-631.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.console.snapshot_files import SnapshotFolder
from simulator.adapters.store.files import Disk
from simulator.domain.console.classes import TrainingClass
from simulator.domain.ports.server import SnapshotFile

FILE, TABLE, FOLDER = "classes.json", "classes", "classes"


class ClassBook:
    """Implements ports.console.Classes. What the file holds is read once; a change goes into the
    file first.
    """

    def __init__(self, folder: Path, disk: Disk):
        self._tables = SmallTables(folder / FILE, disk)
        self._snapshots = SnapshotFolder(folder / FOLDER, disk)
        self._beginning: AbstractContextManager[object] = BoundedSemaphore()
        self._changing = BoundedSemaphore()
        self._ending: set[str] = set()
        self.read_again()

    def read_again(self) -> None:
        """Hold what the file has: another process may have changed it."""
        self._classes = self._tables.read(TABLE, TrainingClass)
        self._snapshots.keep_only(set(self._classes))

    def classes(self) -> Sequence[TrainingClass]:
        """Every class, the newest last."""
        return list(self._classes.values())

    def get(self, identity: str) -> TrainingClass | None:
        """The class with this id, or None."""
        return self._classes.get(identity)

    def beginning(self) -> AbstractContextManager[object]:
        """No other class begins in this block."""
        return self._beginning

    def put(self, begun: TrainingClass) -> None:
        """Keep a class that began. Raises DiskError."""
        held = {begun.id: begun}
        self._tables.store(TABLE, begun.id, begun, hold=lambda: self._classes.update(held))

    def keep_snapshot(self, identity: str, snapshot: SnapshotFile) -> None:
        """Keep what the sandboxes of a class are made from. Raises DiskError."""
        self._snapshots.keep(identity, snapshot)

    def snapshot(self, identity: str) -> SnapshotFile:
        """The snapshot of a class. Raises InvalidInputError where it is gone."""
        return self._snapshots.open(identity)

    def change(
        self, identity: str, change: Callable[[TrainingClass], TrainingClass]
    ) -> TrainingClass | None:
        """The class after a change, which comes before or after any other one; None where it has
        ended. Raises DiskError, and what `change` raises.
        """
        with self._changing:
            before = self._classes.get(identity)
            if before is None:
                return None
            after = replace(change(before), version=before.version + 1)
            self.put(after)
            return after

    @contextmanager
    def ending(self, identity: str) -> Iterator[bool]:
        """Whether no one else ends the class; no one else does in this block."""
        if identity in self._ending:
            yield False
            return
        self._ending.add(identity)
        try:
            yield True
        finally:
            self._ending.remove(identity)

    def remove(self, identity: str) -> TrainingClass | None:
        """Forget a class; as it was, or None where it is gone. Raises DiskError."""
        with self._changing:
            ended = self._classes.get(identity)
            if ended is not None:
                # One that the disk still has is still a class: its end is tried again.
                self._tables.remove(TABLE, identity, hold=lambda: self._drop(identity))
            return ended

    def _drop(self, identity: str) -> None:
        self._classes.pop(identity, None)
        with suppress(OSError):
            # One that the disk keeps goes with the next start.
            self._snapshots.remove([identity])

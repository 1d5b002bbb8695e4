"""The files of settlement of an epoch, put into their place once it is stored that it has begun.

DATA/epochs/SANDBOX/EPOCH/clearing, outgoing    what the epoch begins with, both empty after a reset

They wait there before the record of the sandbox names the epoch. Those of the epoch before are then
put aside, and these moved into their place, each folder in one step. A process that is killed in
between leaves some of them waiting: the next start goes on, and removes what waits for an epoch
that never began. In a fleet the next home of the sandbox goes on, since two members may start at
once. Choice: D-672.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from simulator.adapters.settlement import archive
from simulator.adapters.settlement.folders import CLEARING
from simulator.adapters.settlement.removals import Removals
from simulator.adapters.sftp.outgoing import OUTGOING
from simulator.adapters.store.integrity import folder_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError

EPOCHS = "epochs"


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
            if lines is not None:
                archive.unpack_archive(lines, waiting)
        except OSError as error:
            self._removals.remove(waiting.parent)
            raise DiskError(waiting, error.strerror or str(error)) from error

    def begin(self, sandbox: Sandbox) -> None:
        """Put what waits for the present epoch of a sandbox, if anything does, into the place of
        what there is. Of several processes only the home of the sandbox may do that.
        """
        waiting = self._waiting_for(sandbox)
        if not waiting.exists():
            return
        folder = folder_of(self._data, sandbox.id)
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
        return folder_of(self._place, sandbox.id) / (sandbox.epoch_id or "first")

    def _remove_waiting(self, place: Path) -> None:
        """Remove what is empty now; something is left where a restore was interrupted before."""
        with suppress(OSError):
            for each in place.iterdir():
                each.rmdir()
            place.rmdir()
        self._removals.remove(place)


def _move(waiting: Path, place: Path) -> None:
    """Move a folder, unless that is done; one that is empty is as good as none."""
    try:
        waiting.rmdir()
    except OSError:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        with suppress(FileNotFoundError):
            waiting.rename(place)

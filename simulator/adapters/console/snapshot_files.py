"""Snapshots of sandboxes that the console keeps, each in a file of one folder.

A file has the line of the sandbox and the log after it, without a header: whether it is whole, the
checksum of each line says when it is restored.
"""

from collections.abc import Iterable
from pathlib import Path

from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.files import Disk, replace
from simulator.adapters.store.snapshots import Spool
from simulator.catalogue.console_words import plain
from simulator.domain.core.errors import DiskError, InvalidInputError
from simulator.domain.ports.server import SnapshotFile

DRAFT, ENDING = ".new", ".snapshot"


class SnapshotFolder:
    """The snapshots in a folder, by names that this program chose."""

    def __init__(self, folder: Path, disk: Disk):
        self._folder, self._disk = folder, disk

    def keep(self, name: str, snapshot: SnapshotFile) -> None:
        """Write a snapshot, durably; what is given is gone after it. Raises DiskError."""
        path = self._path(name)
        try:
            in_thread(_write, snapshot, path, self._disk)
        except OSError as error:
            raise DiskError(path, error.strerror or str(error)) from error

    def open(self, name: str) -> Spool:
        """The snapshot with this name. Raises InvalidInputError where there is none."""
        try:
            content = self._path(name).open("rb")
        except FileNotFoundError:
            raise InvalidInputError(
                "snapshot", plain("errors.snapshot"), plain("errors.none")
            ) from None
        return Spool(b"", content, self._disk.size(self._path(name)), "")

    def remove(self, names: Iterable[str]) -> None:
        """Remove snapshots; those that are gone already stay so."""
        in_thread(_remove, [self._path(name) for name in names], self._disk)

    def keep_only(self, names: set[str]) -> None:
        """Remove every file but these snapshots."""
        kept = {self._path(name) for name in names}
        in_thread(_remove_others, self._folder, kept, self._disk)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{ENDING}"


def _write(snapshot: SnapshotFile, path: Path, disk: Disk) -> None:
    draft = path.with_name(path.name + DRAFT)
    disk.make_folder(path.parent)
    disk.remove(draft)
    handle = disk.open(draft)
    try:
        for piece in snapshot.pieces():
            disk.append(handle, piece)
        disk.sync(handle)
    finally:
        disk.close(handle)
    replace(disk, draft, path)


def _remove(paths: Iterable[Path], disk: Disk) -> None:
    for path in paths:
        disk.remove(path)


def _remove_others(folder: Path, kept: set[Path], disk: Disk) -> None:
    _remove((each for each in list(folder.glob("*")) if each not in kept), disk)

"""The file port of the store: the few operations on a disk that durability rests on.

Each does one thing to the disk, so that the twin used in tests can lose the power between any two.
`replace`, `remove` and `create` put them in the order that survives it.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

READ_BUFFER_BYTES = 1 << 20


class UnsyncedNameError(OSError):
    """A file has its name, or none any more, and a power cut may undo that: the folder was not
    synced. The error names the file.
    """


def replace(disk: "Disk", source: Path, target: Path) -> None:
    """Put `source` in the place of `target`, atomically and for good; `source` must be synced.
    Raises UnsyncedNameError where it is in that place, and OSError where it is not.
    """
    disk.rename(source, target)
    _sync_name(disk, target)


def remove(disk: "Disk", path: Path) -> None:
    """Take the file away for good. Raises UnsyncedNameError where it is away, and OSError."""
    disk.remove(path)
    _sync_name(disk, path)


def _sync_name(disk: "Disk", path: Path) -> None:
    try:
        disk.sync_folder(path.parent)
    except OSError as error:
        raise UnsyncedNameError(error.errno, error.strerror or str(error), str(path)) from error


def create(disk: "Disk", path: Path, first: bytes) -> int:
    """A handle on a new file that holds `first`, both the bytes and the name durable."""
    disk.make_folder(path.parent)
    handle = disk.open(path)
    try:
        disk.append(handle, first)
        disk.sync(handle)
        disk.sync_folder(path.parent)
    except OSError:
        disk.close(handle)
        raise
    return handle


class Disk(Protocol):
    """Files by path. Every method may raise OSError; none of them waits for a greenlet."""

    def make_folder(self, path: Path) -> None:
        """Make the folder and those above it, durably; nothing happens where it exists."""

    def open(self, path: Path) -> int:
        """A handle for appending; a file is made where there is none, its name not yet durable."""

    def append(self, handle: int, data: bytes) -> None:
        """Write all of `data` at the end of the file; part of it may be there after an error."""

    def sync(self, handle: int) -> None:
        """Return when what was appended survives a power cut."""

    def close(self, handle: int) -> None:
        """Give the handle back. Syncs nothing."""

    def size(self, path: Path) -> int:
        """Length of the file in bytes, 0 where there is none."""

    def lines(self, path: Path) -> Iterator[bytes]:
        """The lines of the file with their ends; nothing where there is no file."""

    def truncate(self, path: Path, size: int) -> None:
        """Cut the file to `size` bytes, durably."""

    def rename(self, source: Path, target: Path) -> None:
        """Give `source` the name `target`, which another file may have had. Not durable yet."""

    def remove(self, path: Path) -> None:
        """Take the file away, where there is one. Not durable yet."""

    def sync_folder(self, path: Path) -> None:
        """Return when the names in the folder survive a power cut."""


class LocalDisk:
    """The disk of this machine. No link in place of a file is followed.

    Without `syncs` what was written survives the end of the process, not that of the machine.
    """

    __slots__ = ("_syncs",)

    def __init__(self, *, syncs: bool = True):
        self._syncs = syncs

    def make_folder(self, path: Path) -> None:
        if path.is_dir():
            return
        self.make_folder(path.parent)
        path.mkdir(0o700, exist_ok=True)
        try:
            self.sync_folder(path.parent)
        except OSError:
            # The next call would take it for one that lasts.
            with suppress(OSError):
                path.rmdir()
            raise

    def open(self, path: Path) -> int:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)

    def append(self, handle: int, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]

    def sync(self, handle: int) -> None:
        if self._syncs:
            os.fdatasync(handle)

    def close(self, handle: int) -> None:
        os.close(handle)

    def size(self, path: Path) -> int:
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def lines(self, path: Path) -> Iterator[bytes]:
        with suppress(FileNotFoundError), _open_to_read(path) as file:
            yield from file

    def truncate(self, path: Path, size: int) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
        try:
            os.ftruncate(handle, size)
            os.fsync(handle)  # fdatasync may leave out a length that only shrank.
        finally:
            os.close(handle)

    def rename(self, source: Path, target: Path) -> None:
        source.replace(target)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def sync_folder(self, path: Path) -> None:
        if not self._syncs:
            return
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _open_to_read(path: Path) -> BinaryIO:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        return open(handle, "rb", buffering=READ_BUFFER_BYTES)  # noqa: PTH123 - a handle
    except OSError as error:
        # A folder can be opened, but not read; the error names the handle.
        os.close(handle)
        raise OSError(error.errno, error.strerror, str(path)) from None

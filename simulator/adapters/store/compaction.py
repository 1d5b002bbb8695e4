"""Compaction: the log written anew with nothing but what is live, while the store goes on.

What is live is copied in chunks, written in the thread pool; units stored meanwhile are collected
and follow. Only the last step, that tail and the change of names, makes a batch wait. From then on
the store writes to the new file, and its first write there makes the name durable: until then a
power cut may bring the old log back, which holds the same.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from simulator.adapters.store import files, lines
from simulator.adapters.store.commit import GroupCommit, in_thread
from simulator.adapters.store.files import Disk

CHUNK_BYTES = 1 << 18
NO_HANDLE = -1


def copy_of(path: Path) -> Path:
    """Where the log `path` is written anew before it takes the name."""
    return path.with_name(path.name + ".new")


def compact(commit: GroupCommit, live: Iterable[bytes], disk: Disk) -> bool:
    """Put a log of the `live` units in the place of the old one; whether that was done.

    `live` must be all that is live at the moment of the call. Where the disk has no room for the
    copy, or a write of the store fails meanwhile, the old log stays.
    """
    done = False
    old: int | None = None
    tail: list[bytes] = []
    commit.copied = tail
    copy = Copy(disk, copy_of(commit.path))
    try:
        handle = in_thread(copy.start)
        for chunk in chunks_of(live, place=copy.size):
            in_thread(copy.append, chunk)
        in_thread(copy.sync)
        with commit.paused():
            if commit.copied is tail:
                in_thread(copy.finish, tail, commit.path)
                old = commit.adopt(handle, copy.size)
                done = True
    except OSError:
        # The store has lost nothing: its own next write shows whether the disk is in trouble.
        pass
    finally:
        commit.copied = None
    with suppress(OSError):
        if not done:
            in_thread(copy.drop)
        elif old is not None:
            in_thread(disk.close, old)
    return done


def chunks_of(units: Iterable[bytes], *, place: int) -> Iterator[bytes]:
    """The units as lines from this place on, joined to pieces worth a call to the thread pool."""
    pieces: list[bytes] = []
    size = 0
    for line in lines.render_units(units, synced=0, place=place):
        pieces += line
        size += sum(map(len, line))
        if size >= CHUNK_BYTES:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join(pieces)


class Copy:
    """A log in the making, under a name of its own. Its methods run in the thread pool."""

    __slots__ = ("size", "_disk", "_handle", "_path")

    def __init__(self, disk: Disk, path: Path):
        self.size = 0
        self._disk = disk
        self._handle = NO_HANDLE
        self._path = path

    def start(self) -> int:
        """A handle on the new file, in the place of one that an earlier run may have left."""
        header = lines.header_line()
        self._disk.remove(self._path)
        self._handle = files.create(self._disk, self._path, header)
        self.size = len(header)
        return self._handle

    def append(self, data: bytes) -> None:
        self._disk.append(self._handle, data)
        self.size += len(data)

    def sync(self) -> None:
        self._disk.sync(self._handle)

    def finish(self, tail: list[bytes], target: Path) -> None:
        """Add the tail and take the name `target`, which is not durable yet.

        The last line changes nothing; it says that all before it was durable, so that damage to any
        of it is never taken for a torn end.
        """
        for chunk in chunks_of(tail, place=self.size):
            self.append(chunk)
        self.sync()
        self.append(b"".join(lines.render(self.size, lines.unit_of(()), place=self.size)))
        self.sync()
        self._disk.rename(self._path, target)

    def drop(self) -> None:
        """Leave nothing behind."""
        if self._handle != NO_HANDLE:
            self._disk.close(self._handle)
        self._disk.remove(self._path)

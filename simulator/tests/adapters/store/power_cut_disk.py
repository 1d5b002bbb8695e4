"""A disk in memory whose power can be cut: the twin of LocalDisk.

What was not synced when the power goes is lost, kept in part, or kept with a hole, as the seed has
it; a name that was given and not followed by a sync of its folder is lost or kept likewise.
"""

import errno
import io
import random
from collections.abc import Iterator
from pathlib import Path

SECTOR_BYTES = 64


class PowerCutDisk:
    """Files by path. After `steps` changes of the disk every further change raises OSError.

    Where `keeps_bytes` or `keeps_names` is false it lies: the sync of a file, or of a folder, does
    nothing. A proof that does not notice proves nothing.
    """

    def __init__(
        self,
        steps: int | None = None,
        *,
        seed: int = 0,
        keeps_bytes: bool = True,
        keeps_names: bool = True,
    ):
        self.steps_left = steps
        self._keeps_bytes = keeps_bytes
        self._keeps_names = keeps_names
        self.open_handles: set[int] = set()
        self._chance = random.Random(seed)
        self._files: dict[int, bytearray] = {}
        self._durable: dict[int, bytes] = {}
        self._names: dict[Path, int] = {}
        self._unsynced_names: list[tuple[Path, int | None]] = []
        self._durable_names: dict[Path, int] = {}
        self._opened: dict[int, int] = {}
        self._next = 1

    def make_folder(self, path: Path) -> None:
        self._spend()

    def open(self, path: Path) -> int:
        if path not in self._names:
            self._spend()
            self._name(path, self._new_file())
        handle = self._number()
        self._opened[handle] = self._names[path]
        self.open_handles.add(handle)
        return handle

    def append(self, handle: int, data: bytes) -> None:
        content = self._files[self._opened[handle]]
        if self.steps_left == 0:
            content += data[: self._chance.randrange(len(data) + 1)]
        self._spend()
        content += data

    def sync(self, handle: int) -> None:
        self._spend()
        number = self._opened[handle]
        if self._keeps_bytes:
            self._durable[number] = bytes(self._files[number])

    def close(self, handle: int) -> None:
        self.open_handles.remove(handle)
        del self._opened[handle]

    def size(self, path: Path) -> int:
        return len(self.content(path))

    def lines(self, path: Path) -> Iterator[bytes]:
        return iter(io.BytesIO(self.content(path)))

    def truncate(self, path: Path, size: int) -> None:
        self._spend()
        number = self._names[path]
        del self._files[number][size:]
        self._durable[number] = bytes(self._files[number])

    def rename(self, source: Path, target: Path) -> None:
        self._spend()
        number = self._names[source]
        self._name(source, None)
        self._name(target, number)

    def remove(self, path: Path) -> None:
        if path in self._names:
            self._spend()
            self._name(path, None)

    def sync_folder(self, path: Path) -> None:
        self._spend()
        if self._keeps_names:
            self._durable_names = dict(self._names)
            self._unsynced_names.clear()

    def content(self, path: Path) -> bytes:
        """What a reader sees in the file now."""
        number = self._names.get(path)
        return b"" if number is None else bytes(self._files[number])

    def after_cut(self, *, keep_unsynced: bool = True) -> "PowerCutDisk":
        """The disk as it is found when the power is back."""
        found = PowerCutDisk(
            seed=self._chance.randrange(1 << 30),
            keeps_bytes=self._keeps_bytes,
            keeps_names=self._keeps_names,
        )
        names = dict(self._durable_names)
        kept = self._chance.randrange(len(self._unsynced_names) + 1) if keep_unsynced else 0
        for path, number in self._unsynced_names[:kept]:
            _set_name(names, path, number)
        for path, number in names.items():
            content = self._left_of(number, keep_unsynced=keep_unsynced)
            found.plant(path, content)
        return found

    def plant(self, path: Path, content: bytes) -> None:
        """Put a file on the disk, durably, without spending a step."""
        number = self._new_file()
        self._files[number] += content
        self._durable[number] = content
        self._names[path] = self._durable_names[path] = number

    def _left_of(self, number: int, *, keep_unsynced: bool) -> bytes:
        durable, content = self._durable[number], bytes(self._files[number])
        if not keep_unsynced:
            return durable
        tail = bytearray(content[len(durable) :])
        del tail[self._chance.randrange(len(tail) + 1) :]
        if tail and self._chance.random() < 0.3:
            # Sectors reach the disk in any order: one that did not leaves zeros behind.
            start = self._chance.randrange(0, len(tail), SECTOR_BYTES)
            tail[start : start + SECTOR_BYTES] = bytes(len(tail[start : start + SECTOR_BYTES]))
        return durable + tail

    def _spend(self) -> None:
        if self.steps_left is None:
            return
        if self.steps_left == 0:
            raise OSError(errno.EIO, "the power is off")
        self.steps_left -= 1

    def _name(self, path: Path, number: int | None) -> None:
        _set_name(self._names, path, number)
        self._unsynced_names.append((path, number))

    def _new_file(self) -> int:
        number = self._number()
        self._files[number] = bytearray()
        self._durable[number] = b""
        return number

    def _number(self) -> int:
        self._next += 1
        return self._next


def _set_name(names: dict[Path, int], path: Path, number: int | None) -> None:
    if number is None:
        names.pop(path, None)
    else:
        names[path] = number

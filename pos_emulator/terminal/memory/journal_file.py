"""The file of a journal: lines that are only appended, each durable before the next step.

A line puts and drops any number of records at once, with a check sum before it. A line that a power
cut has torn is the last one and is dropped; any other damage is an error.
"""

import json
import os
from collections.abc import Iterable, Mapping
from errno import ENOSPC
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.storage import (
    OWNER_ONLY,
    Sync,
    lock_file,
    refused_by_disk,
    replace_file,
    sync_names,
    write_beside,
)

LINE_BYTES_MAX = 65_536
FILE_BYTES_MAX = 256 * 1024 * 1024
CHECK_DIGITS = 8

Record = Mapping[str, Any]


class DamagedError(StorageError):
    """What a journal says is not what was written; the message names file and line."""


class LineChange(msgspec.Struct, forbid_unknown_fields=True):
    """What a line of the file does: the records that it puts, the keys of those that it drops."""

    put: dict[str, dict[str, Any]]
    drop: list[str]


class JournalFile:
    """Records by key, as the lines of a file leave them. One process holds the file.

    `sync` makes what was written to a descriptor durable. Raises StorageError: DamagedError for
    what cannot be read.
    """

    def __init__(self, path: Path, sync: Sync = os.fsync):
        self._path, self._sync = path, sync
        # The start before this one may have ended just behind a change of names.
        self._is_named = False
        self._lock = lock_file(path.with_suffix(".lock"))
        try:
            self._records = self._read()
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
        except OSError as error:
            self._lock.close()
            raise refused_by_disk(path, "written", error) from None
        except StorageError:
            self._lock.close()
            raise

    def close(self) -> None:
        """Let another process open the file."""
        if not self._lock.closed:
            os.close(self._file)
            self._lock.close()

    def get(self, key: str) -> Record | None:
        """The record with this key."""
        return self._records.get(key)

    def find(self, prefix: str) -> list[Record]:
        """The records whose keys begin so, in the order in which they were first put."""
        return [each for key, each in self._records.items() if key.startswith(prefix)]

    def write(self, puts: Mapping[str, Record], drops: Iterable[str] = ()) -> None:
        """Put and drop records, all or none. When this returns, a power cut does not undo it."""
        change = LineChange({key: dict(each) for key, each in puts.items()}, list(drops))
        line = _line(change)
        if len(line) > LINE_BYTES_MAX:
            raise StorageError(f"a line of {self._path.name} has at most {LINE_BYTES_MAX} bytes")
        try:
            self._append(line)
        except OSError as error:
            raise refused_by_disk(self._path, "written", error) from None
        _apply(self._records, change)

    def _append(self, line: bytes) -> None:
        """Write a whole line; of one that does not fit on the disk nothing stays."""
        if not self._is_named:
            sync_names(self._path, self._sync)
            self._is_named = True
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            self._sync(self._file)
        except OSError:
            os.ftruncate(self._file, size)
            raise

    def compact(self) -> None:
        """Write the file anew with what is left of it. The next write makes its name durable: until
        then a power cut may bring the former file back, which says the same.
        """
        lines = [_line(LineChange({key: dict(each)}, [])) for key, each in self._records.items()]
        try:
            former, self._file = self._file, self._put_in_place(b"".join(lines))
            self._is_named = False
            os.close(former)
        except OSError as error:
            raise refused_by_disk(self._path, "written", error) from None

    def _put_in_place(self, content: bytes) -> int:
        """Replace the file; a descriptor of the new one. Where one step fails the former stays."""
        new = write_beside(self._path, content, self._sync)
        opened = os.open(new, os.O_WRONLY | os.O_APPEND)
        try:
            new.replace(self._path)
        except OSError:
            os.close(opened)
            raise
        return opened

    def _read(self) -> dict[str, Record]:
        try:
            if not self._path.exists():
                replace_file(self._path, b"")
            if self._path.stat().st_size > FILE_BYTES_MAX:
                raise DamagedError(f"{self._path.name} has more than {FILE_BYTES_MAX} bytes")
            content = self._path.read_bytes()
        except OSError as error:
            raise refused_by_disk(self._path, "read", error) from None
        records: dict[str, Record] = {}
        whole = 0
        lines = content.splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            change = _change(line)
            if change is None and number < len(lines):
                raise DamagedError(f"line {number} of {self._path.name} is damaged")
            if change is not None:
                _apply(records, change)
                whole += len(line)
        if whole < len(content):
            os.truncate(self._path, whole)
        return records


class BrokenFile:
    """What is left of a journal that cannot be read: it has these records, and takes no other."""

    def __init__(self, reason: str, records: Mapping[str, Record]):
        self._reason, self._records = reason, records

    def get(self, key: str) -> Record | None:
        """The record with this key."""
        return self._records.get(key)

    def find(self, prefix: str) -> list[Record]:
        """The records whose keys begin so."""
        return [each for key, each in self._records.items() if key.startswith(prefix)]

    def write(self, puts: Mapping[str, Record], drops: Iterable[str] = ()) -> None:
        """Raises StorageError."""
        raise StorageError(self._reason)

    def compact(self) -> None:
        """Raises StorageError."""
        raise StorageError(self._reason)

    def close(self) -> None:
        """Nothing is open."""


def _line(change: LineChange) -> bytes:
    members = {"put": change.put, "drop": change.drop}
    content = json.dumps(members, ensure_ascii=True, separators=(",", ":")).encode()
    return f"{crc32(content):0{CHECK_DIGITS}x} ".encode() + content + b"\n"


def _change(line: bytes) -> LineChange | None:
    """What a line changes; None for one that is not whole, or says nothing of the kind."""
    check, _, content = line.partition(b" ")
    if not line.endswith(b"\n") or check != f"{crc32(content[:-1]):0{CHECK_DIGITS}x}".encode():
        return None
    try:
        return msgspec.json.decode(content, type=LineChange)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _apply(records: dict[str, Record], change: LineChange) -> None:
    for key in change.drop:
        records.pop(key, None)
    records.update(change.put)

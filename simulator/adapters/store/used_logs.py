"""A log that is gone or empty is noticed: a small file beside it says that it was written.

It is made once, when the log is on the disk, and not waited for: a crash at that moment may lose
the file, which then says nothing, but never leaves one beside a log that was not written.
Choice: D-332.
"""

from contextlib import suppress
from pathlib import Path

from simulator.adapters.store.files import Disk
from simulator.domain.core.errors import DamagedLogError

ENDING, CONTENT = ".used", b"used\n"


def mark_of(log: Path) -> Path:
    """The file beside a log."""
    return log.with_suffix(ENDING)


def mark_used(disk: Disk, log: Path) -> None:
    """Say that the log is on the disk, if there is room to say it."""
    with suppress(OSError):
        handle = disk.open(mark_of(log))
        try:
            disk.append(handle, CONTENT)
        finally:
            disk.close(handle)


def is_lost(disk: Disk, log: Path) -> bool:
    """Whether the log was written, and is gone or empty. Raises OSError."""
    return not disk.size(log) and disk.size(mark_of(log)) > 0


def refuse_lost(disk: Disk, log: Path) -> None:
    """Raise DamagedLogError for a log that was written, and is gone or empty."""
    if is_lost(disk, log):
        raise DamagedLogError(log, 1, "the log that was written here; it is gone or empty")

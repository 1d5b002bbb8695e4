"""Folders for long runs of terminals: in memory, where the system has a place for it.

What a process has written is there though it is killed, on a disk or in memory. The two differ
by a power cut alone, and other tests cut the power.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")


def quick_folder(prefix: str) -> TemporaryDirectory[str]:
    """A folder that is gone with the block, and waits for no disk where that can be."""
    return TemporaryDirectory(prefix=prefix, dir=MEMORY if MEMORY.is_dir() else None)

"""A disk of a few megabytes that can be filled and emptied, as root can mount one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from simulator.tests.adapters.postgresql.cluster import WITHOUT_RIGHTS

PIECE = 4096
NEEDS_ROOT = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("mount") is None, reason="only root can mount a disk"
)


class SmallDisk:
    """A disk at `folder`, of the user that runs PostgreSQL."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no byte free."""
        with self._filler.open("ab", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(PIECE))
            except OSError:
                return

    def make_room(self) -> None:
        """Free what was filled."""
        self._filler.unlink()


@contextmanager
def mounted_disk(megabytes: int) -> Iterator[SmallDisk]:
    """A disk that is there until the end of the block."""
    folder = Path(mkdtemp(prefix="sandgate-disk-"))
    options = f"size={megabytes}m,mode=0700,uid={WITHOUT_RIGHTS},gid={WITHOUT_RIGHTS}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()

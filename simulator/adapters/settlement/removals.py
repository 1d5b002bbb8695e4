"""Folders that are removed aside: a disk may take seconds for the thousands of files in one.

They are moved into one folder of the data folder, each in one step however much it holds, and are
removed there. What a process leaves there when it ends is removed by the next one.
"""

import logging
import shutil
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import gevent
from gevent.threadpool import ThreadPool

from simulator.adapters.background import run_in
from simulator.adapters.store.commit import in_thread

LOG = logging.getLogger("sandgate.store")
REMOVED = "removed"
# What earlier releases left in the folder of a sandbox: folders to remove, and the unpacked files
# of a restore that was interrupted.
LEFT = (REMOVED, "restored")


class Removals:
    """Removes folders, one after the other, in a thread of its own: in the hub's pool the commits
    of everybody would wait behind it. It begins with what a process before this one has left.
    """

    def __init__(self, data: Path):
        self._data, self._place = data, data / REMOVED
        self._pool = ThreadPool(1)
        self._is_wanted = False
        self._remover = gevent.spawn(self._remove_left)

    def remove(self, folder: Path) -> None:
        """Remove a folder, if it is there: for who looks it is gone on return."""
        if not folder.exists():
            return
        try:
            self._place.mkdir(mode=0o700, exist_ok=True)
            folder.rename(self._place / token_hex(16))
        except FileNotFoundError:
            # Another process was first; what comes into its place is not what was to be removed.
            return
        except OSError as error:
            LOG.warning("%s: removed in its place, since: %s", folder, error)
            run_in(self._pool, shutil.rmtree, folder, True)
        self._begin()

    def stop(self) -> None:
        """Begin nothing any more; the next process removes what is left."""
        self._remover.kill()

    def _begin(self) -> None:
        self._is_wanted = True
        if self._remover.dead:
            self._remover = gevent.spawn(self._remove_all)

    def _remove_left(self) -> None:
        for folder in in_thread(_left_in, self._data):
            self.remove(folder)
        self._is_wanted = True
        self._remove_all()

    def _remove_all(self) -> None:
        # What comes while the folder is read may not be in that list.
        while self._is_wanted:
            self._is_wanted = False
            for folder in in_thread(_folders_in, self._place):
                run_in(self._pool, shutil.rmtree, folder, True)


def _folders_in(place: Path) -> list[Path]:
    with suppress(FileNotFoundError):
        return list(place.iterdir())
    return []


def _left_in(data: Path) -> list[Path]:
    """What gateways of before moved away, or left, within the folder of a sandbox."""
    return [found for each in LEFT for found in data.glob(f"*/{each}")]

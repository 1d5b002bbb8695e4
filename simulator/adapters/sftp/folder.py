"""The folder of one merchant as an SFTP client sees it: files to read, and nothing else.

Only regular files and folders are there. A name that begins with a dot is not: a file that is being
written has one until it is whole. A path is taken apart before it is used, and no symbolic link is
followed, so that no path leads out of the folder. Choice: D-420.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from posixpath import normpath

from paramiko import SFTPAttributes, SFTPHandle
from paramiko.sftp import SFTP_FAILURE, SFTP_NO_SUCH_FILE, SFTP_PERMISSION_DENIED

from simulator.adapters.turns import Slices, work_for

READ_BYTES_MAX = 256 * 1024
ENTRIES_MAX = 10_000
ENTRIES_AT_ONCE = 16
PATH_LENGTH_MAX = 1024
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
MODE_OF_FILES = stat.S_IFREG | 0o444
MODE_OF_FOLDERS = stat.S_IFDIR | 0o555


class DeliveredFile(SFTPHandle):
    """An open file. It is never written, and never changes once it is there."""

    def __init__(self, number: int, path: Path):
        super().__init__(os.O_RDONLY)
        self._number = number
        self._path = path

    def read(self, offset: int, length: int) -> bytes | int:
        """At most `length` bytes from `offset` on; none behind the end."""
        try:
            return os.pread(self._number, min(length, READ_BYTES_MAX), offset)
        except (OSError, OverflowError):
            return SFTP_FAILURE

    def stat(self) -> SFTPAttributes | int:
        """What the file is."""
        return attributes_of(os.fstat(self._number), self._path.name)

    def close(self) -> None:
        """Give it back."""
        with suppress(OSError):
            os.close(self._number)


class ListedFolder(SFTPHandle):
    """An open folder: the names in it, and what each is only when the client comes to it."""

    def __init__(self, place: Path, names: list[str]):
        super().__init__()
        self._place = place
        # From the last to the first.
        self._names = names[::-1]

    def _get_next_files(self) -> list[SFTPAttributes]:
        """The next entries by name, where the library looks for them; none at the end."""
        found: list[SFTPAttributes] = []
        while self._names and len(found) < ENTRIES_AT_ONCE:
            shown = _shown(self._place / self._names.pop())
            found += [] if shown is None else [shown]
        return found


class OutgoingFolder:
    """Reads one folder by the paths of a client. What is not there is answered by a code of SFTP.

    `root` has no symbolic link in it.
    """

    def __init__(self, root: Path):
        self._root = root

    def open_folder(self, path: str) -> ListedFolder | int:
        """The folder, to be listed by name; so many entries at most."""
        place = self._place_of(path)
        if place is None:
            return SFTP_NO_SUCH_FILE
        work_for(str(self._root))
        try:
            return ListedFolder(place, sorted(_names_in(place))[:ENTRIES_MAX])
        except OSError:
            return SFTP_NO_SUCH_FILE

    def attributes(self, path: str) -> SFTPAttributes | int:
        """What a file or a folder is."""
        place = self._place_of(path)
        found = None if place is None else _shown(place)
        return SFTP_NO_SUCH_FILE if found is None else found

    def open(self, path: str, flags: int) -> DeliveredFile | int:
        """The file, to be read."""
        if flags & WRITING:
            return SFTP_PERMISSION_DENIED
        place = self._place_of(path)
        found = None if place is None else _shown(place)
        if place is None or found is None or found.st_mode != MODE_OF_FILES:
            return SFTP_NO_SUCH_FILE
        try:
            return DeliveredFile(os.open(place, os.O_RDONLY | os.O_NOFOLLOW), place)
        except OSError:
            return SFTP_NO_SUCH_FILE

    def _place_of(self, path: str) -> Path | None:
        """Where a path of the client leads; None where no client is let."""
        if len(path) > PATH_LENGTH_MAX or "\0" in path:
            return None
        parts = normpath("/" + path).strip("/")
        if any(part.startswith(".") for part in parts.split("/")):
            return None
        place = self._root / parts
        # Where it or one of its folders were a link, the real path would be another.
        return place if os.path.realpath(place) == str(place) else None


def attributes_of(found: os.stat_result, name: str) -> SFTPAttributes:
    """A file or a folder as clients see it: read only, and of no user of this machine."""
    shown = SFTPAttributes.from_stat(found, name)
    shown.st_mode = MODE_OF_FOLDERS if stat.S_ISDIR(found.st_mode) else MODE_OF_FILES
    shown.st_uid = shown.st_gid = 0
    shown.st_atime = shown.st_mtime
    return shown


def _names_in(folder: Path) -> Iterator[str]:
    # A merchant may have thousands of files.
    slices = Slices()
    with os.scandir(folder) as found:
        for entry in found:
            slices.end_if_long()
            if not entry.name.startswith(".") and not entry.is_symlink():
                yield entry.name


def _shown(place: Path) -> SFTPAttributes | None:
    """A regular file or a folder; None for everything else."""
    try:
        found = os.lstat(place)
    except (OSError, ValueError):
        return None
    is_shown = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return attributes_of(found, place.name) if is_shown else None

"""The data folder: one process owns it, by a lock that ends with the process however it ends."""

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from simulator.adapters.access import (
    OTHER_FOLDER,
    WRITE_ADVICE,
    is_read_only,
    naming,
    obstacles_in,
    refused_write,
)

LOCK_NAME = "owner.lock"
TLS_NAME = "tls"
WRITING_OF_OTHERS = 0o022


class FolderInUseError(Exception):
    """Another process owns the data folder."""


class NoFolderError(Exception):
    """The data folder is none, or not ours to write in."""


class DataFolder:
    """The folder `path`, made if need be and owned until `release`: by one process, or by those
    for whom it `is_shared`. Raises FolderInUseError, NoFolderError.

    It is also a context manager that releases it.
    """

    __slots__ = ("path", "_lock")

    def __init__(self, path: Path | str, *, is_shared: bool = False):
        self.path = Path(path)
        try:
            self.path.mkdir(0o700, parents=True, exist_ok=True)
            _refuse_unusable(self.path)
            self._lock: int | None = _lock(self.path / LOCK_NAME, is_shared)
        except OSError as error:
            raise NoFolderError(_what_is_wrong(self.path, error)) from error

    def release(self) -> None:
        """Let another process have it. The lock file stays: two could get in while it is remade."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> "DataFolder":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def links_in(folder: Path) -> list[Path]:
    """What a start would not follow: links in place of files and folders it reads and writes."""
    places = (folder, folder / TLS_NAME)
    return [
        Path(entry.path)
        for place in places
        if os.access(place, os.R_OK | os.X_OK, effective_ids=True) and place.is_dir()
        for entry in os.scandir(place)
        if entry.is_symlink()
    ]


def permission_problem(folder: Path) -> tuple[str, str] | None:
    """What is unsafe about a folder that others may write in, and what to do; None if all is
    well.
    """
    if stat.S_IMODE(folder.stat().st_mode) & WRITING_OF_OTHERS:
        return f"others may write in {folder}", f"chmod 700 {folder}"
    return None


def owner_of(path: Path) -> str | None:
    """Who owns the folder, such as "process 17"; None where it is free or does not exist."""
    try:
        handle = os.open(path / LOCK_NAME, os.O_RDONLY | os.O_NOFOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _pid_in(handle)
    finally:
        os.close(handle)


def _refuse_unusable(folder: Path) -> None:
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        number = errno.EROFS if is_read_only(folder) else errno.EACCES
        raise OSError(number, os.strerror(number))
    for obstacle in obstacles_in(folder):
        raise NoFolderError(str(obstacle))
    for link in links_in(folder):
        raise NoFolderError(
            f"{link}: expected a file or folder, got a link, which is not followed; put what it "
            "leads to in its place"
        )


def _what_is_wrong(path: Path, error: OSError) -> str:
    is_file = isinstance(error, FileExistsError | NotADirectoryError)
    got = "a file in its place" if is_file else error.strerror
    advice = WRITE_ADVICE.get(error.errno)
    advice = f"{advice}, {OTHER_FOLDER}" if advice else "name another one with --data"
    return f"{path}: expected a folder to write in, got: {got}; {advice}"


def _lock(path: Path, is_shared: bool) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = _pid_in(handle)
        os.close(handle)
        raise FolderInUseError(
            f"{path.parent}: expected a folder that no other process uses, but {owner} has it; "
            "stop that one or name another folder"
        ) from None
    try:
        with naming(path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, b"%d\n" % os.getpid(), 0)
    except OSError as error:
        os.close(handle)
        raise NoFolderError(refused_write(error, path)) from error
    return handle


def _pid_in(handle: int) -> str:
    with suppress(ValueError):
        return f"process {int(os.pread(handle, 20, 0))}"
    return "another process"

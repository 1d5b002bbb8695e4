"""Which files of a data folder this user cannot use: what a start would stumble over.

Only what a start reads or writes counts. A link is refused elsewhere, since none is followed.
"""

import errno
import os
import pwd
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

READ, CHANGE = os.R_OK, os.R_OK | os.W_OK
FILES = {
    "owner.lock": CHANGE,
    "control.key": READ,
    "vault.key": READ,
    "sftp.key": READ,
    "people.json": READ,
    "classes.json": READ,
    "stories.json": READ,
    "server.json": READ,
    "registry.log": READ,
    "audit.jsonl": CHANGE,
}
TLS_FILES = dict.fromkeys(("ca.pem", "ca-key.pem", "server.pem", "server-key.pem"), READ)
FOLDERS = {"tls": READ, "classes": CHANGE}
SANDBOX_FILES = dict.fromkeys(("sandbox.json", "lesson.json", "recording.json"), READ)
SANDBOX_FOLDERS = {"clearing": CHANGE, "outgoing": CHANGE, "steps": CHANGE}
SANDBOX_ID = re.compile(r"[0-9a-f]{32}")
LOG = re.compile(r"[0-9]+\.log")
OTHER_FOLDER = "or name another folder with --data"
# What to do where the system refuses to write.
WRITE_ADVICE: Mapping[int | None, str] = {
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "let this user have more of that disk",
    errno.EROFS: "mount it for writing",
    errno.EFBIG: "let this user write longer files (ulimit -f)",
}


class Obstacle(NamedTuple):
    """A file or folder that cannot be used: what is wrong, and what to do."""

    path: Path
    expected: str
    found: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, got {self.found}; {self.advice}"


def obstacles_in(data: Path) -> Iterator[Obstacle]:
    """What this user cannot use of a data folder that it may enter. Raises OSError."""
    yield from _obstacles_among(data, FILES, FOLDERS)
    if _is_open(data / "tls"):
        yield from _obstacles_among(data / "tls", TLS_FILES, {})
    for entry in sorted(os.scandir(data), key=lambda each: each.name):
        if SANDBOX_ID.fullmatch(entry.name):
            yield from _obstacles_of_sandbox(Path(entry.path))


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An OSError from within names the file that was to be written: that of a handle names none,
    and that of a draft another one.
    """
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from error


def refused_write(error: OSError, place: Path) -> str:
    """Which file the system refused to read or write, or `place` where it named none, and what to
    do.
    """
    advice = WRITE_ADVICE.get(error.errno, "let this user read and change it")
    name, reason = error.filename or place, error.strerror or error
    return f"{name}: expected to be read and written, got: {reason}; {advice}, {OTHER_FOLDER}"


def is_read_only(path: Path) -> bool:
    """Whether the disk of a file or folder is mounted without the right to write. Raises
    OSError.
    """
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def is_there(path: Path) -> bool:
    """Whether this user can see a file or folder there; unlike Path.exists, it never raises."""
    return os.path.exists(path)  # noqa: PTH110


def obstacle_of(path: Path, needed: int, *, is_folder: bool) -> Obstacle | None:
    """What hinders this user from using a file or a folder; None where there is none, or a link.
    Raises OSError.
    """
    try:
        state = path.lstat()
    except FileNotFoundError:
        return None
    kind = "folder" if is_folder else "file"
    right = "read and change" if needed & os.W_OK else "read"
    expected = f"a {kind} that user {_user(os.geteuid())} may {right}"
    if stat.S_ISLNK(state.st_mode):
        return None
    if not (stat.S_ISDIR if is_folder else stat.S_ISREG)(state.st_mode):
        return Obstacle(path, expected, _kind_of(state.st_mode), _way_out(path))
    wanted = needed | (os.X_OK if is_folder else 0)
    if os.access(path, wanted, effective_ids=True) or not os.path.lexists(path):
        return None
    if needed & os.W_OK and is_read_only(path):
        advice = f"{WRITE_ADVICE[errno.EROFS]}, {OTHER_FOLDER}"
        return Obstacle(path, expected, os.strerror(errno.EROFS), advice)
    mode = stat.S_IMODE(state.st_mode)
    found = f"mode {mode:03o} of user {_user(state.st_uid)}"
    return Obstacle(path, expected, found, _right_advice(path, state.st_uid, is_folder))


def _obstacles_among(
    folder: Path, files: dict[str, int], folders: dict[str, int]
) -> Iterator[Obstacle]:
    for is_folder, names in ((True, folders), (False, files)):
        for name, needed in names.items():
            found = obstacle_of(folder / name, needed, is_folder=is_folder)
            if found is not None:
                yield found


def _obstacles_of_sandbox(folder: Path) -> Iterator[Obstacle]:
    found = obstacle_of(folder, CHANGE, is_folder=True)
    if found is not None:
        yield found
    elif _is_open(folder):
        logs = {name: CHANGE for name in _names_in(folder) if LOG.fullmatch(name)}
        yield from _obstacles_among(folder, SANDBOX_FILES | logs, SANDBOX_FOLDERS)


def _names_in(folder: Path) -> list[str]:
    # A gateway that runs there may remove it meanwhile.
    with suppress(FileNotFoundError):
        return sorted(each.name for each in folder.iterdir())
    return []


def _is_open(folder: Path) -> bool:
    is_folder = folder.is_dir() and not folder.is_symlink()
    return is_folder and os.access(folder, os.R_OK | os.X_OK, effective_ids=True)


def _kind_of(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "a device, pipe or socket"


def _way_out(path: Path) -> str:
    return f"move {path} away and put it back from a backup, or name another folder with --data"


def _right_advice(path: Path, owner: int, is_folder: bool) -> str:
    if owner == os.geteuid():
        return f"run: chmod u+{'rwx' if is_folder else 'rw'} {path}"
    return f"let that user run: chown {_user(os.geteuid())} {path}; or name another with --data"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)

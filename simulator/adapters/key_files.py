"""Key files: there whole or not at all, for their owner alone, and never read through a link."""

import os
from contextlib import suppress
from pathlib import Path

from simulator.adapters.access import READ, naming, obstacle_of
from simulator.adapters.store.files import LocalDisk
from simulator.grammar.characters import CREDENTIAL, CREDENTIAL_SIGNS

ADVICE = "remove it, and the next start makes another key"
MODE_OF_OTHERS = 0o077
KEY_FILE_BYTES_MAX = 4096


class UnsafeKeyFileError(Exception):
    """The key file cannot be trusted: others may read it, it is a link, or it holds no key."""


def create_key_file(path: Path, key: str) -> None:
    """The key in a new file, durably; a file that another process made meanwhile stays. Raises
    OSError that names it.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with naming(path):
        draft.unlink(missing_ok=True)
        try:
            _write_draft(draft, key)
            # A link, unlike a rename, never replaces a file that is there.
            with suppress(FileExistsError):
                path.hardlink_to(draft)
        finally:
            draft.unlink(missing_ok=True)
        LocalDisk().sync_folder(path.parent)


def _write_draft(draft: Path, key: str) -> None:
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{key}\n")
        file.flush()
        os.fsync(file.fileno())


def read_key_file(path: Path) -> tuple[str, int]:
    """What the file holds, and which permissions it has. Raises UnsafeKeyFileError."""
    try:
        if path.is_symlink():
            advice = "put the file in its place"
            raise UnsafeKeyFileError(f"{path}: expected a file, got a link; {advice}")
        obstacle = obstacle_of(path, READ, is_folder=False)
        if obstacle is not None:
            wrong = f"expected {obstacle.expected}, got {obstacle.found}"
            raise UnsafeKeyFileError(f"{path}: {wrong}; let it be read, or name another file")
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode & 0o777
            content = file.read(KEY_FILE_BYTES_MAX)
    except OSError as error:
        reason = error.strerror or error
        raise UnsafeKeyFileError(
            f"{path}: expected a key file that can be read, got: {reason}; let this user read it"
        ) from error
    try:
        return content.decode("ascii").strip(), mode
    except UnicodeDecodeError:
        raise UnsafeKeyFileError(f"{path}: expected a key, got bytes that are none") from None


def read_control_key(path: Path) -> str:
    """The control key in the file. Raises UnsafeKeyFileError, also where it is empty, or none that
    a request can carry. Choice: D-359.
    """
    key, _ = read_key_file(path)
    if not key:
        raise UnsafeKeyFileError(f"{path}: expected the control key, got an empty file; {ADVICE}")
    if not CREDENTIAL.fullmatch(key):
        raise UnsafeKeyFileError(
            f"{path}: expected a key of {CREDENTIAL_SIGNS}, got other signs; {ADVICE}"
        )
    return key


def refuse_readable(path: Path, mode: int) -> None:
    """Raise UnsafeKeyFileError where others may read the file."""
    if mode & MODE_OF_OTHERS:
        raise UnsafeKeyFileError(f"{path}: expected mode 600, got {mode:o}; run: chmod 600 {path}")

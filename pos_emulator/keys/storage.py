"""Where the state of keys lasts: a sealed file that is replaced as a whole, for one process."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pos_emulator.keys.errors import StorageError

STORAGE_KEY_FILE = "storage.key"
STORAGE_KEY_BYTES = 32
NONCE_BYTES = 12
OWNER_ONLY = 0o600

Sync = Callable[[int], None]


class StateStore(Protocol):
    """Keeps one state. What `write` was given is what `read` returns, whenever power fails."""

    def read(self) -> bytes | None:
        """Return the last state that was written, or None. Raises StorageError."""

    def write(self, state: bytes) -> None:
        """Return once the state lasts. Raises StorageError; then the former or this one lasts."""


class SealedFile:
    """A StateStore in a file, encrypted under the storage key of the terminal.

    A second process that opens it gets StorageError: both would use the same counters.
    """

    def __init__(self, path: Path, storage_key: bytes):
        self._path = path
        self._seal = AESGCM(storage_key)
        self._lock = lock_file(path.with_suffix(".lock"))

    def close(self) -> None:
        """Let another process open the file."""
        self._lock.close()

    def read(self) -> bytes | None:
        try:
            sealed = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refused_by_disk(self._path, "read", error) from None
        try:
            nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
            return self._seal.decrypt(nonce, rest, self._path.name.encode())
        except (InvalidTag, ValueError):
            raise StorageError(f"{self._path.name} was changed, or is another terminal's") from None

    def write(self, state: bytes) -> None:
        nonce = os.urandom(NONCE_BYTES)
        sealed = nonce + self._seal.encrypt(nonce, state, self._path.name.encode())
        try:
            replace_file(self._path, sealed)
        except OSError as error:
            raise refused_by_disk(self._path, "written", error) from None


def storage_key(folder: Path) -> bytes:
    """Return the key that seals the files of a folder, made at first use and readable by its owner.

    It stands for the memory that a real terminal erases when it is opened. Raises StorageError.
    """
    path = folder / STORAGE_KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            replace_file(path, os.urandom(STORAGE_KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise refused_by_disk(path, "read or written", error) from None
    if len(key) != STORAGE_KEY_BYTES:
        raise StorageError(f"{path.name} has not {STORAGE_KEY_BYTES} bytes")
    return key


def refused_by_disk(path: Path, done: str, error: OSError) -> StorageError:
    """The error for a file that cannot be `done`: where it is, and what the system said."""
    return StorageError(f"{path} cannot be {done}: {error.strerror or error}")


def replace_file(path: Path, content: bytes, sync: Sync = os.fsync) -> None:
    """Replace a file so that a reader finds the former content or this one, even after a crash.

    `sync` makes what was written to a descriptor durable. Raises OSError.
    """
    write_beside(path, content, sync).replace(path)
    sync_names(path, sync)


def write_beside(path: Path, content: bytes, sync: Sync) -> Path:
    """Write what is to take the place of a file; where it is until then. Raises OSError."""
    new = path.with_suffix(".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        sync(file.fileno())
    return new


def sync_names(path: Path, sync: Sync) -> None:
    """Return when a power cut no longer undoes which file has this name. Raises OSError."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        sync(folder)
    finally:
        os.close(folder)


def lock_file(path: Path) -> BinaryIO:
    """Hold a file against other processes until what is returned is closed. Raises StorageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except OSError as error:
        raise refused_by_disk(path, "written", error) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise StorageError(
            f"another process uses {path.parent} and holds {path.name}; "
            "end it, or take another folder"
        ) from None
    return os.fdopen(descriptor, "r+b")

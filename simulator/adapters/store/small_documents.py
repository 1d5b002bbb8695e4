"""Small documents in TinyDB: JSON files that people may open, each replaced whole or not at all.

For what is small and seldom changed: TinyDB writes a file anew at each change. Choice: D-309.
"""

import errno
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from tinydb import TinyDB
from tinydb.storages import Storage
from tinydb.table import Document, Table

from simulator.adapters.access import naming
from simulator.adapters.store.files import Disk, remove, replace
from simulator.domain.core.errors import DamagedLogError

Kept = TypeVar("Kept", bound=msgspec.Struct)
NEW = ".new"

# Tables by name, documents by id.
Tables = dict[str, dict[str, dict[str, Any]]]


class UnreadableDocumentsError(OSError):
    """A file that holds anything but tables of documents as JSON."""


class AtomicFileStorage(Storage):
    """One file under TinyDB: a write is on the disk when it returns, or the file is as before, save
    after UnsyncedNameError: then it is written, and a power cut may undo that.

    Both may raise OSError, and UnreadableDocumentsError where a file was damaged.
    """

    def __init__(self, path: Path, disk: Disk):
        self._path = path
        self._disk = disk

    def read(self) -> Tables | None:
        """What the file holds; None where there is none."""
        content = b"".join(self._disk.lines(self._path))
        try:
            return msgspec.json.decode(content, type=Tables) if content else None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            expected = f"expected documents as JSON, got: {error}"
            raise UnreadableDocumentsError(errno.EINVAL, expected) from None

    def write(self, data: Mapping[str, Any]) -> None:
        """Replace what the file holds. An OSError names it."""
        content = msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"
        with naming(self._path):
            self._replace(content)

    def _replace(self, content: bytes) -> None:
        aside = self._path.with_name(self._path.name + NEW)
        self._disk.make_folder(self._path.parent)
        self._disk.remove(aside)
        try:
            self._write_aside(aside, content)
        except OSError:
            # What is there of it would take the room that is needed.
            with suppress(OSError):
                self._disk.remove(aside)
            raise
        replace(self._disk, aside, self._path)

    def _write_aside(self, aside: Path, content: bytes) -> None:
        handle = self._disk.open(aside)
        try:
            self._disk.append(handle, content)
            self._disk.sync(handle)
        finally:
            self._disk.close(handle)


class TextIdTable(Table):
    """A table whose ids are texts."""

    document_id_class = str  # type: ignore[assignment]


def read_documents(path: Path, table: str, disk: Disk) -> dict[str, dict[str, Any]]:
    """The documents of a table in a file, by id. Raises OSError."""
    return {str(each.doc_id): dict(each) for each in _table(path, table, disk).all()}


def read_records(path: Path, table: str, kind: type[Kept], disk: Disk) -> dict[str, Kept]:
    """The records of a table in a file, by id. Raises DamagedLogError."""
    try:
        found = read_documents(path, table, disk)
        return {key: msgspec.convert(each, kind) for key, each in found.items()}
    except (OSError, msgspec.ValidationError) as error:
        raise damage_in(path, error) from None


def damage_in(path: Path, error: Exception) -> DamagedLogError:
    """What is said of a file of documents that could not be read."""
    return DamagedLogError(path, 1, f"a record of this version ({reason_of(error)})")


def reason_of(error: Exception) -> str:
    """Why a file of documents could not be read, without the number of the error."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def store_document(
    path: Path, table: str, identity: str, document: Mapping[str, Any], *, disk: Disk
) -> None:
    """Store a document in a file, in place of the one it holds under the id. Raises OSError."""
    documents = _table(path, table, disk)

    def put(held: Any) -> None:
        held.clear()
        held.update(document)

    if documents.contains(doc_id=identity):  # type: ignore[arg-type]
        documents.update(put, doc_ids=[identity])  # type: ignore[list-item]
    else:
        documents.insert(Document(document, doc_id=identity))  # type: ignore[arg-type]


def remove_document(path: Path, table: str, identity: str, *, disk: Disk) -> None:
    """Remove one document of a file, if it holds it. Raises OSError."""
    documents = _table(path, table, disk)
    if documents.contains(doc_id=identity):  # type: ignore[arg-type]
        documents.remove(doc_ids=[identity])  # type: ignore[list-item]


def remove_documents(path: Path, disk: Disk) -> None:
    """Remove a file and what it holds, durably. Raises OSError."""
    remove(disk, path)


def _table(path: Path, name: str, disk: Disk) -> Table:
    database = TinyDB(path, disk, storage=AtomicFileStorage)
    database.table_class = TextIdTable
    return database.table(name)

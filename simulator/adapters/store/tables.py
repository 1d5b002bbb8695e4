"""TinyDB over the log: its tables and queries, at the cost of the documents they touch.

TinyDB builds the whole table anew at each change; here its methods work on a draft that notes what
they touched. So insert, update, upsert, remove, get and contains by id cost the same at any size;
queries decode every document. The query cache is off: it would hand out a document twice.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tinydb import TinyDB
from tinydb.queries import QueryLike
from tinydb.table import Document, Table

from simulator.adapters.ids import random_hex
from simulator.adapters.store.documents import Change, Documents
from simulator.adapters.store.indexes import id_in
from simulator.adapters.store.log import LogStorage, decoded

ID_DIGITS = 32


def keyed_database(storage: LogStorage) -> TinyDB:
    """A TinyDB over the storage whose tables are keyed."""
    database = TinyDB(storage=lambda: storage)
    database.table_class = KeyedTable  # type: ignore[assignment]
    return database


class KeyedTable(Table):
    """A table of a LogStorage: ids are strings, changes durable on return, documents copies."""

    document_id_class = str  # type: ignore[assignment]

    def __init__(self, storage: LogStorage, name: str, *, persist_empty: bool = False):
        self._log = storage
        super().__init__(storage, name, cache_size=0, persist_empty=persist_empty)

    def get(  # type: ignore[override]
        self,
        cond: QueryLike | None = None,
        doc_id: str | None = None,
        doc_ids: Iterable[str] | None = None,
    ) -> Document | list[Document] | None:
        """As TinyDB's, but a list of ids costs as many look-ups, not the whole table."""
        if doc_id is None and doc_ids is not None:
            bodies = self._held().bodies
            return [self._document(identity) for identity in doc_ids if identity in bodies]
        return super().get(cond, doc_id)  # type: ignore[arg-type]

    def find(self, index: str, key: str) -> list[Document]:
        """The documents whose indexed key equals `key`, oldest first."""
        held = self._held()
        identities = held.hash_index(index).ids(key)
        return [self._document(identity) for identity in sorted(identities, key=held.serial)]

    def between(self, index: str, low: str, high: str) -> list[Document]:
        """The documents whose ordered key is in [low, high), in order of the key."""
        held = self._held()
        entries = held.ordered_index(index).between(held.bound(index, low), held.bound(index, high))
        return [self._document(id_in(entry)) for entry in entries]

    def _document(self, identity: str) -> Document:
        return self.document_class(decoded(self._held().bodies[identity]), identity)  # type: ignore

    def _held(self) -> Documents:
        return self._log.documents(self.name)

    def _get_next_id(self) -> str:
        return random_hex(ID_DIGITS)

    def _update_table(self, updater: Callable[[Any], None]) -> None:
        draft = Draft(self._held())
        updater(draft)
        changes = list(draft.changes(self._log))
        if changes:
            self._log.commit(changes)
            self._log.settle()


class Draft:
    """A table while TinyDB changes it: decoded where touched, compared in the end."""

    __slots__ = ("_held", "_touched")

    def __init__(self, held: Documents):
        self._held = held
        # None stands for a document that is to be removed.
        self._touched: dict[str, Any] = {}

    def changes(self, log: LogStorage) -> Iterator[Change]:
        """What has to be done to the table for it to be as the draft."""
        for identity, document in self._touched.items():
            if document is not None:
                yield from log.replacement(self._held, identity, document)
            elif identity in self._held.bodies:
                yield self._held.change(identity, None)

    def __contains__(self, identity: str) -> bool:
        if identity in self._touched:
            return self._touched[identity] is not None
        return identity in self._held.bodies

    def __getitem__(self, identity: str) -> Any:
        if identity not in self:
            raise KeyError(identity)
        if identity not in self._touched:
            self._touched[identity] = decoded(self._held.bodies[identity])
        return self._touched[identity]

    def __setitem__(self, identity: str, document: Any) -> None:
        self._touched[identity] = document

    def __delitem__(self, identity: str) -> None:
        if identity not in self:
            raise KeyError(identity)
        self._touched[identity] = None

    def keys(self) -> list[str]:
        added = [one for one in self._touched if one not in self._held.bodies]
        return [one for one in [*self._held.bodies, *added] if one in self]

    def pop(self, identity: str) -> Any:
        document = self[identity]
        del self[identity]
        return document

    def clear(self) -> None:
        self._touched = dict.fromkeys(self._held.bodies)

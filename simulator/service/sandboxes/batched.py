"""A store whose units share writes: for work that is answered once, after all of it is durable."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Store, Unit

Record = TypeVar("Record")


class BatchedStore:
    """Implements ports.Store over another one: `commit` does not wait for the disk.

    An answer leaves after `wait_durable`, and so does a webhook event.
    """

    __slots__ = ("_store",)

    def __init__(self, store: Store):
        self._store = store

    @property
    def failed_writes(self) -> int:
        """How many writes failed in this epoch."""
        return self._store.failed_writes

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None."""
        return self._store.get(kind, identity)

    def get_many(self, kind: type[Record], identities: Iterable[str]) -> dict[str, Record]:
        """The records with these ids, by their ids: those there are."""
        return self._store.get_many(kind, identities)

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first."""
        return self._store.find(kind, index, key)

    def ids_found(self, kind: type, index: str, key: str) -> Sequence[str]:
        """The ids of what `find` would return, oldest first."""
        return self._store.ids_found(kind, index, key)

    def count_found(self, kind: type, index: str, key: str) -> int:
        """How many records `find` would return."""
        return self._store.count_found(kind, index, key)

    def count(self, kind: type) -> int:
        """How many records of this kind there are."""
        return self._store.count(kind)

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key."""
        return self._store.between(kind, index, low, high)

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """At most `most` of the records whose ordered key is in [low, high), and their count."""
        return self._store.page(kind, index, bounds, start=start, most=most)

    def firsts(self, kinds: Sequence[type], index: str) -> list[Any]:
        """The first record of each kind in the ordered index, or None."""
        return self._store.firsts(kinds, index)

    def commit(self, unit: Unit) -> None:
        """Store a unit; it is durable no later than any that is stored after it."""
        self._store.commit_unflushed(unit)

    def commit_unflushed(self, unit: Unit) -> Flush:
        """The same, and what makes it durable."""
        return self._store.commit_unflushed(unit)

    def wait_durable(self) -> None:
        """Return when everything stored so far is durable."""
        self._store.wait_durable()

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        self._store.pause(failures)

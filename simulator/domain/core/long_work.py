"""The store of one long piece of work, which learns of every write that failed meanwhile."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from simulator.domain.core.errors import DiskError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import HasStore, Looks, Place, Store, Unit

Given = TypeVar("Given", bound=HasStore)
Record = TypeVar("Record")


class LongWorkStore:
    """Implements ports.Store over another one, for work that is made from its beginning: what it
    stores rests on all that it has stored and read before.

    A write that fails takes back units which this work may have stored or read, and the store goes
    on without them when the disk has room again. This work does not: from then on its commits, and
    its waits for the disk, raise DiskError, and it must be begun anew. Choice: D-671.

    Work that is answered once, after `wait_durable`, need not wait for the disk before: then its
    units share writes (`is_batched`), and an event leaves after `wait_durable` too.
    """

    __slots__ = ("_failed_before", "_is_batched", "_store")

    def __init__(self, store: Store, *, is_batched: bool = False):
        self._store = store
        self._is_batched = is_batched
        self._failed_before = store.failed_writes

    @property
    def failed_writes(self) -> int:
        """How many writes failed in this epoch."""
        return self._store.failed_writes

    @property
    def is_full(self) -> bool:
        """Whether it has all that a sandbox may have. Choice: D-699."""
        return self._store.is_full

    @property
    def looks(self) -> Looks:
        """What its scripts have counted in memory."""
        return self._store.looks

    def keeps(self, kind: type) -> bool:
        """Whether records of this kind are stored."""
        return self._store.keeps(kind)

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
        """At most `most` records whose ordered key is in [low, high), and their count."""
        return self._store.page(kind, index, bounds, start=start, most=most)

    def firsts(self, kinds: Sequence[type], index: str) -> list[Any]:
        """The first record of each kind in the ordered index, or None."""
        return self._store.firsts(kinds, index)

    def after(self, kind: type[Record], index: str, place: Place) -> Iterator[tuple[Place, Record]]:
        """The records behind a place in the ordered index, each with its own place."""
        return self._store.after(kind, index, place)

    def commit(self, unit: Unit) -> None:
        """Store a unit, durably but where units share writes. Raises DiskError, also where an
        earlier write has failed.
        """
        self._refuse_lost()
        if self._is_batched:
            self._store.commit_unflushed(unit)
        else:
            self._store.commit(unit)

    def commit_unflushed(self, unit: Unit) -> Flush:
        """The same without waiting for the disk, and what makes it durable."""
        self._refuse_lost()
        return self._store.commit_unflushed(unit)

    def wait_durable(self) -> None:
        """Return when everything that the work has stored and read is durable. Raises DiskError
        where something of it never will be.
        """
        self._store.wait_durable()
        self._refuse_lost()

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        self._store.pause(failures)

    def _refuse_lost(self) -> None:
        if self._store.failed_writes != self._failed_before:
            raise DiskError("long work", "a write failed since it began")


def ports_of_long_work(ports: Given) -> Given:
    """The ports of a piece of long work that begins now."""
    record: Any = ports
    changed: Given = replace(record, store=LongWorkStore(ports.store))
    return changed

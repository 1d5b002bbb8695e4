"""A store that lets others run at every call, as one behind a connection does, and an engine of it.

Its `main`, in a process that gevent has patched, is `sandgate serve` on such an engine.
"""

import os
from collections.abc import Iterator

import gevent

from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.engine import Engine, SandboxStore
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Store, Unit
from simulator.setting_sources import read_settings
from simulator.settings import Settings


class YieldingStore:
    """Implements SandboxStore over another store: others run before each call, and after it."""

    def __init__(self, store: Store):
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def get(self, kind: type, identity: str) -> object:
        return self._call("get", kind, identity)

    def get_many(self, kind: type, identities: object) -> object:
        return self._call("get_many", kind, identities)

    def find(self, kind: type, index: str, key: str) -> object:
        return self._call("find", kind, index, key)

    def ids_found(self, kind: type, index: str, key: str) -> object:
        return self._call("ids_found", kind, index, key)

    def count_found(self, kind: type, index: str, key: str) -> object:
        return self._call("count_found", kind, index, key)

    def between(self, kind: type, index: str, low: str, high: str) -> Iterator[object]:
        return self._each(self._store.between(kind, index, low, high))

    def page(
        self, kind: type, index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[object], int]:
        found, count = self._call("page", kind, index, bounds, start=start, most=most)
        return self._each(found), count

    def firsts(self, kinds: list[type], index: str) -> object:
        return self._call("firsts", kinds, index)

    def after(self, kind: type, index: str, place: object) -> Iterator[object]:
        return self._each(self._store.after(kind, index, place))

    def commit(self, unit: Unit) -> None:
        self._call("commit", unit)

    @property
    def is_full(self) -> bool:
        return self._store.is_full

    @property
    def failed_writes(self) -> int:
        return self._store.failed_writes

    def commit_unflushed(self, unit: Unit) -> Flush:
        return self._call("commit_unflushed", unit)

    def wait_durable(self) -> None:
        self._call("wait_durable")

    def _call(self, name: str, *arguments: object, **named: object) -> object:
        gevent.sleep(0)
        answer = getattr(self._store, name)(*arguments, **named)
        gevent.sleep(0)
        return answer

    def _each(self, records: Iterator[object]) -> Iterator[object]:
        gevent.sleep(0)
        for record in records:
            yield record
            gevent.sleep(0)


class YieldingEngine:
    """Implements Engine over another one: its stores are yielding ones."""

    def __init__(self, engine: Engine):
        self._engine = engine

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def store_of(self, sandbox: Sandbox) -> YieldingStore:
        return YieldingStore(self._engine.store_of(sandbox))

    def fill(self, sandbox: Sandbox, store: YieldingStore, snapshot: object) -> None:
        self._engine.fill(sandbox, inner_store(store), snapshot)


def inner_store(store: YieldingStore) -> SandboxStore:
    """The store behind a yielding one."""
    return store._store


def open_yielding(settings: Settings, vault: object) -> YieldingEngine:
    """The embedded engine, with stores that yield."""
    return YieldingEngine(FileEngine(settings.data, Durability(settings.durability)))


def main() -> None:
    """Serve with the settings of the environment, on the yielding engine."""
    from simulator.serving import serve

    settings, _ = read_settings({}, os.environ)
    serve(settings, open_engine=open_yielding)


if __name__ == "__main__":
    main()

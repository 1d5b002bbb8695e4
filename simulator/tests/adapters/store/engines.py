"""The engines that the contract is put to, each a row."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import gevent

from simulator.adapters.ids import RandomIds
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.ports import Store
from simulator.tests.adapters.sandboxes.yielding import YieldingStore
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.adapters.webhooks.parcels import KINDS, NOON


class Restless:
    """A store that is put to sleep before every call, so that everything is read from its log."""

    def __init__(self, store: DocumentStore):
        self._store = store

    def __getattr__(self, name: str) -> object:
        gevent.sleep(0)
        assert self._store.sleep()
        return getattr(self._store, name)


class Surroundings(NamedTuple):
    """Where an engine keeps its records: in a folder, or in the database behind `postgresql`."""

    folder: Path
    postgresql: Callable[[], PostgresEngine]


def on(durability: Durability) -> Callable[[Surroundings], Store]:
    return lambda around: DocumentStore(around.folder / "a.log", kinds=KINDS, durability=durability)


def on_postgresql(around: Surroundings) -> Store:
    return around.postgresql().store_of(a_sandbox())


ENGINES: dict[str, Callable[[Surroundings], Store]] = {
    "dicts": lambda around: MemoryStore(KINDS),
    "log, disk": on(Durability.DISK),
    "log, os": on(Durability.OS),
    "log, memory": on(Durability.MEMORY),
    "log on the twin": lambda around: DocumentStore("a.log", kinds=KINDS, disk=PowerCutDisk()),
    "log read at every call": lambda around: Restless(on(Durability.DISK)(around)),
    "yields at every call": lambda around: YieldingStore(on(Durability.MEMORY)(around)),
    "postgresql": on_postgresql,
}


def a_sandbox() -> Sandbox:
    """One that no other test has."""
    identity = RandomIds().record()
    return Sandbox(
        id=identity, psp=identity, division=identity, merchants=(), key_sealed="",
        control_key_hash="", control_key_sealed="", created_at=NOON,
    )  # fmt: skip

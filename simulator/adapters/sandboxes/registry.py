"""The sandboxes of this server: a registry of them, and for each one in use its world.

A sandbox is found by its token or its id. Its files are `<data>/<sandbox>/<epoch>.log`; a world is
opened at its first use and let go when it rests, so that an idle sandbox costs an entry in the
registry.
"""

import logging
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

import msgspec
from gevent.event import AsyncResult
from gevent.lock import BoundedSemaphore

from simulator.adapters.sandboxes.idle_unloading import Rest
from simulator.adapters.sandboxes.runtime import Parts, World, open_world
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.integrity import REGISTRY, advice_on
from simulator.adapters.store.kinds import KINDS
from simulator.adapters.store.pauses import pause
from simulator.adapters.store.snapshots import Spool, check_log, received, write_log, written
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import ConflictError, DamagedLogError, DiskError, EpochEndedError
from simulator.domain.core.ports import Ports, Principal, Unit, unit_of
from simulator.domain.core.server_ports import Readable, SnapshotFile
from simulator.domain.merchants.tokens import token_hash

LOG = logging.getLogger("sandgate.store")
END_OF_TIME = "9999-12-31"


class Worlds:
    """Implements ports.Registry and the door's Tokens over the data folder `path`.

    A world that nobody asked for during `idle_s` seconds rests; 0: never. Raises DamagedLogError.
    """

    def __init__(self, path: Path, parts: Parts, *, idle_s: float = 0):
        self._path = path
        self._parts = parts
        kinds = tuple(kind for kind in KINDS if kind.record is Sandbox)
        self._registry = DocumentStore(path / REGISTRY, kinds=kinds, durability=parts.durability)
        self._holders: dict[str, str] = {}
        self._awake: dict[str, World] = {}
        self._opening: dict[str, AsyncResult] = {}
        # Whoever begins or ends an epoch holds it, so that no two write the file of the same one.
        self._epochs = BoundedSemaphore(1)
        self._stores: WeakValueDictionary[Path, DocumentStore] = WeakValueDictionary()
        self._rest = Rest(path, parts, awake=self._awake, wake=self._rouse, idle_s=idle_s)
        for sandbox in self._known():
            self._admit(sandbox)

    def principal_of(self, token: str) -> Principal | None:
        """What `token` opens, or None."""
        key = token_hash(token)
        identity = self._holders.get(key)
        return None if identity is None else self._world(identity).passes.get(key)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._registry.between(Sandbox, "date", "", END_OF_TIME)

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._registry.count(Sandbox)

    def stores(self) -> list[DocumentStore]:
        """The store of the registry and those of the sandboxes in use."""
        return [self._registry, *(world.store for world in self._awake.values())]

    def sandbox(self, identity: str) -> Sandbox | None:
        """The sandbox with this id, or None."""
        return self._registry.get(Sandbox, identity)

    def ports(self, identity: str) -> Ports:
        """The ports of this sandbox in its present epoch."""
        return self._world(identity).ports

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        pause(failures)

    def keep(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox, durably; a new epoch starts with empty tables.

        Raises ConflictError where it changed meanwhile.
        """
        before = self.sandbox(sandbox.id)
        if before is None or before.epoch == sandbox.epoch:
            self._put(before, sandbox)
            return
        with self._epochs:
            # A restore that was cut off may have left one.
            self._remove_log(sandbox)
            self._put(before, sandbox)

    def drop(self, sandbox: Sandbox) -> None:
        """Remove a sandbox and its files, durably."""
        with self._epochs:
            self._registry.commit(Unit(removes=(sandbox,)))
            self._dismiss(sandbox)
            self._retire(sandbox)
            shutil.rmtree(self._path / sandbox.id, ignore_errors=True)

    def snapshot(self, identity: str, first: bytes) -> Spool:
        """The line `first` and after it the data of this sandbox as it is at one moment."""
        world = self._world(identity)
        world.keep_draws()
        world.store.wait_durable()
        return written(self._path, first, world.store.copied())

    def receive(self, content: Readable) -> Spool:
        """A snapshot that comes from outside, its header line apart. Raises InvalidInputError."""
        return received(self._path, content)

    def restore(self, sandbox: Sandbox, snapshot: SnapshotFile) -> None:
        """Store a new sandbox, or a new epoch of one, with the data of a snapshot, durably.

        Raises InvalidInputError for data that cannot be used, ConflictError where the sandbox
        changed meanwhile.
        """
        check_log(snapshot)
        with self._epochs:
            before = self.sandbox(sandbox.id)
            if sandbox.version != (0 if before is None else before.version):
                raise ConflictError(f"sandbox {sandbox.id}: it changed meanwhile")
            store = self._store_of(sandbox)
            if self._parts.durability is Durability.MEMORY:
                store.fill(snapshot.log_lines())
            else:
                write_log(snapshot, store.path)
            self._put(before, sandbox)
        self._rouse(sandbox.id)

    def look_through(self) -> None:
        """Look for due work in every sandbox, in the background, and remember when it comes."""
        with_log = (each for each in list(self._known()) if self._log_of(each).exists())
        self._rest.look_through([each.id for each in with_log])

    def close(self) -> None:
        """Make everything durable and let go of the files."""
        self._rest.stop()
        for world in list(self._awake.values()):
            with suppress(DiskError):
                world.keep_draws()
        for world in list(self._awake.values()):
            self._retire(world.ports.sandbox)
        self._registry.close()

    def _known(self) -> Iterator[Sandbox]:
        try:
            yield from self.sandboxes()
        except msgspec.ValidationError as error:
            path = self._registry.path
            raise DamagedLogError(path, 1, f"records of this version ({error})") from None

    def _put(self, before: Sandbox | None, sandbox: Sandbox) -> None:
        self._registry.commit(unit_of(sandbox))
        if before is not None:
            self._dismiss(before)
        self._admit(sandbox)
        if before is not None and before.epoch != sandbox.epoch:
            self._retire(before)
            self._remove_log(before)
        elif before is not None:
            self._fit(sandbox.id)

    def _admit(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            for token in merchant.tokens:
                if token.state == "active":
                    self._holders[token.hash] = sandbox.id

    def _dismiss(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            for token in merchant.tokens:
                self._holders.pop(token.hash, None)

    def _fit(self, identity: str) -> None:
        """Let a world in use know its sandbox as it is now."""
        self._await_opening(identity)
        world, sandbox = self._awake.get(identity), self.sandbox(identity)
        if world is not None and sandbox is not None:
            world.fit(sandbox)

    def _retire(self, sandbox: Sandbox) -> None:
        """End the epoch of a sandbox: work under way in it is dropped when it saves."""
        self._await_opening(sandbox.id)
        world = self._awake.pop(sandbox.id, None)
        self._rest.forget(sandbox.id)
        if world is not None:
            world.end()
        # Somebody may hold the store of a world that rests: the epoch is over for him as well.
        held = self._stores.pop(self._log_of(sandbox), None)
        if held is not None:
            held.close()

    def _await_opening(self, identity: str) -> None:
        opening = self._opening.get(identity)
        if opening is not None:
            opening.wait()

    def _world(self, identity: str) -> World:
        world = self._awake.get(identity) or self._wake(identity)
        world.quiet = 0
        return world

    def _wake(self, identity: str) -> World:
        opening = self._opening.get(identity)
        if opening is None:
            opening = self._opening[identity] = AsyncResult()
            try:
                opening.set(self._open(identity))
            except BaseException as error:
                opening.set_exception(error)
            finally:
                del self._opening[identity]
        world: World = opening.get()
        return world

    def _open(self, identity: str) -> World:
        sandbox = self.sandbox(identity)
        if sandbox is None:
            raise EpochEndedError("the sandbox was deleted")
        try:
            world = open_world(
                sandbox,
                self._store_of(sandbox),
                self._parts,
                kept=self._rest.take_back(identity),
                fetch=lambda: self._world(identity).ports,
            )
        except DamagedLogError as error:
            LOG.error("sandbox %s: %s. What to do: %s", identity, error, advice_on(error))
            raise
        self._awake[identity] = world
        self._rest.watch(identity)
        world.scheduler.wake()
        return world

    def _store_of(self, sandbox: Sandbox) -> DocumentStore:
        """The store of a sandbox: one that is still held, for there must never be two of a log."""
        path = self._log_of(sandbox)
        store = self._stores.get(path)
        if store is None:
            store = self._stores[path] = DocumentStore(path, durability=self._parts.durability)
        return store

    def _rouse(self, identity: str) -> None:
        """Due work of a sandbox has come: its pacer does it."""
        self._world(identity).scheduler.wake()

    def _remove_log(self, sandbox: Sandbox) -> None:
        self._log_of(sandbox).unlink(missing_ok=True)

    def _log_of(self, sandbox: Sandbox) -> Path:
        return self._path / sandbox.id / f"{sandbox.epoch}.log"

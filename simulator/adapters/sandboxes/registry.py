"""The sandboxes of this server: a store of their records, and the runtimes of those in memory.

A sandbox is found by its token or its id. Its log is `<data>/<sandbox>/<epoch>.log`. It is loaded
at its first use and evicted when it is idle, so that an idle sandbox costs one record.
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

from simulator.adapters.sandboxes.idle_unloading import IdleUnloader
from simulator.adapters.sandboxes.runtime import RuntimeParts, SandboxRuntime, load_runtime
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


class SandboxRegistry:
    """Implements ports.Registry and Tokens over the data folder `path`.

    A sandbox without requests for `idle_s` seconds is evicted; 0: never. Raises DamagedLogError.
    """

    def __init__(self, path: Path, parts: RuntimeParts, *, idle_s: float = 0):
        self._path = path
        self._parts = parts
        kinds = tuple(kind for kind in KINDS if kind.record is Sandbox)
        self._registry = DocumentStore(path / REGISTRY, kinds=kinds, durability=parts.durability)
        self._sandbox_of_token: dict[str, str] = {}
        self._loaded: dict[str, SandboxRuntime] = {}
        self._loading: dict[str, AsyncResult] = {}
        # Held while an epoch begins or ends, so that no two write the log of the same one.
        self._epochs = BoundedSemaphore(1)
        self._stores: WeakValueDictionary[Path, DocumentStore] = WeakValueDictionary()
        self._unloader = IdleUnloader(
            path, parts, loaded=self._loaded, wake=self._wake, idle_s=idle_s
        )
        for sandbox in self._known():
            self._add_tokens(sandbox)

    def principal_of(self, token: str) -> Principal | None:
        """The caller that `token` authenticates, or None."""
        key = token_hash(token)
        identity = self._sandbox_of_token.get(key)
        return None if identity is None else self._runtime(identity).principals.get(key)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._registry.between(Sandbox, "date", "", END_OF_TIME)

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._registry.count(Sandbox)

    def stores(self) -> list[DocumentStore]:
        """The store of the registry and those of the loaded sandboxes."""
        return [self._registry, *(runtime.store for runtime in self._loaded.values())]

    def sandbox(self, identity: str) -> Sandbox | None:
        """The sandbox with this id, or None."""
        return self._registry.get(Sandbox, identity)

    def ports(self, identity: str) -> Ports:
        """The ports of this sandbox in its present epoch."""
        return self._runtime(identity).ports

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        pause(failures)

    def save(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox, durably; a new epoch starts with empty tables.

        Raises ConflictError where it changed meanwhile.
        """
        before = self.sandbox(sandbox.id)
        if before is None or before.epoch == sandbox.epoch:
            self._put(before, sandbox)
            return
        with self._epochs:
            # An interrupted restore may have left one.
            self._remove_log(sandbox)
            self._put(before, sandbox)

    def delete(self, sandbox: Sandbox) -> None:
        """Remove a sandbox and its files, durably."""
        with self._epochs:
            self._registry.commit(Unit(removes=(sandbox,)))
            self._remove_tokens(sandbox)
            self._end_epoch(sandbox)
            shutil.rmtree(self._path / sandbox.id, ignore_errors=True)

    def snapshot(self, identity: str, first: bytes) -> Spool:
        """The line `first` and after it the data of this sandbox as it is at one moment."""
        runtime = self._runtime(identity)
        runtime.store_draw_count()
        runtime.store.wait_durable()
        return written(self._path, first, runtime.store.copied())

    def receive(self, content: Readable) -> Spool:
        """A snapshot that was sent, its header line apart. Raises InvalidInputError."""
        return received(self._path, content)

    def restore(self, sandbox: Sandbox, snapshot: SnapshotFile) -> None:
        """Store a new sandbox, or a new epoch of one, with the data of a snapshot, durably.

        Raises InvalidInputError for data that cannot be read, ConflictError where the sandbox
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
        self._wake(sandbox.id)

    def scan_due_work(self) -> None:
        """Find out in the background when the next work of every sandbox is due."""
        with_log = (each for each in list(self._known()) if self._log_of(each).exists())
        self._unloader.scan_due_work([each.id for each in with_log])

    def close(self) -> None:
        """Make everything durable and close the files."""
        self._unloader.stop()
        for runtime in list(self._loaded.values()):
            with suppress(DiskError):
                runtime.store_draw_count()
        for runtime in list(self._loaded.values()):
            self._end_epoch(runtime.ports.sandbox)
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
            self._remove_tokens(before)
        self._add_tokens(sandbox)
        if before is not None and before.epoch != sandbox.epoch:
            self._end_epoch(before)
            self._remove_log(before)
        elif before is not None:
            self._update_runtime(sandbox.id)

    def _add_tokens(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            for token in merchant.tokens:
                if token.state == "active":
                    self._sandbox_of_token[token.hash] = sandbox.id

    def _remove_tokens(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            for token in merchant.tokens:
                self._sandbox_of_token.pop(token.hash, None)

    def _update_runtime(self, identity: str) -> None:
        """Give a loaded runtime the present record of its sandbox."""
        self._await_loading(identity)
        runtime, sandbox = self._loaded.get(identity), self.sandbox(identity)
        if runtime is not None and sandbox is not None:
            runtime.update_sandbox(sandbox)

    def _end_epoch(self, sandbox: Sandbox) -> None:
        """End the epoch of a sandbox: its work in flight is dropped when it commits."""
        self._await_loading(sandbox.id)
        runtime = self._loaded.pop(sandbox.id, None)
        self._unloader.discard_state(sandbox.id)
        if runtime is not None:
            runtime.stop()
        # A request may still hold the store of an evicted runtime: its epoch ends too.
        held = self._stores.pop(self._log_of(sandbox), None)
        if held is not None:
            held.close()

    def _await_loading(self, identity: str) -> None:
        loading = self._loading.get(identity)
        if loading is not None:
            loading.wait()

    def _runtime(self, identity: str) -> SandboxRuntime:
        runtime = self._loaded.get(identity) or self._load(identity)
        runtime.idle_rounds = 0
        return runtime

    def _load(self, identity: str) -> SandboxRuntime:
        loading = self._loading.get(identity)
        if loading is None:
            loading = self._loading[identity] = AsyncResult()
            try:
                loading.set(self._load_runtime(identity))
            except BaseException as error:
                loading.set_exception(error)
            finally:
                del self._loading[identity]
        runtime: SandboxRuntime = loading.get()
        return runtime

    def _load_runtime(self, identity: str) -> SandboxRuntime:
        sandbox = self.sandbox(identity)
        if sandbox is None:
            raise EpochEndedError("the sandbox was deleted")
        try:
            runtime = load_runtime(
                sandbox,
                self._store_of(sandbox),
                self._parts,
                retained=self._unloader.restore_state(identity),
                fetch=lambda: self._runtime(identity).ports,
            )
        except DamagedLogError as error:
            LOG.error("sandbox %s: %s. What to do: %s", identity, error, advice_on(error))
            raise
        self._loaded[identity] = runtime
        self._unloader.watch(identity)
        runtime.scheduler.wake()
        return runtime

    def _store_of(self, sandbox: Sandbox) -> DocumentStore:
        """The store of a sandbox: the one still in use, for there must never be two for a log."""
        path = self._log_of(sandbox)
        store = self._stores.get(path)
        if store is None:
            store = self._stores[path] = DocumentStore(path, durability=self._parts.durability)
        return store

    def _wake(self, identity: str) -> None:
        """Load a sandbox, whose due work has come, and let its scheduler run it."""
        self._runtime(identity).scheduler.wake()

    def _remove_log(self, sandbox: Sandbox) -> None:
        self._log_of(sandbox).unlink(missing_ok=True)

    def _log_of(self, sandbox: Sandbox) -> Path:
        return self._path / sandbox.id / f"{sandbox.epoch}.log"

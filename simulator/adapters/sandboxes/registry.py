"""The sandboxes of this server: their records, and the runtimes of those in memory.

A sandbox is found by its token or its id. The engine keeps its record and, in each epoch, its
store. It is loaded at its first use and evicted when it is idle: an idle one costs one record.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.sandboxes.binding import RuntimeParts
from simulator.adapters.sandboxes.changes import ChangedParts, SandboxChanges
from simulator.adapters.sandboxes.epoch_turns import (
    EpochTurns,
    in_epoch,
    log_of,
    of_one_epoch,
    replaced_by,
)
from simulator.adapters.sandboxes.hand_over import HandOverSteps
from simulator.adapters.sandboxes.home_ports import HomePorts
from simulator.adapters.sandboxes.idle_unloading import IdleUnloader
from simulator.adapters.sandboxes.loadings import Loadings
from simulator.adapters.sandboxes.runtime import SandboxRuntime, load_beside, load_runtime
from simulator.adapters.sandboxes.token_index import TokenIndex
from simulator.adapters.settlement import archive
from simulator.adapters.settlement.copied_archive import copied_snapshot
from simulator.adapters.settlement.epochs import EpochFiles
from simulator.adapters.store.engine import Engine, SandboxStore
from simulator.adapters.store.integrity import advice_on, folder_of
from simulator.adapters.store.snapshots import Spool, Spools, check_log
from simulator.adapters.turns import in_slices, pause, work_for
from simulator.domain.copies import SandboxCopy
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
)
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.ports.server import Readable, Refusing, SnapshotFile

LOG = logging.getLogger("sandgate.store")
Result = TypeVar("Result")


class SandboxRegistry:
    """Implements ports.Registry and Tokens over an engine; what is no record of a sandbox, such as
    its settlement files, is in the data folder `path`.

    A sandbox without requests for `idle_s` seconds is evicted; 0: never. Raises DamagedLogError.
    """

    def __init__(self, path: Path, parts: RuntimeParts, engine: Engine, *, idle_s: float = 0):
        self._path = path
        self._parts = parts
        self._engine = engine
        self._records = engine.records
        self._known = TokenIndex()
        self._loaded: dict[str, SandboxRuntime] = {}
        self._loadings = Loadings(self._load_runtime)
        self._epochs = EpochTurns()
        self._spools = Spools(self._path)
        self._files = EpochFiles(self._path)
        # Held while changes are read, for all requests that wait; they share the next reading.
        self._refreshing = BoundedSemaphore(1)
        self._refreshes = self._refreshed = 0
        self._stores: WeakValueDictionary[tuple[str, int], SandboxStore] = WeakValueDictionary()
        idle_s = idle_s if engine.is_lasting else 0
        self._unloader = IdleUnloader(
            path, parts, loaded=self._loaded, wake=self._wake, idle_s=idle_s
        )
        self._changes = SandboxChanges(
            engine,
            ChangedParts(
                known=self._known,
                files=self._files,
                update=self._update_runtime,
                end_epoch=self._end_epoch,
                close_store=self._close_store,
                find_due_work=self._unloader.wake_soon,
                turn_of=self._epochs.of,
            ),
        )
        for sandbox in self._records.sandboxes():
            self._known.add(sandbox)
        if engine.is_lasting and not engine.is_shared:
            self._files.go_on(self.sandbox)

    def principal_of(self, token: str) -> Principal | None:
        """The caller that `token` authenticates, or None."""
        key = token_hash(token)
        try:
            return self._holder(key)
        except EpochEndedError:
            return self._epochs.newest(partial(self._holder, key), self.refresh)

    def _holder(self, key: str) -> Principal | None:
        identity = self._known.of_token.get(key) or self.sandbox_of_token(key)
        return None if identity is None else self._runtime(identity).principals.get(key)

    def sandbox_of_token(self, key: str) -> str | None:
        """The id of the sandbox that has the token with this hash, or None."""
        if key not in self._known.of_token:
            self.refresh()
        return self._known.of_token.get(key)

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first; others have their turn now and then."""
        return in_slices(self._records.sandboxes())

    def count(self) -> int:
        """How many sandboxes there are."""
        return self._records.count()

    def stores(self) -> list[SandboxStore]:
        """The stores of the loaded sandboxes."""
        return [runtime.store for runtime in self._loaded.values()]

    def failures(self) -> set[str]:
        """Why sandboxes or their records are not stored any more, in the disk's words."""
        found = {self._records.failure, *(store.failure for store in self.stores())}
        return {each for each in found if each is not None}

    def problem(self) -> str | None:
        """Why nothing can be read or stored at the moment, in the engine's words, or None."""
        return self._engine.problem()

    def sandbox(self, identity: str) -> Sandbox | None:
        """The sandbox with this id, or None."""
        return self._records.get(Sandbox, identity)

    def sandbox_of_merchant(self, merchant: str) -> Sandbox | None:
        """The sandbox that has the merchant with this id, or None."""
        if merchant not in self._known.of_merchant:
            self.refresh()
        identity = self._known.of_merchant.get(merchant)
        return None if identity is None else self.sandbox(identity)

    def default(self) -> str | None:
        """The id of the default sandbox, also once it is deleted; None if none was stored."""
        stored = self._records.get(DefaultSandbox, "default")
        return None if stored is None else stored.sandbox

    def ports(self, identity: str) -> Ports:
        """The ports of this sandbox in its present epoch."""
        self._engine.steer(identity)
        return self._runtime(identity).ports

    def runtime(self, identity: str) -> SandboxRuntime:
        """The runtime of this sandbox, loaded where it is not; other gateways may serve it too."""
        return self._runtime(identity)

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        pause(failures)

    def save(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox, durably; a new epoch starts with empty tables.

        Raises ConflictError where it changed meanwhile.
        """
        before = self.sandbox(sandbox.id)
        if before is None or before.epoch == sandbox.epoch:
            self._put(before, in_epoch(before, sandbox, self._parts.ids))
            return
        with self._epochs.of(sandbox.id), self._changes.preparing(sandbox):
            before = replaced_by(sandbox, self.sandbox)
            # An interrupted restore may have left one.
            self._engine.drop(sandbox)
            self._files.prepare(after := in_epoch(before, sandbox, self._parts.ids))
            self._put(before, after)

    def save_default(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox in its epoch as the default one, durably."""
        stored = self._records.get(DefaultSandbox, "default") or DefaultSandbox(sandbox="")
        before, default = self.sandbox(sandbox.id), replace(stored, sandbox=sandbox.id)
        self._put(before, in_epoch(before, sandbox, self._parts.ids), default)

    def delete(self, sandbox: Sandbox) -> None:
        """Remove a sandbox, durably, and its files."""
        with self._epochs.of(sandbox.id):
            self._changes.store(Unit(removes=(sandbox,)), sandbox, None)

    def taken(self, identity: str, take: Callable[[], Result]) -> Result:
        """What `take` makes of a snapshot of this sandbox. Raises CrowdedSandboxError."""
        with self._spools.taking(identity):
            return self._epochs.in_one(identity, take)

    def snapshot(self, sandbox: Sandbox, first: bytes) -> Spool:
        """The line `first` and after it the data of this sandbox as it is at one moment. Raises
        EpochEndedError.
        """
        self._engine.steer(sandbox.id)
        log = log_of(self._runtime(sandbox.id), sandbox)
        files = archive.archived(folder_of(self._path, sandbox.id), self._spools.aside)
        return self._spools.written(first, of_one_epoch(sandbox, self.sandbox, chain(log, files)))

    def receive(self, content: Readable) -> Spool:
        """A snapshot that was sent, its header line apart. Raises InvalidInputError."""
        return self._spools.received(content)

    def copied(self, snapshot: SnapshotFile, copy: SandboxCopy) -> AbstractContextManager[Spool]:
        """The snapshot of a copy, made from that of the original."""
        return self._spools.copied(copied_snapshot(snapshot, copy))

    def restore(
        self,
        sandbox: Sandbox,
        snapshot: SnapshotFile,
        *,
        refuse: Refusing | None = None,
        is_own: bool = False,
    ) -> None:
        """Store a new sandbox, or a new epoch of one, with the data of a snapshot, durably.
        Raises InvalidInputError, ConflictError where the sandbox changed meanwhile.
        """
        if not is_own:
            check_log(snapshot, refuse)
        merchants = frozenset(merchant.id for merchant in sandbox.merchants)
        archive.check_archive(snapshot.file_lines(), merchants)
        self.refresh()
        self._changes.learn()
        turn, ready = self._epochs.of(sandbox.id), self._changes.preparing(sandbox)
        with turn, self._known.arriving(sandbox), ready:
            before = replaced_by(sandbox, self.sandbox)
            sandbox = in_epoch(before, sandbox, self._parts.ids)
            store = self._store_of(sandbox)
            self._engine.fill(sandbox, store, snapshot)
            self._files.prepare(sandbox, archive.of_stored_runs(snapshot.file_lines(), store))
            self._put(before, sandbox)
        self._wake(sandbox.id)

    def refresh(self) -> None:
        """Know the tokens of the sandboxes that other gateways have made, changed or deleted."""
        before = self._refreshes
        with self._refreshing:
            if self._refreshed > before:
                return
            self._refreshes += 1
            self._known.know_changed(self._engine.changed(), self.sandbox)
            self._refreshed = self._refreshes

    def hand_over(self, identity: str, steps: HandOverSteps, *, within_s: float) -> bool:
        """Let another gateway have a sandbox when nothing of it is under way; whether it has it."""
        # What takes its time is waited for before the turn to begin and end its epochs is held.
        if not self._is_drained(identity, steps, within_s):
            return False
        # A reset that has the turn may itself be under way in this sandbox.
        epoch = self._epochs.of(identity)
        if not epoch.acquire(timeout=within_s):
            return False
        try:
            self._changes.finish(identity)
            steps.let_go()
            if identity in self._loadings or not self._is_drained(identity, steps, 0.0):
                return False
            self._keep_nothing(identity)
            steps.give()
        finally:
            epoch.release()
        return True

    def _keep_nothing(self, identity: str) -> None:
        """End the epoch of a sandbox here, in which nothing is under way; it may rest."""
        if (runtime := self._loaded.get(identity)) is not None:
            with suppress(DiskError):
                runtime.store_counts()
        if (stands := self.sandbox(identity)) is not None:
            self._end_epoch(stands)

    def _is_drained(self, identity: str, steps: HandOverSteps, within_s: float) -> bool:
        runtime = self._loaded.get(identity)
        return steps.is_drained(None if runtime is None else runtime.in_flight, within_s)

    def load_beside(
        self, identity: str, home: HomePorts, store_of: Callable[[Sandbox], SandboxStore]
    ) -> SandboxRuntime:
        """A runtime of this sandbox beside its home, which is another gateway. Raises
        HomeNeededError.
        """
        sandbox = self.sandbox(identity)
        if sandbox is None:
            raise HomeNeededError("the sandbox was deleted")
        return load_beside(sandbox, store_of(sandbox), self._parts, home)

    def take_up(self, identities: Sequence[str]) -> None:
        """Find out when the next work of these sandboxes is due, which no gateway had."""
        self._unloader.scan_due_work(list(identities))

    def scan_due_work(self) -> None:
        """Find out in the background when the next work of every sandbox is due."""
        if self._engine.is_lasting and not self._engine.is_shared:
            used = filter(self._engine.may_have_records, list(self._records.sandboxes()))
            self._unloader.scan_due_work([each.id for each in used])

    def close(self) -> None:
        """Make everything durable and close the files."""
        self._unloader.stop()
        self._files.stop()
        for runtime in list(self._loaded.values()):
            with suppress(DiskError):
                runtime.store_counts()
        for runtime in list(self._loaded.values()):
            self._end_epoch(runtime.ports.sandbox)
        self._engine.close()

    def _put(self, before: Sandbox | None, sandbox: Sandbox, *more: DefaultSandbox) -> None:
        self._changes.store(unit_of(sandbox, *more), before, sandbox)
        if before is not None and before.epoch == sandbox.epoch:
            self._update_runtime(sandbox.id)

    def _update_runtime(self, identity: str) -> None:
        """Give a loaded runtime the present record of its sandbox."""
        self._loadings.wait(identity)
        runtime, sandbox = self._loaded.get(identity), self.sandbox(identity)
        if runtime is not None and sandbox is not None:
            runtime.update_sandbox(sandbox)

    def _end_epoch(self, sandbox: Sandbox) -> None:
        """End the epoch of a sandbox: its work in flight is dropped when it commits."""
        self._loadings.wait(sandbox.id)
        runtime = self._loaded.pop(sandbox.id, None)
        self._unloader.discard_state(sandbox.id)
        if runtime is not None:
            runtime.stop()
        # A request may still hold the store of an evicted runtime: its epoch ends too.
        self._close_store(sandbox)
        self._parts.codes.erase_all(sandbox.id)

    def _close_store(self, sandbox: Sandbox) -> None:
        if (held := self._stores.pop((sandbox.id, sandbox.epoch), None)) is not None:
            held.close()

    def _runtime(self, identity: str) -> SandboxRuntime:
        work_for(identity)
        self._changes.catch_up(identity)
        runtime = self._loaded.get(identity) or self._loadings.of(identity)
        runtime.use()
        return runtime

    def _load_runtime(self, identity: str) -> SandboxRuntime:
        # Before it is read: another gateway may have changed it just now.
        self._engine.take_home(identity)
        self._changes.finish(identity)
        sandbox = self.sandbox(identity)
        if sandbox is None:
            raise EpochEndedError("the sandbox was deleted")
        self._files.begin(sandbox)
        kept = self._unloader.retained(identity)
        try:
            runtime = load_runtime(
                sandbox,
                self._store_of(sandbox),
                self._parts,
                kept=kept,
                fetch=lambda: self._runtime(identity).ports,
            )
        except DamagedLogError as error:
            LOG.error("sandbox %s: %s. What to do: %s", identity, error, advice_on(error))
            raise
        self._loaded[identity] = runtime
        self._unloader.watch(identity)
        runtime.scheduler.wake()
        return runtime

    def _store_of(self, sandbox: Sandbox) -> SandboxStore:
        """The store of a sandbox: the one still in use, for there must never be two of an epoch."""
        key = (sandbox.id, sandbox.epoch)
        store = self._stores.get(key)
        if store is None:
            store = self._stores[key] = self._engine.store_of(sandbox)
        return store

    def _wake(self, identity: str) -> None:
        """Load a sandbox, whose due work has come, and let its scheduler run it."""
        with self._changes.clearing(identity):
            self._runtime(identity).scheduler.wake()

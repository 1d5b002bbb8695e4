"""Idle unloading: a sandbox without requests is evicted from memory, and loaded again for due work.

Eviction closes its log and frees its records. Its journal is written to a file beside the log,
which a restart does not read (Choice: D-93); throttle counters whose windows are open stay in
memory. Choice: D-113.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import gevent
from gevent.event import Event

from simulator.adapters.sandboxes.binding import RuntimeParts
from simulator.adapters.sandboxes.clock import monotonic_now
from simulator.adapters.sandboxes.runtime import KeptState, SandboxRuntime
from simulator.adapters.sandboxes.wake_timer import DAMAGED_RETRY, RETRY, WakeTimer
from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.integrity import folder_of
from simulator.domain.core.clock import EARLIEST, ClockSetting, world_time
from simulator.domain.core.errors import (
    DamagedLogError,
    DamagedRecordError,
    DiskError,
    EpochEndedError,
)
from simulator.domain.journal.forgotten import ForgottenKeys
from simulator.domain.throttling.windows import Throttles

LOG = logging.getLogger("sandgate.sandboxes")
# Rounds without a request before a sandbox is evicted; there are as many in `idle_s`.
IDLE_ROUNDS = 2
# With more sandboxes loaded than this the next round begins at once, and one idle round suffices.
LOADED_MAX = 256
JOURNAL = "journal.ring"
STANDING = ClockSetting(world=EARLIEST, real=EARLIEST, rate=0.0)


class RetainedState(NamedTuple):
    """What outlives the eviction of a sandbox: its journal, in a file, what is to be forgotten in
    the parts of it that others keep, throttle counters whose windows are open, and how its clock
    goes on.
    """

    has_journal: bool = False
    forgotten: ForgottenKeys | None = None
    throttles: Throttles | None = None
    clock: ClockSetting = STANDING


NOTHING = RetainedState()


class PreparedEviction(NamedTuple):
    """What is known of a sandbox before it is evicted; `due` is the time until its next due
    work.
    """

    due: timedelta | None
    state: RetainedState


class IdleUnloader:
    """Evicts idle sandboxes from `loaded`, and calls `wake` when due work of an evicted one comes.

    With `idle_s` 0 none is ever evicted.
    """

    def __init__(
        self,
        path: Path,
        parts: RuntimeParts,
        *,
        loaded: dict[str, SandboxRuntime],
        wake: Callable[[str], object],
        idle_s: float,
    ):
        self._path = path
        self._parts = parts
        self._loaded = loaded
        self._wake = wake
        self._idle_s = idle_s
        self._timer = WakeTimer(wake)
        self._retained: dict[str, RetainedState] = {}
        self._is_crowded = Event()
        self._rounds: gevent.Greenlet | None = None
        self._scan: gevent.Greenlet | None = None

    def retained(self, identity: str) -> KeptState:
        """What was kept of a sandbox; its journal is empty where none was."""
        ring, state = self._parts.new_ring(), self._retained.get(identity, NOTHING)
        if state.has_journal:
            with suppress(OSError):
                ring.load(in_thread(self._journal_of(identity).read_bytes))
        ring.forgotten = state.forgotten
        return KeptState(ring, state.throttles, world_time(state.clock, monotonic_now()))

    def watch(self, identity: str) -> None:
        """Evict this sandbox, which was loaded, once it is idle."""
        self.discard_state(identity)
        if self._idle_s and (self._rounds is None or self._rounds.dead):
            self._rounds = gevent.spawn(self._make_rounds)
        if len(self._loaded) > LOADED_MAX:
            self._is_crowded.set()

    def discard_state(self, identity: str) -> None:
        """Discard what was retained: the sandbox was loaded, or its epoch has ended."""
        self._timer.set(identity, None)
        if self._retained.pop(identity, NOTHING).has_journal:
            self._journal_of(identity).unlink(missing_ok=True)

    def scan_due_work(self, identities: list[str]) -> None:
        """Load these sandboxes in the background, one after the other, to learn when their next
        work is due; each is evicted again at once.
        """
        self._scan = gevent.spawn(self._scan_all, identities)

    def wake_soon(self, identity: str) -> None:
        """Load a sandbox in the background, and try again where the database is away."""
        self._timer.set(identity, timedelta(0))

    def stop(self) -> None:
        """Evict and wake nothing any more."""
        self._timer.stop()
        gevent.killall([each for each in (self._rounds, self._scan) if each is not None])
        for identity in list(self._retained):
            self.discard_state(identity)

    def _make_rounds(self) -> None:
        while self._loaded:
            is_crowded = self._is_crowded.wait(self._idle_s / IDLE_ROUNDS)
            self._is_crowded.clear()
            for identity in list(self._loaded):
                self._visit_safely(identity, idle_rounds=1 if is_crowded else IDLE_ROUNDS)

    def _visit_safely(self, identity: str, *, idle_rounds: int) -> None:
        """Visit a sandbox; an error in one must not keep all others in memory for good."""
        try:
            self._visit(identity, idle_rounds=idle_rounds)
        except Exception:
            LOG.exception("internal error while a sandbox was unloaded; it stays in memory")

    def _visit(self, identity: str, *, idle_rounds: int) -> None:
        runtime = self._loaded.get(identity)
        if runtime is not None:
            runtime.idle_rounds += 1
            if runtime.idle_rounds > idle_rounds:
                self._evict(identity)

    def _scan_all(self, identities: list[str]) -> None:
        for identity in identities:
            gevent.sleep(0)
            if self._can_load(identity):
                self._visit_safely(identity, idle_rounds=0)

    def _can_load(self, identity: str) -> bool:
        """Load a sandbox; whether it is loaded. A damaged log must not end the scan."""
        try:
            self._wake(identity)
        except DamagedRecordError:
            self._timer.set(identity, DAMAGED_RETRY)
            return False
        except (EpochEndedError, DamagedLogError):
            return False
        except DiskError:
            self._timer.set(identity, RETRY)
            return False
        except Exception:
            LOG.exception("internal error while looking for due work of a sandbox")
            return False
        return True

    def _evict(self, identity: str) -> None:
        """Evict a sandbox unless it is in use. A failing disk keeps it, and only it, in memory."""
        runtime, prepared = self._loaded[identity], None
        with suppress(EpochEndedError):
            try:
                prepared = self._prepare(identity, runtime)
            except (DiskError, OSError) as error:
                LOG.warning("a sandbox stays in memory: %s", error)
        # No greenlet switch happens from here on: no request can come between check and eviction.
        is_present = self._loaded.get(identity) is runtime
        is_idle = runtime.idle_rounds and not runtime.is_busy
        if prepared is not None and is_present and is_idle and runtime.evict():
            del self._loaded[identity]
            self._timer.set(identity, prepared.due)
            if prepared.state != NOTHING:
                self._retained[identity] = prepared.state
            return
        if identity not in self._retained:
            self._journal_of(identity).unlink(missing_ok=True)
        if is_present:
            runtime.scheduler.wake()

    def _prepare(self, identity: str, runtime: SandboxRuntime) -> PreparedEviction | None:
        """Everything of an eviction that may wait; None if the sandbox has to stay loaded."""
        if runtime.is_busy or not runtime.scheduler.pause():
            return None
        # Where a database keeps the records, a sandbox has a folder only once it has files.
        is_new = not self._journal_of(identity).parent.exists()
        runtime.store_counts()
        ring, ports, clock = runtime.ring, runtime.ports, runtime.clock
        ring.drop_expired(self._parts.clock.now())
        has_journal = not ring.is_empty
        if has_journal:
            in_thread(_write_journal, self._journal_of(identity), ring.dump(), is_new)
        is_counting = ports.throttles.is_counting(clock.now())
        due = self._parts.next_due(ports)
        return PreparedEviction(
            due=None if due is None else clock.span_to(due),
            state=RetainedState(
                has_journal,
                ring.forgotten,
                ports.throttles if is_counting else None,
                clock.going_on(),
            ),
        )

    def _journal_of(self, identity: str) -> Path:
        return folder_of(self._path, identity) / JOURNAL


def _write_journal(path: Path, content: bytes, is_new: bool) -> None:
    # A folder that is gone meanwhile is that of a deleted sandbox: it is not made again.
    if is_new:
        path.parent.mkdir(0o700, exist_ok=True)
    path.touch(0o600)
    path.write_bytes(content)

"""What an eviction leaves: nothing of an epoch that ends meanwhile, else all that is needed."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.journal import JournalRing
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.idle_unloading import IdleUnloader
from simulator.domain.core.clock import ClockSetting
from simulator.domain.journal.forgotten import APART, ForgottenKeys

SANDBOX = "8a" * 16


class EvictedRuntime:
    """A sandbox in memory with a journal, whose epoch may end while it is evicted."""

    is_busy = False
    idle_rounds = 0
    has_ended = True
    scheduler = SimpleNamespace(pause=lambda: True, wake=lambda: None)

    def __init__(self, ring: JournalRing, end_epoch: Callable[[], object]):
        self.ring = ring
        self.store_counts = end_epoch
        self.clock = MovableClock(RealClock(), ClockSetting)
        self.ports = SimpleNamespace(throttles=SimpleNamespace(is_counting=lambda now: False))

    def evict(self) -> bool:
        """Fail where it is another epoch's turn."""
        assert not self.has_ended, "the epoch has ended"
        return True


@pytest.mark.parametrize("is_deleted", [True, False])
def test_an_epoch_that_ends_while_it_is_evicted_leaves_no_journal(
    tmp_path: Path, is_deleted: bool
) -> None:
    folder = tmp_path / SANDBOX
    folder.mkdir()
    loaded: dict[str, EvictedRuntime] = {}

    def end_epoch() -> None:
        del loaded[SANDBOX]
        if is_deleted:
            shutil.rmtree(folder)

    ring = JournalRing(10, timedelta(hours=1))
    ring.append((), b"entry", datetime.now(UTC))
    loaded[SANDBOX] = EvictedRuntime(ring, end_epoch)
    parts = SimpleNamespace(clock=RealClock(), next_due=lambda ports: None)
    unloader = IdleUnloader(tmp_path, parts, loaded=loaded, wake=lambda name: None, idle_s=1)
    unloader.scan_due_work([SANDBOX])
    with gevent.Timeout(5):
        while SANDBOX in loaded:
            gevent.sleep(0.01)
        gevent.sleep(0.1)

    assert [*tmp_path.rglob("*")] == ([] if is_deleted else [folder])


def test_what_is_to_be_forgotten_in_the_parts_of_others_outlives_an_eviction(
    tmp_path: Path,
) -> None:
    now, ring = datetime.now(UTC), JournalRing(10, timedelta(hours=1))
    ring.forgotten = ForgottenKeys()
    ring.forgotten.add(("gone",), now)
    runtime = EvictedRuntime(ring, lambda: None)
    runtime.has_ended = False
    loaded = {SANDBOX: runtime}
    parts = SimpleNamespace(
        clock=RealClock(),
        next_due=lambda ports: None,
        new_ring=lambda: JournalRing(10, timedelta(hours=1)),
    )
    unloader = IdleUnloader(tmp_path, parts, loaded=loaded, wake=lambda name: None, idle_s=1)
    unloader.scan_due_work([SANDBOX])
    with gevent.Timeout(10):
        while SANDBOX in loaded:
            gevent.sleep(0.01)

    found = unloader.retained(SANDBOX).ring
    assert found.forgotten is not None
    assert found.forgotten.covers(("gone", "n1"), now)


def test_clocks_of_members_may_stand_a_little_apart() -> None:
    now, forgotten = datetime.now(UTC), ForgottenKeys()
    forgotten.add(("gone",), now)
    covered = [forgotten.covers(("gone",), now + APART * part) for part in (-100, 0, 0.9, 1.1)]
    assert covered == [True, True, True, False]
    assert not forgotten.covers(("other",), now)
    assert timedelta(seconds=10) <= APART, "what a clock may be off at the start of a gateway"

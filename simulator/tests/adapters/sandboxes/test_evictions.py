"""An eviction that waits while the epoch of its sandbox ends leaves nothing of it behind."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.journal import JournalRing
from simulator.adapters.sandboxes.idle_unloading import IdleUnloader

SANDBOX = "8a" * 16


class EndingRuntime:
    """A sandbox in memory with a journal, whose epoch ends while it is evicted."""

    is_busy = False
    idle_rounds = 0
    scheduler = SimpleNamespace(pause=lambda: True, wake=lambda: None)

    def __init__(self, ring: JournalRing, end_epoch: Callable[[], object]):
        self.ring = ring
        self.store_counts = end_epoch
        clock = SimpleNamespace(now=RealClock().now, real=RealClock().now, setting=None)
        throttles = SimpleNamespace(is_counting=lambda now: False)
        self.ports = SimpleNamespace(clock=clock, throttles=throttles)

    def evict(self) -> bool:
        """Fail: it is another epoch's turn."""
        raise AssertionError("the epoch has ended")


@pytest.mark.parametrize("is_deleted", [True, False])
def test_an_epoch_that_ends_while_it_is_evicted_leaves_no_journal(
    tmp_path: Path, is_deleted: bool
) -> None:
    folder = tmp_path / SANDBOX
    folder.mkdir()
    loaded: dict[str, EndingRuntime] = {}

    def end_epoch() -> None:
        del loaded[SANDBOX]
        if is_deleted:
            shutil.rmtree(folder)

    ring = JournalRing(10, timedelta(hours=1))
    ring.append((), b"entry", datetime.now(UTC))
    loaded[SANDBOX] = EndingRuntime(ring, end_epoch)
    parts = SimpleNamespace(clock=RealClock(), next_due=lambda ports: None)
    unloader = IdleUnloader(tmp_path, parts, loaded=loaded, wake=lambda name: None, idle_s=1)
    unloader.scan_due_work([SANDBOX])
    with gevent.Timeout(5):
        while SANDBOX in loaded:
            gevent.sleep(0.01)
        gevent.sleep(0.1)

    assert [*tmp_path.rglob("*")] == ([] if is_deleted else [folder])

"""A write that fails while a bank day is settled: the run is refused, and whole when repeated."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.payments.ledger import balances, entries_between
from simulator.domain.settlement.blocks import BLOCK_LINES, SettledBlock
from simulator.domain.settlement.runs import ArmedFaults
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, SlowlyUsedStore
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY, INSTITUTES

SALES = BLOCK_LINES + 1


@pytest.mark.parametrize(
    ("institute", "part"),
    [
        ("Sandgate Clearing", b'["settled_blocks"'),
        ("Sandgate Bank", b'["settled_blocks"'),
        ("Sandgate Acquiring", b'["settled_blocks"'),
        ("Sandgate Acquiring", b'["settled_references"'),
    ],
)
def test_a_run_that_lost_a_write_is_refused_and_whole_when_it_is_repeated(
    tmp_path: Path, institute: str, part: bytes
) -> None:
    disk, context = settling(tmp_path, institute)
    store, sales = context.ports.store, sold(context, SALES)
    disk.refuses = part

    with pytest.raises(DiskError):
        settle_until(context.ports, institute, None)
    (run,) = settle_until(context.ports, institute, None)

    booked = booked_in(store)
    assert sales <= set(booked)
    assert len(booked) == run.lines
    assert balances(entries_between(store, "", "~"))["merchant"] == 0


@pytest.mark.parametrize("institute", INSTITUTES)
def test_what_is_left_is_settled_once_where_a_write_of_it_was_lost(
    tmp_path: Path, institute: str
) -> None:
    disk, context = settling(tmp_path, institute)
    store, sales = context.ports.store, sold(context, 2 * SLICE_RECORDS)
    store.commit(unit_of(ArmedFaults(id=institute, plan="shares: {deferred: 1}")))
    disk.refuses = b'["left_parts"'

    with pytest.raises(DiskError):
        settle_until(context.ports, institute, None)
    settle_until(context.ports, institute, None)
    context.ports.clock.advance(7 * DAY)
    settle_until(context.ports, institute, None)

    counts = Counter(booked_in(store))
    assert {each: counts[each] for each in sales} == dict.fromkeys(sales, 1)
    assert balances(entries_between(store, "", "~"))["merchant"] == 0


def settling(folder: Path, institute: str) -> tuple[FaultyDisk, Any]:
    """A merchant who settles at an institute, on a disk that may refuse a write."""
    disk, clock = FaultyDisk(), HandClock(NOON)
    store = SlowlyUsedStore(DocumentStore(folder / "sandbox.log", disk=disk))
    files = SettlementFolders(folder, "sandbox", lambda: store.pause(0))
    channel = {"clearing_institute": institute}
    return disk, a_context(profile="field", clock=clock, store=store, files=files, channel=channel)


def sold(context: Any, count: int) -> set[str]:
    """Sales of a day that is over."""
    sales = {paid(context, "DB", merchantTransactionId=f"o-{n}").id for n in range(count)}
    context.ports.clock.advance(DAY)
    return sales


def booked_in(store: Store) -> list[str]:
    """The payment of each line that was booked."""
    blocks = store.between(SettledBlock, "order", "", "~")
    return [record.payment for block in blocks for record in block.records()]

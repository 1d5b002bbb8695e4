"""A write that fails while a bank day is settled: the run is refused, and whole when repeated."""

from pathlib import Path

import pytest

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DiskError
from simulator.domain.payments.ledger import balances, entries_between
from simulator.domain.settlement.blocks import BLOCK_LINES, SettledBlock
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, SlowlyUsedStore
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY

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
    disk, clock = FaultyDisk(), HandClock(NOON)
    store = SlowlyUsedStore(DocumentStore(tmp_path / "sandbox.log", disk=disk))
    files = SettlementFolders(tmp_path, "sandbox", lambda: store.pause(0))
    channel = {"clearing_institute": institute}
    context = a_context(profile="field", clock=clock, store=store, files=files, channel=channel)
    sales = {paid(context, "DB", merchantTransactionId=f"o-{n}").id for n in range(SALES)}
    clock.advance(DAY)
    disk.refuses = part

    with pytest.raises(DiskError):
        settle_until(context.ports, institute, None)
    (run,) = settle_until(context.ports, institute, None)

    blocks = store.between(SettledBlock, "order", "", "~")
    booked = [record.payment for block in blocks for record in block.records()]
    assert sales <= set(booked)
    assert len(booked) == run.lines
    assert balances(entries_between(store, "", "~"))["merchant"] == 0

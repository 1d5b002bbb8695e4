"""A settlement run gives way to requests: they wait for one slice of it, never for a block."""

from datetime import timedelta
from pathlib import Path

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.measured.many_payments import store_copies
from simulator.tests.payments.test_references import paid

PAYMENTS = 400
# The movements are read in slices, and the lines are booked in them.
PASSES = 2


class CountedPauses:
    """A store that counts the turns that others got."""

    def __init__(self, store: DocumentStore):
        self._store = store
        self.pauses = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def pause(self, failures: int) -> None:
        """Count it."""
        self.pauses += 1


def test_others_have_their_turn_after_every_slice_of_movements_and_lines(tmp_path: Path) -> None:
    clock, store = HandClock(NOON), CountedPauses(DocumentStore(tmp_path / "sandbox.log"))
    files = SettlementFolders(tmp_path, "sandbox", lambda: None)
    channel = {"clearing_institute": "Sandgate Clearing"}
    context = a_context(clock=clock, store=store, files=files, channel=channel)
    paid(context, "DB")
    store_copies(store, PAYMENTS - 1)
    clock.advance(timedelta(days=1))
    before = store.pauses

    (run,) = settle_until(context.ports, "Sandgate Clearing", None)

    assert run.state == "delivered" and run.lines > PAYMENTS
    assert store.pauses - before >= PASSES * (PAYMENTS // SLICE_RECORDS)

"""What moves money at the very cut-off of a bank day, before or after its run."""

from datetime import timedelta

import gevent
import pytest
from gevent.event import Event

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.flushes import BeingStored
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.sandboxes.recovery import take_up
from simulator.service.settlement.settled import reconciliation_id
from simulator.tests.payments.test_references import paid, refer
from simulator.tests.settlement.test_runs import DAY, Settled, of_types
from simulator.tests.settlement.test_runs import settled as settled

WAIT_S_MAX = 10


def test_what_moves_at_the_cut_off_is_of_the_next_day_run_or_not(settled: Settled) -> None:
    ports = settled.context.ports
    before = paid(settled.context, "DB")
    _, cut_off = ports.clearing.next_cut_off(settled.institute, settled.clock.now())
    settled.clock.advance(cut_off - settled.clock.now())
    early = paid(settled.context, "DB", "20.00")
    (run,) = settled.run()
    late = paid(settled.context, "DB", "30.00")
    refer(settled.context, before.id, "RF", "4.00")
    refer(settled.context, early.id, "RV")
    settled.clock.advance(5 * DAY)
    (following, *_) = settled.run()

    assert [row["UniqueID"] for row in of_types(settled.rows(run), "DEBIT")] == [before.id]
    lines = [row for row in settled.rows(following) if row["PaymentType"] in ("DEBIT", "REFUND")]
    assert sorted(row["Amount"] for row in lines) == ["30.00", "4.00"]
    assert reconciliation_id(ports, late)
    taken_back = settled.store.get(Payment, early.id)
    assert taken_back and reconciliation_id(ports, taken_back) is None
    assert settled.balances()["merchant"] == 0


def test_what_is_being_stored_at_the_cut_off_is_in_the_file_of_its_day(
    settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    being_stored, waited_for, let_go = Event(), Event(), Event()
    store, in_flight = type(settled.store), type(settled.context.ports.in_flight)
    real, wait_stored = store.commit, in_flight.wait_stored

    def commit(self: DocumentStore, unit: Unit) -> None:
        """A database that takes its time."""
        if any(isinstance(each, Payment) for each in unit.puts):
            being_stored.set()
            let_go.wait()
        real(self, unit)

    def wait(self: BeingStored) -> None:
        waited_for.set()
        wait_stored(self)

    before = paid(settled.context, "DB")
    monkeypatch.setattr(store, "commit", commit)
    monkeypatch.setattr(in_flight, "wait_stored", wait)
    paying = gevent.spawn(paid, settled.context, "DB", "20.00")
    assert being_stored.wait(WAIT_S_MAX)
    _, cut_off = settled.context.ports.clearing.next_cut_off(settled.institute, settled.clock.now())
    settled.clock.advance(cut_off - settled.clock.now())
    running = gevent.spawn(settled.run)
    assert waited_for.wait(WAIT_S_MAX)
    let_go.set()

    (run,) = running.get(timeout=WAIT_S_MAX)
    settled_ones = [row["UniqueID"] for row in of_types(settled.rows(run), "DEBIT")]
    assert sorted(settled_ones) == sorted([before.id, paying.get().id])


def test_nothing_is_posted_in_a_bank_day_that_was_settled_before_a_start(
    settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = paid(settled.context, "DB")
    _, cut_off = settled.context.ports.clearing.next_cut_off(settled.institute, settled.clock.now())
    nearly = cut_off - timedelta(seconds=5)
    settled.clock.advance(cut_off - settled.clock.now())
    (run,) = settled.run()
    monkeypatch.setattr(settled.clock, "_now", nearly)

    take_up(settled.context.ports)
    after = paid(settled.context, "DB", "20.00")
    settled.clock.advance(5 * DAY)
    (following, *_) = settled.run()

    assert [row["UniqueID"] for row in of_types(settled.rows(run), "DEBIT")] == [before.id]
    assert [row["UniqueID"] for row in of_types(settled.rows(following), "DEBIT")] == [after.id]


def test_money_that_moved_first_at_a_cut_off_is_settled(settled: Settled) -> None:
    _, cut_off = settled.context.ports.clearing.next_cut_off(settled.institute, settled.clock.now())
    settled.clock.advance(cut_off - settled.clock.now())
    sale = paid(settled.context, "DB")
    settled.clock.advance(5 * DAY)

    (first, *_) = settled.run()

    assert [row["UniqueID"] for row in of_types(settled.rows(first), "DEBIT")] == [sale.id]


@pytest.mark.parametrize("after", [timedelta(0), timedelta(microseconds=1)])
def test_a_chargeback_of_a_run_at_the_cut_off_is_settled_with_the_next_day(
    settled: Settled, after: timedelta
) -> None:
    ports = settled.context.ports
    paid(settled.context, "DB")
    settled.arm("counts: {chargeback_early: 1}")
    runs: list[SettlementRun] = []
    for _ in range(4):
        _, cut_off = ports.clearing.next_cut_off(settled.institute, settled.clock.now())
        settled.clock.advance(cut_off + after - settled.clock.now())
        runs += settled.run()

    # The institute had it in its file before the gateway had made it, and a day closes the gap.
    assert [each.day for each in runs if each.differs] == [runs[0].day]
    assert not runs[-1].open and settled.balances()["merchant"] == 0

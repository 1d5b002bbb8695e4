"""What happens to a payment between the moment in which an institute decides how much it charges
back of it and that in which the gateway books the line: both take the same amount.
"""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import Refusal
from simulator.domain.core.flushes import Flush
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.payments.references import open_amount
from simulator.domain.ports.clearing import WrittenDay
from simulator.domain.settlement.blocks import ReservedSale
from simulator.service.sandboxes.recovery import take_up
from simulator.service.settlement import booking, remaining, runs
from simulator.service.settlement.runs import settle_until
from simulator.service.settlement.writing import ATTEMPTS_MAX
from simulator.tests.payments.test_references import refer
from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.agreement.test_chargebacks_by_files import (
    EARLY,
    LATE,
    is_settled,
    sums,
)
from simulator.tests.settlement.agreement.trees import WHOLE

# In the first a chargeback that is late is due, in the second all that is open comes to its end.
LONG, WEEKS = timedelta(days=130), timedelta(days=21)
PART = "4.00"
ONE_EARLY = "counts: {chargeback_early: 1}"
MANY = 2 * SLICE_RECORDS + 2


class Process(NamedTuple):
    """A merchant, and what comes between in the next runs."""

    merchant: Merchant
    monkeypatch: pytest.MonkeyPatch

    def when_written(self, act: Callable[[], object]) -> None:
        """Let something happen behind each file that is written, before the run is stored."""
        clearing = type(self.merchant.context.ports.clearing)
        real = clearing.write_day

        def write_day(*given: object) -> WrittenDay:
            written: WrittenDay = real(*given)
            act()
            return written

        self.monkeypatch.setattr(clearing, "write_day", write_day)

    def when_stored(self, act: Callable[[], object]) -> None:
        """Let something happen once a run is stored, before its first line is booked."""
        real = runs.write_run

        def write_run(*given: object, **more: object) -> object:
            written = real(*given, **more)
            act()
            return written

        self.monkeypatch.setattr(runs, "write_run", write_run)

    def settle(self, days: timedelta = WEEKS) -> None:
        merchant = self.merchant
        merchant.clock.advance(days)
        merchant.runs += settle_until(merchant.context.ports, merchant.institute, None)


@pytest.fixture
def process(merchant: Merchant, monkeypatch: pytest.MonkeyPatch) -> Process:
    return Process(merchant, monkeypatch)


def assert_agreed(process: Process, sale: str) -> None:
    lines, entries = sums(process.merchant)
    assert is_settled(process.merchant)
    assert lines == entries >= 0
    payment = process.merchant.store.get(Payment, sale)
    assert payment is not None
    assert payment.reserved == ZERO


def chargebacks(process: Process, sale: str) -> list[Decimal]:
    made = process.merchant.store.find(Payment, "referenced", sale)
    return [each.moved.amount for each in made if each.type == "CB"]


def reserved(process: Process) -> int:
    """Of how many payments something is reserved."""
    merchant = process.merchant
    return merchant.store.count_found(ReservedSale, "institute", merchant.institute)


def sold(merchant: Merchant, kind: str) -> str:
    """A sale, or a capture of a part."""
    payment = merchant.pay("DB" if kind == "DB" else "PA")
    return payment if kind == "DB" else merchant.refer(payment, "CP", "9.00") or ""


@pytest.mark.parametrize("plan", [EARLY, LATE])
@pytest.mark.parametrize("sale", ["DB", "CP"])
@pytest.mark.parametrize(
    ("kind", "amount"), [("RF", PART), ("RF", WHOLE), ("RF", "9.00"), ("RV", WHOLE), ("CB", PART)]
)
def test_a_file_that_takes_more_than_is_left_when_it_is_whole_is_written_again(
    process: Process, plan: str, sale: str, kind: str, amount: str
) -> None:
    process.merchant.arm(plan)
    payment = sold(process.merchant, sale)
    process.when_written(lambda: process.merchant.refer(payment, kind, amount))

    process.settle(LONG if plan == LATE else WEEKS)
    process.settle(WEEKS)

    assert_agreed(process, payment)


@pytest.mark.parametrize("kind", ["RF", "CB"])
def test_what_a_file_takes_is_refused_to_others_until_its_line_is_booked(
    process: Process, kind: str
) -> None:
    codes = []

    def give_back() -> None:
        with pytest.raises(Refusal) as refused:
            refer(process.merchant.context, payment, kind, PART)
        codes.append(refused.value.code)

    process.merchant.arm(ONE_EARLY)
    payment = process.merchant.pay("DB")
    process.when_stored(give_back)
    process.settle(timedelta(hours=1))

    assert set(codes) == {"700.400.200" if kind == "RF" else "700.400.400"}
    assert chargebacks(process, payment) == [Decimal(WHOLE)]
    process.monkeypatch.undo()
    process.settle()
    assert_agreed(process, payment)


def test_a_killed_process_leaves_reserved_what_the_next_one_books(process: Process) -> None:
    def kill() -> None:
        raise KeyboardInterrupt

    process.merchant.arm(ONE_EARLY)
    payment = process.merchant.pay("DB")
    process.when_stored(kill)
    with pytest.raises(KeyboardInterrupt):
        process.settle(timedelta(hours=1))

    process.monkeypatch.undo()
    assert process.merchant.refer(payment, "RF", PART) is None
    process.settle()

    assert chargebacks(process, payment) == [Decimal(WHOLE)]
    assert_agreed(process, payment)


def test_a_whole_day_is_reserved_a_slice_at_a_time(process: Process) -> None:
    store, sizes = type(process.merchant.store), list[int]()
    real = store.commit_unflushed

    def commit(self: DocumentStore, unit: Unit) -> Flush:
        sizes.append(sum(isinstance(each, Payment) for each in unit.puts))
        return real(self, unit)

    process.merchant.arm("shares: {chargeback_early: 1}")
    sales = [process.merchant.pay("DB") for _ in range(MANY)]
    process.monkeypatch.setattr(store, "commit_unflushed", commit)
    process.settle(timedelta(hours=1))

    assert max(sizes) == SLICE_RECORDS
    assert [chargebacks(process, each) for each in sales] == [[Decimal(WHOLE)]] * MANY
    process.settle()
    assert_agreed(process, sales[0])
    assert reserved(process) == 0


@pytest.mark.parametrize("is_started", [True, False])
def test_what_a_killed_process_reserved_before_the_run_was_stored_is_free_again(
    process: Process, *, is_started: bool
) -> None:
    ports = process.merchant.context.ports
    real = remaining._reserve

    def kill(*given: object) -> None:
        if reserved(process):
            raise KeyboardInterrupt
        real(*given)

    process.merchant.arm("shares: {chargeback_early: 1}")
    sales = [process.merchant.pay("DB") for _ in range(MANY)]
    process.monkeypatch.setattr(remaining, "_reserve", kill)
    with pytest.raises(KeyboardInterrupt):
        process.settle(timedelta(hours=1))
    process.monkeypatch.undo()
    assert reserved(process) == SLICE_RECORDS

    if is_started:
        take_up(ports)
        assert reserved(process) == 0
        assert all(process.merchant.refer(each, "RF", PART) for each in sales[:2])
    process.settle()
    process.settle()
    for each in sales:
        assert_agreed(process, each)


def test_what_another_release_leaves_reserved_is_free_at_the_next_start(process: Process) -> None:
    process.merchant.arm(ONE_EARLY)
    payment = process.merchant.pay("DB")
    process.monkeypatch.setattr(booking, "reserved_of", lambda *_: ZERO)
    process.monkeypatch.setattr(runs, "free_reserved", lambda *_: None)
    process.settle(timedelta(hours=1))
    process.monkeypatch.undo()
    assert process.merchant.refer(payment, "RF", PART) is None

    take_up(process.merchant.context.ports)

    assert process.merchant.refer(payment, "RF", PART)
    stored = process.merchant.store.get(Payment, payment)
    assert stored is not None and stored.reserved == ZERO


@pytest.mark.parametrize("trouble", ["cut", "trailer"])
def test_what_a_refused_file_takes_is_free_again(process: Process, trouble: str) -> None:
    process.merchant.arm(f"{ONE_EARLY}\nfile: {trouble}")
    payment = process.merchant.pay("DB")
    process.settle(timedelta(hours=1))

    assert process.merchant.runs[-1].state == "refused"
    assert process.merchant.refer(payment, "RF", PART)
    process.settle()
    assert chargebacks(process, payment) == []
    assert_agreed(process, payment)


def test_a_file_takes_nothing_where_more_is_given_back_each_time(process: Process) -> None:
    given: list[str | None] = []
    process.merchant.arm(ONE_EARLY)
    payment = process.merchant.pay("DB")
    process.when_written(lambda: given.append(process.merchant.refer(payment, "RF", "0.10")))
    process.settle(timedelta(hours=1))

    # SGFIX cannot charge a part back: its second file takes nothing.
    assert len(given) in (2, ATTEMPTS_MAX + 1)
    assert chargebacks(process, payment) == []
    process.monkeypatch.undo()
    process.settle()
    assert_agreed(process, payment)


def test_a_chargeback_that_is_due_waits_where_more_is_given_back_each_time(
    process: Process,
) -> None:
    process.merchant.arm(LATE)
    payment = process.merchant.pay("DB")
    process.settle(timedelta(days=60))
    process.when_written(lambda: process.merchant.refer(payment, "RF", "0.10"))
    process.settle(timedelta(days=62))
    process.monkeypatch.undo()
    process.settle()

    stored = process.merchant.store.get(Payment, payment)
    assert stored is not None
    assert (sum(chargebacks(process, payment)) + open_amount(stored)) > 0
    assert_agreed(process, payment)

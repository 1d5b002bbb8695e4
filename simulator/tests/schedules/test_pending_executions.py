"""Executions whose payment is pending at first: its end counts as an answer at once would."""

from datetime import timedelta

import pytest

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Outcome, PaymentSource, State
from simulator.domain.schedules.notice_periods import FOREVER
from simulator.domain.schedules.schedules import Execution, ScheduleState
from simulator.service.payments.pending import release_pending
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.making import APPROVED, DECLINED
from simulator.tests.kit.serial import PENDING
from simulator.tests.kit.shops import EMPTY_ACCOUNT, Shop, at
from simulator.tests.schedules.test_executions import CutStore, PowerCut

INSTALLMENTS = {
    "standingInstruction.type": "INSTALLMENT",
    "standingInstruction.numberOfInstallments": "3",
}
# A direct debit that its bank takes days for.
FOR_DAYS = Outcome(code="800.400.500")


def then(end: Outcome, first: Outcome = PENDING, **after: float) -> AcquirerResponse:
    """Pending at first, a minute unless another time is given."""
    return AcquirerResponse(
        outcome=first, then=end, then_after=timedelta(**after or {"minutes": 1})
    )


def left(shop: Shop) -> list[Execution]:
    return list(shop.store.between(Execution, "due", "", "~"))


@pytest.mark.parametrize("end", [APPROVED, DECLINED, EMPTY_ACCOUNT])
def test_the_last_execution_shows_how_its_payment_ended(end: Outcome) -> None:
    shop = Shop(then(end))
    schedule = shop.schedule()
    shop.go("2026-12-05 00:00:30")
    assert shop.read(schedule).last.code == PENDING.code
    shop.go("2026-12-05 00:01:00")
    last = shop.read(schedule).last
    expected = (at("2026-12-05 00:00:00"), end.code, shop.payments[0].id)
    assert (last.at, last.code, last.payment) == expected


def test_a_payment_that_expires_pending_is_shown_so_and_leaves_nothing() -> None:
    shop = Shop(PENDING)
    schedule = shop.schedule()
    shop.go("2026-12-06 00:00:00")
    assert shop.read(schedule).last.code == "100.396.103"
    assert left(shop) == []


def test_a_decline_after_a_pending_answer_is_tried_again_as_one_at_once() -> None:
    shop = Shop(then(EMPTY_ACCOUNT), APPROVED)
    schedule = shop.schedule(job__month="12")
    shop.go("2026-12-31 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-09"]
    assert shop.payments[-1].source is PaymentSource.MACRETRY
    assert shop.read(schedule).last.code == APPROVED.code


def test_a_retry_that_is_pending_and_then_declined_does_not_end_the_retries() -> None:
    shop = Shop(EMPTY_ACCOUNT, then(EMPTY_ACCOUNT), EMPTY_ACCOUNT)
    shop.schedule(job__month="12")
    shop.go("2027-11-30 00:00:00")
    assert shop.days == [f"2026-12-{day:02}" for day in (5, 9, 13, 17, 21, 25)]
    assert left(shop) == []


def test_a_decline_that_took_days_is_tried_at_the_next_time_of_its_retries() -> None:
    shop = Shop(then(EMPTY_ACCOUNT, FOR_DAYS, days=6), APPROVED)
    shop.schedule(job__month="12")
    shop.go("2026-12-31 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-13"]


def test_a_decline_that_took_longer_than_all_retries_is_not_tried_again() -> None:
    shop = Shop(then(EMPTY_ACCOUNT, FOR_DAYS, days=20), APPROVED)
    shop.schedule(job__month="12")
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-12-05"]
    assert left(shop) == []


def test_a_last_installment_that_was_pending_ends_the_schedule() -> None:
    shop = Shop(APPROVED, APPROVED, then(APPROVED), APPROVED)
    schedule = shop.schedule(**INSTALLMENTS)
    shop.go("2027-06-30 00:00:00")
    after = shop.read(schedule)
    assert (after.state, after.executions) == (ScheduleState.ENDED, 3)
    assert after.last.code == APPROVED.code


def test_an_end_that_comes_after_the_next_execution_does_not_take_its_place() -> None:
    shop = Shop(then(DECLINED, FOR_DAYS, days=3), APPROVED)
    schedule = shop.schedule(job__dayOfMonth="05,06")
    shop.go("2026-12-20 00:00:00")
    last = shop.read(schedule).last
    assert (last.at, last.code) == (at("2026-12-06 00:00:00"), APPROVED.code)


def test_one_that_is_released_by_hand_counts_at_once() -> None:
    shop = Shop(then(APPROVED), APPROVED)
    schedule = shop.schedule(job__month="12")
    shop.go("2026-12-05 00:00:30")
    release_pending(shop.context.ports, shop.payments[0].id, EMPTY_ACCOUNT)
    run_due(shop.context.ports)
    assert shop.read(schedule).last.code == EMPTY_ACCOUNT.code
    shop.go("2026-12-31 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-09"]


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_schedule_that_was_ended_meanwhile_shows_the_end_and_tries_no_more(
    is_replaced: bool,
) -> None:
    shop = Shop(then(EMPTY_ACCOUNT), APPROVED)
    schedule = shop.schedule(job__month="12")
    shop.go("2026-12-05 00:00:30")
    change = shop.reschedule if is_replaced else shop.deschedule
    change(schedule)
    shop.go("2026-12-31 00:00:00")
    last = shop.store.get(type(schedule), schedule.id).last
    assert (last.code, shop.days) == (EMPTY_ACCOUNT.code, ["2026-12-05"])
    assert left(shop) == []


def test_the_end_of_a_payment_is_stored_with_what_makes_its_execution_due() -> None:
    shop = Shop(then(APPROVED))
    shop.schedule()
    shop.go("2026-12-05 00:00:30")
    payment = release_pending(shop.context.ports, shop.payments[0].id, APPROVED)
    puts = shop.store.units[-1].puts
    (due,) = [each.due for each in puts if isinstance(each, Execution)]
    assert payment.id in {each.id for each in puts}
    assert due == at("2026-12-05 00:00:30")


class EndingFirst:
    """A store in which a payment ends right before what waits for that is stored."""

    def __init__(self) -> None:
        self.shop: Shop | None = None
        self._store = MemoryStore()

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        """Store a unit, after the end of the payment where it makes an execution wait."""
        waits = [each for each in unit.puts if isinstance(each, Execution) and each.due == FOREVER]
        if waits and self.shop.payments[0].state is State.PENDING:
            release_pending(self.shop.context.ports, waits[0].payment, EMPTY_ACCOUNT)
        self._store.commit(unit)


def test_a_payment_that_ends_before_its_execution_waits_for_it_is_not_missed() -> None:
    shop = Shop(then(APPROVED), APPROVED, store=(store := EndingFirst()))
    store.shop = shop
    shop.schedule(job__month="12")
    shop.go("2026-12-31 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-09"]


@pytest.mark.parametrize("is_stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("cut_at", range(3, 8))
def test_a_power_cut_after_a_pending_answer_leaves_its_execution_tried_again_once(
    cut_at: int, is_stored: bool
) -> None:
    store = CutStore()
    shop = Shop(then(EMPTY_ACCOUNT), APPROVED, store=store)
    schedule = shop.schedule(job__month="12")
    store.cut_at, store.is_stored = cut_at, is_stored
    with pytest.raises(PowerCut):
        shop.go("2026-12-31 00:00:00")
    reverse_open_attempts(shop.context.ports)
    shop.go("2026-12-31 00:00:00")
    assert shop.days[-1] == "2026-12-09"
    assert [each.state for each in shop.payments if each.state is not State.FAILED] == [
        State.COMPLETED
    ]
    assert shop.read(schedule).last.code == APPROVED.code
    assert left(shop) == []

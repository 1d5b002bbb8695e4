"""Executions of schedules: retries, what was missed, and power cuts: each is paid for once."""

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import EpochEndedError, Refusal
from simulator.domain.core.flushes import FLUSHED, Flush
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.records import Outcome, PaymentSource, Registration, State
from simulator.domain.schedules.schedules import Execution, ScheduleState
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.making import APPROVED, DECLINED, NOON
from simulator.tests.kit.shops import DAY, EMPTY_ACCOUNT, Shop, at


def test_a_decline_that_may_heal_is_tried_five_times_in_twenty_days() -> None:
    shop = Shop(EMPTY_ACCOUNT)
    schedule = shop.schedule(job__month="12")
    shop.go("2027-11-30 00:00:00")
    assert shop.days == [f"2026-12-{day:02}" for day in (5, 9, 13, 17, 21, 25)]
    sources = [payment.source for payment in shop.payments]
    assert sources == [PaymentSource.SCHEDULER, *[PaymentSource.MACRETRY] * 5]
    assert shop.read(schedule).is_active
    assert shop.read(schedule).executions == 1


def test_retries_end_with_the_first_success() -> None:
    shop = Shop(EMPTY_ACCOUNT, EMPTY_ACCOUNT, APPROVED)
    shop.schedule(job__month="12")
    shop.go("2027-11-30 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-09", "2026-12-13"]


def test_the_last_execution_is_as_old_as_its_newest_try() -> None:
    shop = Shop(EMPTY_ACCOUNT, APPROVED)
    schedule = shop.schedule(job__month="12")
    shop.go("2026-12-31 00:00:00")
    last = shop.read(schedule).last
    assert (last.at, last.payment) == (at("2026-12-09 00:00:00"), shop.payments[-1].id)


@pytest.mark.parametrize("code", ["800.100.152", "800.100.159", "300.100.100"])
def test_a_decline_for_good_is_not_tried_again_and_the_job_goes_on(code: str) -> None:
    shop = Shop(Outcome(code=code), APPROVED)
    schedule = shop.schedule()
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-12-05", "2027-01-05"]
    assert shop.read(schedule).last.code == "000.100.110"


def test_retries_of_one_execution_do_not_hold_up_the_next() -> None:
    shop = Shop(EMPTY_ACCOUNT)
    shop.schedule(job__dayOfMonth="05,06")
    shop.go("2026-12-10 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-06", "2026-12-09", "2026-12-10"]


def test_retries_end_where_the_job_is_descheduled() -> None:
    shop = Shop(EMPTY_ACCOUNT)
    schedule = shop.schedule()
    shop.go("2026-12-06 00:00:00")
    shop.deschedule(schedule)
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-12-05"]
    assert list(shop.store.between(Execution, "due", "", "9999")) == []


def test_retries_of_the_last_execution_of_a_job_end_where_it_is_descheduled() -> None:
    shop = Shop(EMPTY_ACCOUNT)
    schedule = shop.schedule(job__year="2026", job__month="12")
    shop.go("2026-12-06 00:00:00")
    assert shop.read(schedule).state is ScheduleState.ENDED
    assert shop.deschedule(schedule).state is ScheduleState.DESCHEDULED
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-12-05"]
    with pytest.raises(Refusal, match=r"100\.360\.303"):
        shop.deschedule(schedule)


def test_a_schedule_that_is_over_is_not_descheduled_for_the_retries_of_another() -> None:
    shop = Shop(EMPTY_ACCOUNT, APPROVED)
    shop.schedule(job__year="2026", job__month="12")
    over = shop.schedule(job__year="2026", job__month="12", job__dayOfMonth="06")
    shop.go("2026-12-07 00:00:00")
    assert shop.read(over).state is ScheduleState.ENDED
    with pytest.raises(Refusal, match=r"100\.360\.303"):
        shop.deschedule(over)


def test_whether_a_job_is_tried_again_is_known_without_reading_the_tries_of_others() -> None:
    shop = Shop(EMPTY_ACCOUNT, store=(store := WithoutReading(Execution)))
    schedule = shop.schedule(job__year="2026", job__month="12")
    shop.go("2026-12-06 00:00:00")
    store.is_shut = True
    assert shop.deschedule(schedule).state is ScheduleState.DESCHEDULED


class WithoutReading:
    """A store whose records of a kind cannot be read one after another while it `is_shut`."""

    def __init__(self, kind: type) -> None:
        self._inner = MemoryStore()
        self._kind = kind
        self.is_shut = False

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def between(self, kind, *bounds):
        assert not (self.is_shut and kind is self._kind)
        return self._inner.between(kind, *bounds)


@pytest.mark.parametrize(
    ("end", "days"),
    [
        ("2026-12-05 00:00:00", ["2026-12-05"]),
        ("2026-12-08 23:59:59", ["2026-12-05"]),
        ("2026-12-09 00:00:00", ["2026-12-05", "2026-12-09"]),
    ],
)
def test_no_charge_is_tried_again_after_the_end_of_the_job(end: str, days: list[str]) -> None:
    shop = Shop(EMPTY_ACCOUNT, EMPTY_ACCOUNT, APPROVED)
    shop.schedule(job__endDate=end)
    shop.go("2027-01-31 00:00:00")
    assert shop.days == days
    assert list(shop.store.between(Execution, "due", "", "9999")) == []


# What a schedule lives on may go


def test_a_schedule_ends_with_its_registration() -> None:
    shop = Shop()
    schedule = shop.schedule()
    registration = shop.store.get(Registration, shop.registration)
    shop.store.commit(unit_of(replace(registration, removed_at=NOON)))
    shop.go("2027-03-31 00:00:00")
    ended = shop.read(schedule)
    assert shop.days == []
    assert ended.state is ScheduleState.ENDED
    assert (ended.last.code, ended.executions) == ("100.150.202", 1)
    with pytest.raises(Refusal, match=r"100\.150\.202"):
        shop.schedule()


def test_a_card_that_expired_refuses_the_execution_and_not_the_server() -> None:
    shop = Shop()
    schedule = shop.schedule(job__year="2035", job__month="01")
    shop.go("2035-02-01 00:00:00")
    assert shop.days == []
    assert shop.read(schedule).last.code == "100.100.303"


def test_a_schedule_ends_with_its_channel() -> None:
    shop = Shop()
    schedule = shop.schedule()
    merchants = tuple(replace(each, channels=()) for each in shop.context.ports.sandbox.merchants)
    sandbox = replace(shop.context.ports.sandbox, merchants=merchants)
    ports = replace(shop.context.ports, sandbox=sandbox)
    shop.clock.advance(30 * DAY)
    run_due(ports)
    assert shop.read(schedule).state is ScheduleState.ENDED


# Missed runs


def test_executions_that_were_missed_are_caught_up_in_order() -> None:
    shop = Shop()
    shop.schedule()
    shop.clock.advance(100 * DAY)
    run_due(shop.context.ports)
    assert len(shop.payments) == 3
    assert list(shop.store.between(Execution, "due", "", "9999")) == []


def test_where_it_was_chosen_only_the_latest_is_caught_up() -> None:
    shop = Shop(overrides={"D-162": "latest"})
    schedule = shop.schedule()
    shop.clock.advance(100 * DAY)
    run_due(shop.context.ports)
    assert len(shop.payments) == 1
    assert shop.read(schedule).due == at("2027-03-05 00:00:00")


# Power cuts: whichever write is lost, each execution is paid for once


class PowerCut(Exception):
    """The process is gone."""


class CutStore:
    """A memory store whose process dies at one save: before it is stored, or right after."""

    def __init__(self) -> None:
        self.cut_at: int | None = None
        self.is_stored = False
        self._store = MemoryStore()

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        """Store a unit, or die."""
        if self.cut_at is not None:
            self.cut_at -= 1
        if self.cut_at != 0:
            self._store.commit(unit)
            return
        self.cut_at = None
        if self.is_stored:
            self._store.commit(unit)
        raise PowerCut

    def commit_unflushed(self, unit: Unit) -> Flush:
        """The same."""
        self.commit(unit)
        return FLUSHED


@pytest.mark.parametrize("is_stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("cut_at", range(1, 8))
def test_a_power_cut_at_any_save_leaves_each_execution_paid_once(
    cut_at: int, is_stored: bool
) -> None:
    store = CutStore()
    shop = Shop(store=store)
    shop.schedule()
    store.cut_at, store.is_stored = cut_at, is_stored
    with pytest.raises(PowerCut):
        shop.go("2027-02-28 00:00:00")
    reverse_open_attempts(shop.context.ports)
    shop.go("2027-02-28 00:00:00")
    assert shop.days == ["2026-12-05", "2027-01-05", "2027-02-05"]
    assert all(payment.state is State.COMPLETED for payment in shop.payments)


@pytest.mark.parametrize("is_stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("cut_at", range(1, 5))
def test_a_power_cut_while_the_acquirer_is_asked_takes_the_money_once(
    cut_at: int, is_stored: bool
) -> None:
    store = CutStore()
    shop = Shop(store=store, delay_s=5)
    shop.schedule(job__endDate="2026-12-31 00:00:00")
    store.cut_at, store.is_stored = cut_at, is_stored
    with pytest.raises(PowerCut):
        shop.go("2027-02-28 00:00:00")
    reverse_open_attempts(shop.context.ports)
    shop.go("2027-02-28 00:00:00")
    taken = [payment for payment in shop.payments if payment.state is State.COMPLETED]
    assert len(taken) == 1
    assert all(payment.outcome.code == "900.100.301" for payment in shop.payments[:-1])


def test_work_of_an_epoch_that_is_over_is_dropped() -> None:
    shop = Shop()
    shop.schedule()
    shop.clock.advance(30 * DAY)
    shop.store.close()
    with pytest.raises(EpochEndedError):
        run_due(shop.context.ports)


def test_the_event_of_a_declined_execution_names_its_payment() -> None:
    shop = Shop(DECLINED)
    schedule = shop.schedule()
    shop.go("2026-12-05 00:00:00")
    (payment,) = shop.payments
    last = shop.read(schedule).last
    assert (last.payment, last.code, last.at) == (payment.id, DECLINED.code, payment.created_at)


def test_what_is_due_at_one_instant_begins_in_one_write_and_each_is_paid_once() -> None:
    shop = Shop()
    made = [shop.schedule() for _ in range(30)]
    shop.clock.advance(20 * DAY)
    before = len(shop.store.units)
    run_due(shop.context.ports)
    units = shop.store.units[before:]
    beginnings = [unit for unit in units if isinstance(unit.puts[-1], Execution)]
    assert [len(unit.puts) // 2 for unit in beginnings] == [25, 5]
    paid = [payment.schedule for payment in shop.payments]
    assert sorted(paid) == sorted(each.id for each in made)

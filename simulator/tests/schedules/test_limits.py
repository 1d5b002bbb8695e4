"""A schedule makes no more payments than the limits of its series give, and ends with the last."""

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import State
from simulator.domain.schedules.schedules import Schedule, ScheduleState
from simulator.service.registrations import charge
from simulator.tests.kit.making import APPROVED, new_ids
from simulator.tests.kit.serial import INSTALLMENTS, PENDING, in_series
from simulator.tests.kit.shops import EMPTY_ACCOUNT, Shop
from simulator.tests.schedules.test_unpayable import begin_series

NUMBER, EXPIRY = "standingInstruction.numberOfInstallments", "standingInstruction.expiry"
TYPE, FREQUENCY = "standingInstruction.type", "standingInstruction.frequency"
THREE = {TYPE: "INSTALLMENT", NUMBER: "3"}
ALONE = in_series("REPEATED", "MIT")


def make(shop: Shop, **more: str) -> Schedule:
    """A schedule that is due each day at midnight from 1 December on."""
    return shop.schedule(job__dayOfMonth="*", job__startDate="2026-12-01 00:00:00", **more)


def ended(shop: Shop, schedule: Schedule) -> Schedule:
    """The schedule ten days later, over, its last payment approved."""
    shop.go("2026-12-15 12:00:00")
    after = shop.read(schedule)
    assert after.state is ScheduleState.ENDED
    assert after.last.code == APPROVED.code
    return after


@pytest.mark.parametrize(
    "place",
    [{}, ALONE, in_series("INITIAL", "MIT"), {"recurringType": "REPEATED"}],
)
def test_it_ends_with_the_last_of_its_own_installments(place: dict[str, str]) -> None:
    shop = Shop()
    schedule = make(shop, **THREE, **place)
    assert ended(shop, schedule).executions == 3
    assert len(shop.days) == 3


def test_it_ends_with_the_last_that_the_shopper_agreed_to() -> None:
    shop = Shop()
    begin_series(shop, **INSTALLMENTS)
    assert ended(shop, make(shop)).executions == 2


def test_it_ends_with_the_last_that_the_merchant_began_with() -> None:
    shop = Shop()
    sent = {"paymentType": "DB", "amount": "1.00", "currency": "EUR", **THREE}
    sent |= in_series("INITIAL", "MIT")
    charge(shop.context, shop.registration, sent, new_ids(shop.context))
    assert ended(shop, make(shop, **ALONE, **{TYPE: "INSTALLMENT"})).executions == 2


def test_it_ends_on_the_last_day() -> None:
    shop = Shop()
    schedule = make(shop, **ALONE, **{TYPE: "RECURRING", EXPIRY: "2026-12-03"})
    ended(shop, schedule)
    assert shop.days[-1] == "2026-12-03"


def test_it_ends_on_the_last_day_that_the_shopper_agreed_to() -> None:
    shop = Shop()
    begin_series(shop, **{TYPE: "RECURRING", EXPIRY: "2026-12-03"})
    ended(shop, make(shop))
    assert shop.days[-1] == "2026-12-03"


def test_schedules_of_one_card_count_apart() -> None:
    shop = Shop()
    schedules = [make(shop, **THREE), make(shop, **THREE), make(shop)]
    shop.go("2026-12-15 12:00:00")
    assert [shop.read(each).executions for each in schedules[:2]] == [3, 3]
    assert shop.read(schedules[2]).is_active


def test_what_is_declined_is_no_installment() -> None:
    shop = Shop(EMPTY_ACCOUNT, APPROVED)
    schedule = make(shop, **THREE)
    shop.go("2026-12-15 12:00:00")
    approved = [each for each in shop.payments if each.state is not State.FAILED]
    assert len(approved) == 3
    assert shop.read(schedule).state is ScheduleState.ENDED


def test_while_one_is_pending_it_goes_on() -> None:
    shop = Shop(PENDING)
    each_minute = {"job.expression": "0 * * * * ?"}
    schedule = shop.schedule(**THREE, **each_minute)
    shop.go("2026-11-20 12:10:30")
    after = shop.read(schedule)
    assert (after.is_active, after.last.code, len(shop.days)) == (True, "600.200.501", 3)


def test_the_schedule_in_its_place_goes_on_counting() -> None:
    shop = Shop()
    schedule = make(shop, **THREE)
    shop.go("2026-12-02 12:00:00")
    assert len(shop.days) == 2
    newest = shop.reschedule(schedule, **{NUMBER: "4"})
    assert ended(shop, newest).executions == 2
    with pytest.raises(Refusal, match=r"100\.360\.300"):
        shop.reschedule(newest, amount="2.00", currency="EUR")


def test_one_that_could_make_no_payment_takes_no_place() -> None:
    shop = Shop()
    schedule = make(shop, **THREE)
    shop.go("2026-12-02 12:00:00")
    with pytest.raises(Refusal, match=r"600\.200\.501"):
        shop.reschedule(schedule, **{NUMBER: "1"})


def test_where_the_limits_are_not_enforced_it_goes_on() -> None:
    shop = Shop(overrides={"D-125": "ignore"})
    schedule = make(shop, **THREE)
    shop.go("2026-12-15 12:00:00")
    assert shop.read(schedule).is_active
    assert len(shop.days) > 10


def test_its_own_frequency_is_that_of_its_payments() -> None:
    shop = Shop(overrides={"D-125": "all"})
    schedule = make(shop, **ALONE, **{TYPE: "RECURRING", FREQUENCY: "5"})
    shop.go("2026-12-15 12:00:00")
    assert shop.read(schedule).is_active
    assert len(shop.days) == 3

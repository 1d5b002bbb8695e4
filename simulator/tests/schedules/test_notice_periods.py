"""Notice and minimum duration of a schedule: when a descheduling takes effect."""

from datetime import datetime

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.schedules.notice_periods import FOREVER, decide_stop, later
from simulator.domain.schedules.schedules import ScheduleState
from simulator.tests.kit.making import NOON
from simulator.tests.kit.shops import DAY, MONTHLY, Shop, at, code_of

TERMS = {
    "job.noticeNumber": "14",
    "job.noticeUnit": "DAY",
    "job.durationNumber": "3",
    "job.durationUnit": "MONTH",
}


def test_a_job_without_terms_ends_at_once() -> None:
    shop = Shop()
    stopped = shop.deschedule(shop.schedule())
    assert stopped.state is ScheduleState.DESCHEDULED
    assert stopped.stops_at == NOON


def test_a_minimum_duration_is_kept_and_executions_go_on_until_then() -> None:
    shop = Shop()
    schedule = shop.schedule({**MONTHLY, **TERMS})
    stopped = shop.deschedule(schedule)
    assert stopped.is_active
    assert stopped.stops_at == at("2027-03-05 00:00:00")
    shop.go("2027-06-01 00:00:00")
    assert shop.days == ["2026-12-05", "2027-01-05", "2027-02-05"]
    assert shop.read(schedule).state is ScheduleState.DESCHEDULED


def test_after_the_minimum_duration_the_notice_period_alone_passes() -> None:
    shop = Shop()
    schedule = shop.schedule({**MONTHLY, **TERMS})
    shop.go("2027-04-01 00:00:00")
    assert shop.deschedule(schedule).stops_at == at("2027-04-15 00:00:00")
    with pytest.raises(Refusal) as refused:
        shop.deschedule(schedule)
    assert code_of(refused) == "100.360.303"
    with pytest.raises(Refusal) as refused:
        shop.reschedule(schedule, amount="1.00", currency="EUR")
    assert code_of(refused) == "100.360.300"
    shop.go("2027-12-31 00:00:00")
    assert shop.days[-1] == "2027-04-05"


@pytest.mark.parametrize(
    ("now", "stops_at"),
    [
        ("2026-12-31 00:00:00", "2027-03-05 00:00:00"),
        ("2027-02-19 00:00:00", "2027-03-05 00:00:00"),
        ("2027-02-19 00:00:01", "2027-06-05 00:00:00"),
        ("2027-05-31 00:00:00", "2027-09-05 00:00:00"),
    ],
)
def test_notice_to_the_end_of_the_duration_must_come_in_time_for_it(
    now: str, stops_at: str
) -> None:
    terms = {**TERMS, "job.noticeCallable": "DURATION_END"}
    assert decide_stop(terms, at("2026-12-05 00:00:00"), at(now)) == at(stops_at)


@pytest.mark.parametrize("unit", ["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"])
@pytest.mark.parametrize("number", ["1", "7", "999999999"])
def test_terms_of_every_unit_and_size_end_some_time(unit: str, number: str) -> None:
    began = at("2024-02-29 00:00:00")
    for late in (DAY, 400 * DAY, 40_000 * DAY):
        for notice in ("1", "999999999"):
            terms = {
                "job.noticeCallable": "DURATION_END",
                "job.noticeNumber": notice,
                "job.noticeUnit": "SECOND",
                "job.durationNumber": number,
                "job.durationUnit": unit,
            }
            stop = decide_stop(terms, began, began + late)
            earliest = later(began + late, int(notice), "SECOND")
            assert earliest <= stop <= FOREVER
            assert stop == FOREVER or stop == later(began, periods(began, stop, unit, number), unit)


def periods(began: datetime, stop: datetime, unit: str, number: str) -> int:
    """How many units lie between two instants that are whole durations apart."""
    if unit in ("YEAR", "MONTH"):
        months = (stop.year - began.year) * 12 + stop.month - began.month
        count = months // 12 if unit == "YEAR" else months
    else:
        seconds = {"WEEK": 604_800, "DAY": 86_400, "HOUR": 3_600, "MINUTE": 60, "SECOND": 1}[unit]
        count = int((stop - began).total_seconds()) // seconds
    assert count % int(number) == 0
    return count


@pytest.mark.parametrize(
    ("begin", "number", "unit", "end"),
    [
        ("2026-01-31 08:00:00", 1, "MONTH", "2026-02-28 08:00:00"),
        ("2028-01-31 08:00:00", 1, "MONTH", "2028-02-29 08:00:00"),
        ("2026-10-31 08:00:00", 4, "MONTH", "2027-02-28 08:00:00"),
        ("2028-02-29 08:00:00", 1, "YEAR", "2029-02-28 08:00:00"),
        ("2026-12-31 23:59:59", 1, "SECOND", "2027-01-01 00:00:00"),
        ("2026-12-31 00:00:00", 2, "WEEK", "2027-01-14 00:00:00"),
    ],
)
def test_months_and_years_are_those_of_the_calendar(
    begin: str, number: int, unit: str, end: str
) -> None:
    assert later(at(begin), number, unit) == at(end)


def test_a_job_may_not_end_before_its_minimum_duration() -> None:
    shop = Shop()
    shop.schedule({**MONTHLY, **TERMS}, job__endDate="2027-03-05 00:00:00")
    with pytest.raises(Refusal) as refused:
        shop.schedule({**MONTHLY, **TERMS}, job__endDate="2027-03-04 23:59:59")
    assert code_of(refused) == "100.250.120"


def test_a_minimum_duration_outlives_a_rescheduling() -> None:
    shop = Shop()
    schedule = shop.schedule({**MONTHLY, **TERMS})
    shop.go("2027-02-01 00:00:00")
    new = shop.reschedule(schedule, amount="19.99", currency="EUR")
    assert shop.deschedule(new).stops_at == at("2027-03-05 00:00:00")

"""Bank days, cut-offs and settlement dates."""

from datetime import UTC, date, datetime, timedelta

import pytest

from acquirer_mocks.settlement import calendars
from acquirer_mocks.settlement.institutes import institute_named, institutes

CLEARING = institute_named("Sandgate Clearing")
ACQUIRING = institute_named("Sandgate Acquiring")
BANK = institute_named("Sandgate Bank")

# As the ECB announced them: New Year, Good Friday, Easter Monday, 1 May, 25 and 26 December.
ECB_CLOSED = {
    2024: ((1, 1), (3, 29), (4, 1), (5, 1), (12, 25), (12, 26)),
    2025: ((1, 1), (4, 18), (4, 21), (5, 1), (12, 25), (12, 26)),
    2026: ((1, 1), (4, 3), (4, 6), (5, 1), (12, 25), (12, 26)),
}
# As the New York Stock Exchange announced them, without those on a weekend.
NYSE_CLOSED_2025 = (
    (1, 1), (1, 9), (1, 20), (2, 17), (4, 18), (5, 26), (6, 19), (7, 4), (9, 1), (11, 27), (12, 25),
)  # fmt: skip


def closed_weekdays(calendar: str, year: int) -> set[date]:
    days = (date(year, 1, 1) + timedelta(days=each) for each in range(365))
    return {day for day in days if day.weekday() < 5 and not calendars.is_bank_day(calendar, day)}


@pytest.mark.parametrize("year", ECB_CLOSED)
def test_the_ecb_is_closed_when_it_said_so(year: int) -> None:
    announced = {date(year, month, day) for month, day in ECB_CLOSED[year]}

    assert closed_weekdays("ECB", year) == {day for day in announced if day.weekday() < 5}


def test_new_york_is_closed_when_its_exchange_said_so() -> None:
    announced = {date(2025, month, day) for month, day in NYSE_CLOSED_2025}

    assert closed_weekdays("XNYS", 2025) == announced


def test_a_weekend_and_easter_delay_the_settlement() -> None:
    # Maundy Thursday 2030: two bank days later is the Wednesday after Easter Monday.
    assert calendars.settlement_date(ACQUIRING, date(2030, 4, 18)) == date(2030, 4, 24)
    assert calendars.settlement_date(CLEARING, date(2030, 1, 4)) == date(2030, 1, 7)


def test_a_cut_off_is_local_in_summer_and_winter() -> None:
    assert calendars.cut_off(ACQUIRING, date(2030, 1, 3)).hour == 22
    assert calendars.cut_off(ACQUIRING, date(2030, 7, 3)).hour == 21
    assert calendars.cut_off(BANK, date(2030, 1, 3)) == datetime(2030, 1, 4, 4, tzinfo=UTC)


@pytest.mark.parametrize("name", institutes())
def test_the_windows_of_a_year_join_without_a_gap(name: str) -> None:
    institute = institute_named(name)
    now, days = datetime(2030, 1, 1, tzinfo=UTC), []
    while now.year == 2030:
        day, now = calendars.next_cut_off(institute, now)
        days.append(day)

    windows = [calendars.window(institute, day) for day in days]

    assert len(days) >= 250
    assert all(ends == begins for (_, ends), (begins, _) in zip(windows, windows[1:], strict=False))


def test_the_next_cut_off_is_after_the_instant() -> None:
    day, at = calendars.next_cut_off(CLEARING, datetime(2030, 1, 3, 23, 0, tzinfo=UTC))

    assert (day, at) == (date(2030, 1, 4), datetime(2030, 1, 4, 23, 0, tzinfo=UTC))


def test_forty_days_have_twenty_eight_bank_days() -> None:
    days = (date(2030, 1, 2) + timedelta(days=each) for each in range(40))

    assert sum(calendars.is_bank_day("ECB", day) for day in days) == 28


def test_the_first_bank_day_of_a_month_follows_a_holiday() -> None:
    assert calendars.is_first_of_month("ECB", date(2030, 1, 2))
    assert not calendars.is_first_of_month("ECB", date(2030, 1, 3))

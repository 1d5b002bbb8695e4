"""Bank days, cut-offs and settlement dates of an institute, in its own time zone.

Choice: D-388.
"""

from collections.abc import Container
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from acquirer_mocks.settlement.institutes import Institute
from simulator.adapters.store.commit import in_thread

DAY = timedelta(days=1)
SATURDAY = 5


def is_bank_day(calendar: str, day: date) -> bool:
    """Whether banks of a calendar (ECB, XNYS) settle on a day."""
    return day.weekday() < SATURDAY and day not in _holidays(calendar)


def next_bank_day(calendar: str, day: date) -> date:
    """The first bank day after a day."""
    day += DAY
    while not is_bank_day(calendar, day):
        day += DAY
    return day


def previous_bank_day(calendar: str, day: date) -> date:
    """The last bank day before a day."""
    day -= DAY
    while not is_bank_day(calendar, day):
        day -= DAY
    return day


def previous_holiday(calendar: str, day: date) -> date:
    """The last day before a day on which banks do not settle."""
    day -= DAY
    while is_bank_day(calendar, day):
        day -= DAY
    return day


def settlement_date(institute: Institute, day: date) -> date:
    """When the movements of a bank day are paid out."""
    for _ in range(institute.settles_after):
        day = next_bank_day(institute.calendar, day)
    return day


def is_first_of_month(calendar: str, day: date) -> bool:
    """Whether a bank day is the first one of its month."""
    return previous_bank_day(calendar, day).month != day.month


def cut_off(institute: Institute, day: date) -> datetime:
    """The instant in UTC at which the bank day ends: local time, summer or winter."""
    local = datetime.combine(day, time.fromisoformat(institute.cut_off), zone_of(institute))
    return local.astimezone(UTC)


def window(institute: Institute, day: date) -> tuple[datetime, datetime]:
    """The cut-off before that of a bank day, and its own, in UTC."""
    return cut_off(institute, previous_bank_day(institute.calendar, day)), cut_off(institute, day)


def next_cut_off(institute: Institute, now: datetime) -> tuple[date, datetime]:
    """The first bank day whose cut-off is after `now` (aware), and that cut-off in UTC."""
    day = now.astimezone(zone_of(institute)).date()
    while not is_bank_day(institute.calendar, day) or cut_off(institute, day) <= now:
        day += DAY
    return day, cut_off(institute, day)


@cache
def zone_of(institute: Institute) -> ZoneInfo:
    """The institute's time zone."""
    return ZoneInfo(institute.zone)


@cache
def _holidays(calendar: str) -> Container[date]:
    found: Container[date] = in_thread(_read_holidays, calendar)
    return found


def _read_holidays(calendar: str) -> Container[date]:
    # Imported when first asked for, and in a thread: it takes a fifth of a second, and a gateway
    # without settlement needs none.
    from holidays import financial_holidays

    found: Container[date] = financial_holidays(calendar)
    return found

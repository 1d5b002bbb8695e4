"""Triggers: the instants at which a scheduled job fires. UTC, to the second.

Source: Scheduled payment jobs. How a trigger is written is read in `expressions`.
"""

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from typing import NamedTuple

SECOND = timedelta(seconds=1)
SATURDAY, SUNDAY = 6, 7
# A leap day on a Sunday comes 40 years after the last where a century has no leap year between.
YEARS_AHEAD = 44

# The days of a month (year, month) that are meant, in order; none where it has no such day.
DayRule = Callable[[int, int], Sequence[int]]


class Trigger(NamedTuple):
    """What each field of an instant may be, in order and never empty; `years` None is any year."""

    seconds: Sequence[int]
    minutes: Sequence[int]
    hours: Sequence[int]
    days: DayRule
    months: Sequence[int]
    years: Sequence[int] | None = None


def next_after(trigger: Trigger, after: datetime) -> datetime | None:
    """The first instant after `after` at which `trigger` fires; None where none will ever come.

    It looks at no more than two days with a day that fits, in no more than 44 years.
    """
    if after.year >= MAXYEAR:
        return None
    begin = after.replace(microsecond=0) + SECOND
    for day in _days_from(trigger, begin.date()):
        at = _time_from(trigger, begin.time() if day == begin.date() else time.min)
        if at is not None:
            return datetime.combine(day, at, UTC)
    return None


def _days_from(trigger: Trigger, first: date) -> Iterator[date]:
    """The days on which the trigger fires, from `first` on."""
    for year in _years_from(trigger, first.year):
        for month in trigger.months:
            if (year, month) < (first.year, first.month):
                continue
            days = (date(year, month, day) for day in trigger.days(year, month))
            yield from (day for day in days if day >= first)


def _years_from(trigger: Trigger, first: int) -> Sequence[int]:
    if trigger.years is None:
        return range(first, min(first + YEARS_AHEAD, MAXYEAR) + 1)
    return [year for year in trigger.years if first <= year <= MAXYEAR]


def _time_from(trigger: Trigger, least: time) -> time | None:
    """The first time of a day at which the trigger fires, `least` or later."""
    hours, minutes, seconds = trigger.hours, trigger.minutes, trigger.seconds
    hour = _first(hours, least.hour)
    if hour == least.hour:
        minute = _first(minutes, least.minute)
        if minute == least.minute and (second := _first(seconds, least.second)) is not None:
            return time(hour, minute, second)
        if minute == least.minute:
            minute = _first(minutes, least.minute + 1)
        if minute is not None:
            return time(hour, minute, seconds[0])
        hour = _first(hours, least.hour + 1)
    return None if hour is None else time(hour, minutes[0], seconds[0])


def _first(values: Sequence[int], least: int) -> int | None:
    position = bisect_left(values, least)
    return values[position] if position < len(values) else None


def length_of(year: int, month: int) -> int:
    """How many days a month has."""
    return monthrange(year, month)[1]


def every_day(year: int, month: int) -> Sequence[int]:
    """Every day of a month."""
    return range(1, length_of(year, month) + 1)


def days_of_month(days: Sequence[int]) -> DayRule:
    """These days, where a month has them."""
    return lambda year, month: [day for day in days if day <= length_of(year, month)]


def last_day(before: int = 0) -> DayRule:
    """The last day of a month, or the one so many days before it."""
    return lambda year, month: _existing(length_of(year, month) - before)


def nearest_working_day(day: int) -> DayRule:
    """The day from Monday to Friday nearest to `day`, in the same month."""

    def rule(year: int, month: int) -> Sequence[int]:
        return [_working(year, month, day)] if day <= length_of(year, month) else ()

    return rule


def last_working_day(before: int = 0) -> DayRule:
    """The day from Monday to Friday nearest to the last day, or to one so many days before it."""

    def rule(year: int, month: int) -> Sequence[int]:
        day = length_of(year, month) - before
        return [_working(year, month, day)] if day > 0 else ()

    return rule


def days_of_week(weekdays: Collection[int]) -> DayRule:
    """These days of the week, Monday 1 to Sunday 7."""
    wanted = frozenset(weekdays)

    def rule(year: int, month: int) -> Sequence[int]:
        offset = date(year, month, 1).isoweekday() - 1
        return [day for day in every_day(year, month) if (offset + day - 1) % 7 + 1 in wanted]

    return rule


def last_weekday(weekday: int) -> DayRule:
    """The last of this day of the week in a month, Monday 1 to Sunday 7."""
    every = days_of_week((weekday,))
    return lambda year, month: every(year, month)[-1:]


def nth_weekday(weekday: int, nth: int) -> DayRule:
    """The first to fifth of this day of the week, where a month has it."""
    every = days_of_week((weekday,))
    return lambda year, month: every(year, month)[nth - 1 : nth]


def _existing(day: int) -> Sequence[int]:
    return [day] if day > 0 else ()


def _working(year: int, month: int, day: int) -> int:
    weekday = date(year, month, day).isoweekday()
    if weekday == SATURDAY:
        return day - 1 if day > 1 else day + 2
    if weekday == SUNDAY:
        return day + 1 if day < length_of(year, month) else day - 2
    return day

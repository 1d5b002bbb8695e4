"""Minimum duration and notice of a scheduled job: when a descheduling takes effect.

Calendar arithmetic: a month after the 31st is the last day of a shorter month; years are twelve
months. Source: Scheduled payment jobs, JOB-04. Choice: D-159.
"""

from calendar import monthrange
from collections.abc import Mapping
from datetime import MAXYEAR, UTC, datetime, timedelta

from simulator.domain.core.errors import Refusal
from simulator.domain.schedules.expressions import COMBINATION

AT_THE_END = "DURATION_END"
MONTHS = {"YEAR": 12, "MONTH": 1}
SECONDS = {"WEEK": 604_800, "DAY": 86_400, "HOUR": 3_600, "MINUTE": 60, "SECOND": 1}
FOREVER = datetime(MAXYEAR, 12, 31, tzinfo=UTC)


def refuse_terms(sent: Mapping[str, str], began: datetime, end: datetime | None) -> None:
    """Raise Refusal for terms that cannot be kept: a job that ends before its minimum duration."""
    if end is not None and end < later(began, *_span_in(sent, "duration")):
        raise Refusal(COMBINATION, "job.endDate: expected the end of the minimum duration or later")


def decide_stop(sent: Mapping[str, str], began: datetime, now: datetime) -> datetime:
    """When a descheduling that is asked for `now` takes effect: `now` or later.

    The notice period passes first, and the minimum duration. Where notice can only be given to the
    end of the duration, the job runs on for as many more durations as the notice comes too late.
    """
    notice_ends = later(now, *_span_in(sent, "notice"))
    number, unit = _span_in(sent, "duration")
    if not number:
        return notice_ends
    if sent.get("job.noticeCallable") == AT_THE_END:
        return _end_of_period(began, number, unit, notice_ends)
    return max(notice_ends, later(began, number, unit))


def later(instant: datetime, number: int, unit: str) -> datetime:
    """`instant` and so many units of the calendar; the end of time where that is beyond it."""
    try:
        if unit in MONTHS:
            return _months_later(instant, number * MONTHS[unit])
        return min(instant + timedelta(seconds=number * SECONDS[unit]), FOREVER)
    except OverflowError:
        return FOREVER


def _end_of_period(began: datetime, number: int, unit: str, notice_ends: datetime) -> datetime:
    """The first end of a period, counted from `began`, that is not before `notice_ends`."""
    periods = max(1, _periods_before(began, number, unit, notice_ends))
    while (end := later(began, periods * number, unit)) < notice_ends:
        periods += 1
    return end


def _periods_before(began: datetime, number: int, unit: str, notice_ends: datetime) -> int:
    """A count of periods that is surely not too high, and a few too low at most."""
    if unit in MONTHS:
        passed = (notice_ends.year - began.year) * 12 + notice_ends.month - began.month
        return (passed - 1) // (number * MONTHS[unit])
    return int((notice_ends - began).total_seconds()) // (number * SECONDS[unit])


def _months_later(instant: datetime, months: int) -> datetime:
    total = instant.year * 12 + instant.month - 1 + months
    year, month = divmod(total, 12)
    if year > MAXYEAR - 1:
        return FOREVER
    day = min(instant.day, monthrange(year, month + 1)[1])
    return instant.replace(year=year, month=month + 1, day=day)


def _span_in(sent: Mapping[str, str], name: str) -> tuple[int, str]:
    return int(sent.get(f"job.{name}Number", "0")), sent.get(f"job.{name}Unit", "SECOND")

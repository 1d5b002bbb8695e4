"""Triggers: when a job fires. Compared with an oracle that tries every second and every day."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from simulator.domain.core.errors import Refusal
from simulator.domain.schedules.expressions import trigger_of
from simulator.domain.schedules.triggers import YEARS_AHEAD, next_after

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def fires(expression: str, after: datetime = NOON, weekdays: str = "quartz") -> str | None:
    found = next_after(trigger_of({"job.expression": expression}, weekdays=weekdays), after)
    return None if found is None else found.strftime("%a %Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("33 43 7 5 * ? *", "Sat 2026-12-05 07:43:33"),
        ("0 0 9 ? * 2-6", "Mon 2026-11-23 09:00:00"),
        ("0 0 9 ? * MON-FRI", "Mon 2026-11-23 09:00:00"),
        ("0 0 9 ? * FRI-MON", "Sat 2026-11-21 09:00:00"),
        ("0 0 9 ? * 7", "Sat 2026-11-21 09:00:00"),
        ("0 0 9 ? * L", "Sat 2026-11-21 09:00:00"),
        ("0 0 0 ? * 6L", "Fri 2026-11-27 00:00:00"),
        ("0 0 0 ? * 6#3", "Fri 2026-12-18 00:00:00"),
        ("0 0 0 ? FEB FRI#5", "Fri 2036-02-29 00:00:00"),
        ("0 0 0 15W * ?", "Tue 2026-12-15 00:00:00"),
        ("0 0 0 1W 8 ?", "Mon 2027-08-02 00:00:00"),
        ("0 0 0 L * ?", "Mon 2026-11-30 00:00:00"),
        ("0 0 0 L-3 * ?", "Fri 2026-11-27 00:00:00"),
        ("0 0 0 LW 1 ?", "Fri 2027-01-29 00:00:00"),
        ("0 0 0 L-1W 1 ?", "Fri 2027-01-29 00:00:00"),
        ("0 0 0 29 2 ?", "Tue 2028-02-29 00:00:00"),
        ("0 0 0 31 * ?", "Thu 2026-12-31 00:00:00"),
        ("0 0 0 31 4-6 ?", "Mon 2027-05-31 00:00:00"),
        ("0 0/15 8-10 * * ?", "Sat 2026-11-21 08:00:00"),
        ("0 /20 22-2 * * ?", "Fri 2026-11-20 22:00:00"),
        ("0 0 0 1 1 ? 2028,2030", "Sat 2028-01-01 00:00:00"),
        ("0 0 0 1 nov-feb/2 ?", "Fri 2027-01-01 00:00:00"),
        ("* * * * * ?", "Fri 2026-11-20 12:00:01"),
        ("0 0 0 31 2 ?", None),
        ("* * * * * ? 2020", None),
    ],
)
def test_an_expression_fires_as_quartz_would(expression: str, expected: str | None) -> None:
    assert fires(expression) == expected


def test_days_of_the_week_count_as_it_was_chosen() -> None:
    assert fires("0 0 9 ? * 1", weekdays="quartz") == "Sun 2026-11-22 09:00:00"
    assert fires("0 0 9 ? * 1", weekdays="zero") == "Mon 2026-11-23 09:00:00"
    assert fires("0 0 9 ? * 0", weekdays="zero") == "Sun 2026-11-22 09:00:00"
    assert fires("0 0 9 ? * SUN", weekdays="zero") == "Sun 2026-11-22 09:00:00"


def test_a_leap_day_is_found_over_a_century_without_one() -> None:
    assert fires("0 0 0 29 2 ?", datetime(2096, 3, 1, tzinfo=UTC)) == "Fri 2104-02-29 00:00:00"
    # The rarest day there is: the years searched are enough for it.
    found = fires("0 0 0 ? 2 SUN#5", datetime(2888, 3, 1, tzinfo=UTC))
    assert found == "Sun 2928-02-29 00:00:00"
    assert YEARS_AHEAD > 2928 - 2888


def test_nothing_follows_the_end_of_time() -> None:
    end = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert fires("* * * * * ?", end) is None
    assert fires("0 0 0 29 2 ?", datetime(9998, 3, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("60 0 0 1 * ?", "100.250.122"),
        ("0 60 0 1 * ?", "100.250.122"),
        ("0 0 24 1 * ?", "100.250.121"),
        ("0 0 0 32 * ?", "100.250.123"),
        ("0 0 0 0 * ?", "100.250.123"),
        ("0 0 0 32W * ?", "100.250.123"),
        ("0 0 0 15W,20 * ?", "100.250.123"),
        ("0 0 0 1 13 ?", "100.250.124"),
        ("0 0 0 1 ABC ?", "100.250.124"),
        ("0 0 0 ? * 0", "100.250.125"),
        ("0 0 0 ? * 8", "100.250.125"),
        ("0 0 0 ? * 6#6", "100.250.125"),
        ("0 0 0 1 * ? 20", "100.250.120"),
        ("0 0 0 1 * ? 2030-2028", "100.250.120"),
        ("0 0 0 1 * MON", "100.250.120"),
        ("0 0 0 ? * ?", "100.250.120"),
        ("0 0 0 * * *", "100.250.120"),
        ("0 0 0 1 *", "100.250.111"),
        ("whenever", "100.250.111"),
        ("0/0 0 0 1 * ?", "100.250.122"),
        ("0/61 0 0 1 * ?", "100.250.122"),
        ("*-5 0 0 1 * ?", "100.250.122"),
        (", 0 0 1 * ?", "100.250.122"),
        ("- 0 0 1 * ?", "100.250.122"),
    ],
)
def test_what_is_no_trigger_is_refused_by_the_field_that_is_wrong(
    expression: str, code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        fires(expression)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ({"dayOfMonth": "05", "hour": "07", "minute": "43"}, "Sat 2026-12-05 07:43:00"),
        ({"dayOfWeek": "2"}, "Mon 2026-11-23 00:00:00"),
        ({"hour": "06"}, "Sat 2026-11-21 06:00:00"),
        ({"second": "*", "minute": "*", "hour": "*"}, "Fri 2026-11-20 12:00:01"),
        ({"year": "2028,2030"}, "Sat 2028-01-01 00:00:00"),
        ({"month": "01,07", "dayOfMonth": "01,15"}, "Fri 2027-01-01 00:00:00"),
        ({"dayOfMonth": "5", "dayOfWeek": "?"}, "Sat 2026-12-05 00:00:00"),
        ({"dayOfWeek": "?", "hour": "6"}, "Sat 2026-11-21 06:00:00"),
        ({"hour": "99", "expression": "0 0 9 1 * ?"}, "Tue 2026-12-01 09:00:00"),
    ],
)
def test_single_fields_say_the_same_and_an_expression_overrides_them(
    job: dict, expected: str
) -> None:
    sent = {f"job.{name}": value for name, value in job.items()}
    found = next_after(trigger_of(sent, weekdays="quartz"), NOON)
    assert found is not None
    assert found.strftime("%a %Y-%m-%d %H:%M:%S") == expected


def test_a_job_without_any_timing_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        trigger_of({"job.name": "gym"}, weekdays="quartz")
    assert refusal.value.code == "100.250.100"


def test_a_trigger_that_never_fires_is_found_out_in_bounded_steps() -> None:
    looked_at: list[tuple[int, int]] = []

    def never(year: int, month: int) -> Sequence[int]:
        looked_at.append((year, month))
        return ()

    trigger = trigger_of({"job.expression": "* * * * 2,4 ?"}, weekdays="quartz")
    assert next_after(trigger._replace(days=never), NOON) is None
    assert len(looked_at) <= 2 * (YEARS_AHEAD + 1)


# An oracle that shares nothing with the code: it tries second after second, or day after day.


def numbers(low: int, high: int) -> some.SearchStrategy[str]:
    value = some.integers(low, high)
    plain = some.lists(value, min_size=1, max_size=3).map(lambda found: ",".join(map(str, found)))
    ranges = some.tuples(value, value).map(lambda ends: f"{ends[0]}-{ends[1]}")
    steps = some.tuples(value, some.integers(1, high - low + 1)).map(lambda s: f"{s[0]}/{s[1]}")
    return some.one_of(some.just("*"), plain, ranges, steps)


def admits(text: str, value: int, low: int, high: int) -> bool:
    """Whether a value is admitted, by trying what each part would name."""
    size = high - low + 1
    for part in text.split(","):
        body, _, step = part.partition("/")
        begin, _, end = body.partition("-")
        first = low if begin == "*" else int(begin)
        last = int(end) if end else (high if step or begin == "*" else first)
        span = (last - first) % size
        offset = (value - first) % size
        if offset <= span and offset % int(step or 1) == 0:
            return True
    return False


@given(
    second=numbers(0, 59),
    minute=numbers(0, 59),
    hour=numbers(0, 23),
    offset=some.integers(0, 86_399),
)
def test_the_time_of_a_day_is_the_first_second_that_fits(
    second: str, minute: str, hour: str, offset: int
) -> None:
    trigger = trigger_of({"job.expression": f"{second} {minute} {hour} * * ?"}, weekdays="quartz")
    begin = datetime(2026, 11, 20, tzinfo=UTC) + offset * SECOND
    found = next_after(trigger, begin)

    instant = begin + SECOND
    while not admits(hour, instant.hour, 0, 23):
        instant = instant.replace(minute=0, second=0) + timedelta(hours=1)
    while not (admits(hour, instant.hour, 0, 23) and admits(minute, instant.minute, 0, 59)):
        instant = instant.replace(second=0) + timedelta(minutes=1)
    fitting: Callable[[datetime], bool] = lambda at: (  # noqa: E731
        admits(hour, at.hour, 0, 23)
        and admits(minute, at.minute, 0, 59)
        and admits(second, at.second, 0, 59)
    )
    while not fitting(instant):
        instant += SECOND if admits(minute, instant.minute, 0, 59) else timedelta(minutes=1)
        if not admits(minute, instant.minute, 0, 59):
            instant = instant.replace(second=0)
    assert found == instant


@given(
    day=some.one_of(numbers(1, 31), some.sampled_from(["L", "L-2", "LW", "1W", "15W", "31W"])),
    month=numbers(1, 12),
    begin=some.dates(date(2023, 1, 1), date(2032, 12, 31)),
)
def test_the_day_of_a_month_is_the_first_day_that_fits(day: str, month: str, begin: date) -> None:
    trigger = trigger_of({"job.expression": f"0 0 0 {day} {month} ?"}, weekdays="quartz")
    start = datetime(begin.year, begin.month, begin.day, tzinfo=UTC)
    found = next_after(trigger, start)
    tried = (start + number * DAY for number in range(1, 9 * 366))
    assert found == next((each for each in tried if fits_month(each, day, month)), None)


@given(
    weekday=some.one_of(numbers(1, 7), some.sampled_from(["L", "6L", "MONL", "6#1", "SUN#4"])),
    month=numbers(1, 12),
    begin=some.dates(date(2023, 1, 1), date(2032, 12, 31)),
)
def test_the_day_of_a_week_is_the_first_day_that_fits(
    weekday: str, month: str, begin: date
) -> None:
    trigger = trigger_of({"job.expression": f"0 0 0 ? {month} {weekday}"}, weekdays="quartz")
    start = datetime(begin.year, begin.month, begin.day, tzinfo=UTC)
    found = next_after(trigger, start)
    tried = (start + number * DAY for number in range(1, 2 * 366))
    assert found == next((each for each in tried if fits_week(each, weekday, month)), None)


def fits_month(at: datetime, day: str, month: str) -> bool:
    return admits(month, at.month, 1, 12) and at.day == (
        meant(at, day) if day[0] == "L" or day[-1] == "W" else plain(at, day)
    )


def plain(at: datetime, day: str) -> int:
    return at.day if admits(day, at.day, 1, 31) else 0


def meant(at: datetime, day: str) -> int:
    """The day that L and W mean in the month of `at`, 0 where it has none."""
    length = 28
    while (at.replace(day=1) + length * DAY).month == at.month:
        length += 1
    if day in ("L", "L-2"):
        return length - (2 if day == "L-2" else 0)
    wanted = length if day == "LW" else int(day[:-1])
    if wanted > length:
        return 0
    working = [
        each for each in range(1, length + 1) if at.replace(day=each).strftime("%a")[0] != "S"
    ]
    return min(working, key=lambda each: abs(each - wanted))


def fits_week(at: datetime, weekday: str, month: str) -> bool:
    names = {"SUN": 1, "MON": 2, "TUE": 3, "WED": 4, "THU": 5, "FRI": 6, "SAT": 7}
    number = names[at.strftime("%a").upper()]
    if not admits(month, at.month, 1, 12):
        return False
    if weekday == "L":
        return number == 7
    if weekday.endswith("L"):
        wanted = names.get(weekday[:-1]) or int(weekday[:-1])
        return number == wanted and (at + 7 * DAY).month != at.month
    if "#" in weekday:
        name, nth = weekday.split("#")
        return number == (names.get(name) or int(name)) and (at.day - 1) // 7 + 1 == int(nth)
    return admits(weekday, number, 1, 7)

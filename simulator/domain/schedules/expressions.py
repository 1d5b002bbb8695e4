"""Triggers as they are written: job.expression, or one parameter a field, in the words of Quartz.

Source: Scheduled payment jobs, job.expression. Choices: D-156 (the dialect), D-157 (weekdays).
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import Refusal
from simulator.domain.schedules.triggers import (
    DayRule,
    Trigger,
    days_of_month,
    days_of_week,
    every_day,
    last_day,
    last_weekday,
    last_working_day,
    nearest_working_day,
    nth_weekday,
)

NO_TIMING, NO_EXPRESSION, COMBINATION = "100.250.100", "100.250.111", "100.250.120"
ANY, NONE = "*", "?"
PART = re.compile(r"(\*|[0-9]{1,4}|[A-Z]{3})?(?:-([0-9]{1,4}|[A-Z]{3}))?(?:/([0-9]{1,4}))?")
LAST_DAY = re.compile(r"L(?:-([0-9]{1,2}))?(W)?")
WORKING_DAY = re.compile(r"([0-9]{1,2})W")
LAST_WEEKDAY = re.compile(r"([0-9]|[A-Z]{3})L")
NTH_WEEKDAY = re.compile(r"([0-9]|[A-Z]{3})#([1-5])")
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")


class Field(NamedTuple):
    """One of the seven fields: its range, its names from the lowest value on, and the code of an
    error in it. A range of a field that `wraps` may begin higher than it ends: FRI-MON.
    """

    name: str
    low: int
    high: int
    code: str
    names: tuple[str, ...] = ()
    wraps: bool = True


# fmt: off
#               name          low   high  code
SECOND = Field("second",      0,    59,   "100.250.122")
MINUTE = Field("minute",      0,    59,   "100.250.122")
HOUR   = Field("hour",        0,    23,   "100.250.121")
DAY    = Field("dayOfMonth",  1,    31,   "100.250.123")
MONTH  = Field("month",       1,    12,   "100.250.124", MONTHS)
YEAR   = Field("year",        1970, 9999, COMBINATION, wraps=False)
# How days of the week are counted, by the value of the choice.
COUNTED = {
    "quartz": Field("dayOfWeek", 1, 7, "100.250.125", WEEKDAYS),
    "zero":   Field("dayOfWeek", 0, 6, "100.250.125", WEEKDAYS),
}
# fmt: on
ORDER = ("second", "minute", "hour", "dayOfMonth", "month", "dayOfWeek", "year")
# What a field is where others are sent: a job for the 5th fires once that day, not each second.
UNSENT = {"second": "0", "minute": "0", "hour": "0", "month": ANY, "year": ANY}


def trigger_of(sent: Mapping[str, str], *, weekdays: str) -> Trigger:
    """The trigger that job.expression writes, or else the single fields. Raises Refusal.

    `weekdays` is how days of the week are counted: "quartz", 1 is Sunday, or "zero", 0 is.
    """
    texts = _texts_in(sent)
    years = texts["year"]
    return Trigger(
        seconds=_values(SECOND, texts["second"]),
        minutes=_values(MINUTE, texts["minute"]),
        hours=_values(HOUR, texts["hour"]),
        days=_days(texts["dayOfMonth"], texts["dayOfWeek"], COUNTED[weekdays]),
        months=_values(MONTH, texts["month"]),
        years=None if years == ANY else _values(YEAR, years),
    )


def _texts_in(sent: Mapping[str, str]) -> dict[str, str]:
    """The text of each field. JOB-05: an expression overrides all of them."""
    expression = sent.get("job.expression")
    if expression is not None:
        return _texts_of(expression)
    texts = {name: sent[f"job.{name}"].upper() for name in ORDER if f"job.{name}" in sent}
    if not texts:
        raise Refusal(NO_TIMING, f"expected job.expression or one of job.{', job.'.join(ORDER)}")
    day, weekday = texts.get("dayOfMonth"), texts.get("dayOfWeek")
    texts["dayOfMonth"] = day or (NONE if weekday not in (None, NONE) else ANY)
    texts["dayOfWeek"] = weekday or (NONE if texts["dayOfMonth"] != NONE else ANY)
    return UNSENT | texts


def _texts_of(expression: str) -> dict[str, str]:
    parts = expression.upper().split()
    if len(parts) not in (len(ORDER) - 1, len(ORDER)):
        expected = f"the fields {' '.join(ORDER)}, the last may be left out"
        raise Refusal(NO_EXPRESSION, f"job.expression: expected {expected}, got {len(parts)}")
    return {"year": ANY} | dict(zip(ORDER, parts, strict=False))


def _days(day: str, weekday: str, field: Field) -> DayRule:
    """Exactly one of the two day fields says something. Source: JOB-02."""
    if (day == NONE) == (weekday == NONE):
        expected = "exactly one of dayOfMonth and dayOfWeek to be ?"
        raise Refusal(COMBINATION, f"expected {expected}, got {day} and {weekday}")
    return _days_of_week(weekday, field) if day == NONE else _days_of_month(day)


def _days_of_month(text: str) -> DayRule:
    if text == ANY:
        return every_day
    if found := LAST_DAY.fullmatch(text):
        before = int(found[1] or 0)
        return last_working_day(before) if found[2] else last_day(before)
    if found := WORKING_DAY.fullmatch(text):
        return nearest_working_day(_number(DAY, found[1], text))
    return days_of_month(_values(DAY, text))


def _days_of_week(text: str, field: Field) -> DayRule:
    if text == "L":
        return days_of_week((_iso(field, field.high),))
    if found := LAST_WEEKDAY.fullmatch(text):
        return last_weekday(_iso(field, _number(field, found[1], text)))
    if found := NTH_WEEKDAY.fullmatch(text):
        return nth_weekday(_iso(field, _number(field, found[1], text)), int(found[2]))
    return days_of_week([_iso(field, value) for value in _values(field, text)])


def _iso(field: Field, value: int) -> int:
    """A day of the week, counted as in `field`, as Monday 1 to Sunday 7."""
    return (value - field.low) or 7


def _values(field: Field, text: str) -> list[int]:
    """What a list of values, ranges and steps admits, in order. Raises Refusal."""
    return sorted({value for part in text.split(",") for value in _part(field, part, text)})


def _part(field: Field, part: str, text: str) -> list[int]:
    found = PART.fullmatch(part)
    begin, end, step = found.groups() if found else (None, None, None)
    stepped, anywhere = step is not None, begin in (None, ANY)
    if not part or found is None or (anywhere and (end or (begin is None and not stepped))):
        raise _wrong(field, text)
    low = field.low if begin is None or begin == ANY else _number(field, begin, text)
    high = _number(field, end, text) if end else (field.high if anywhere or stepped else low)
    count = int(step or 1)
    size = field.high - field.low + 1
    if not 0 < count <= size or (high < low and not field.wraps):
        raise _wrong(field, text)
    if high < low:
        high += size
    return [(value - field.low) % size + field.low for value in range(low, high + 1, count)]


def _number(field: Field, word: str, text: str) -> int:
    if word in field.names:
        return field.names.index(word) + field.low
    if not word.isdecimal() or not field.low <= int(word) <= field.high:
        raise _wrong(field, text)
    return int(word)


def _wrong(field: Field, text: str) -> Refusal:
    names = f" or {field.names[0]} to {field.names[-1]}" if field.names else ""
    expected = f"{field.low} to {field.high}{names}"
    return Refusal(
        field.code, f"job.{field.name}: expected {expected}, got {beginning_of(text, 40)}"
    )

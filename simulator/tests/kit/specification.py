"""The specification's table of fields, read for the tests: what its formats say in words."""

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SPEC = Path(__file__).parents[3] / "features" / "spec"

# Words that describe characters: a list of these is no list of values.
CHARACTERS = frozenset({"letters", "digits", "uppercase", "dot", "hyphen", "AN"})

# Formats that state no limit; each limit that the gateway adds has a decision.
OPEN = re.compile(
    r"AN$|AN or N|defined by|valid URL|number$|cron|.*or \*|time value|date$|text$|same values"
)


class Limits(NamedTuple):
    """Lengths where a format states them, and the values where it lists them."""

    least: int | None = None
    most: int | None = None
    values: frozenset[str] = frozenset()


# fmt: off
FORMS = (
    (r"N10\.N2 with mandatory|N13|same format|same$",            Limits(4, 13)),
    (r"N10\.N2",                                                 Limits(1, 13)),
    (r"N8\.N2",                                                  Limits(1, 11)),
    (r"up to 12 integer digits",                                 Limits(1, 16)),
    (r"signed decimal, 1-2",                                     Limits(3, 12)),
    (r"signed decimal, up to 3",                                 Limits(3, 13)),
    (r"(?:AN19, )?yyyy-MM-dd [hH]{2}:mm:ss(?:, 24h clock)?$",    Limits(19, 19)),
    (r"AN19, yyyy-MM-dd HH:mm:ss \(an example carries a \+0000", Limits(19, 24)),
    (r"yyyy-MM-dd hh:mm:ssZ",                                    Limits(24, 24)),
    (r"(?:AN10, )?yyyy-MM-dd$",                                  Limits(10, 10)),
    (r"AN31: 2 letters, 2 digits, then 11-27",                   Limits(15, 31)),
    (r"AN11, 8 or 11",                                           Limits(8, 11)),
    (r"digit\.digit\.digit",                                     Limits(5, 5)),
    (r"000\.100\.2 followed by two",                             Limits(11, 11)),
    (r"A2 letters, or N3",                                       Limits(2, 3)),
    (r"AN?2(, letters|, uppercase|$)",                           Limits(2, 2)),
    (r"A3",                                                      Limits(3, 3)),
    (r"N4, starts with|4 digits",                                Limits(4, 4)),
    (r"2 digits",                                                Limits(2, 2)),
    (r"N6$",                                                     Limits(6, 6)),
    (r"(key|name) AN.*value A2$",                                Limits(2, 2)),
    (r"(key|name) AN.*value AN2048",                             Limits(most=2048)),
)
# fmt: on


def fields() -> Mapping[tuple[str, str], dict[str, str]]:
    """The rows of the table by direction and name."""
    return {(row["direction"], row["name"]): row for row in rows_of("parameters.csv")}


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a table of the specification."""
    with (SPEC / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def limits_in(words: str) -> Limits | None:
    """The limits that a format in words states, or None where it states none."""
    values = values_in(words)
    if values:
        return Limits(values=values)
    for pattern, limits in FORMS:
        if re.match(pattern, words):
            return limits
    return _lengths_in(words)


def values_in(words: str) -> frozenset[str]:
    """The values a format lists: `A1, Y or N`, `POS, NEG`, `01-09`, `N2, 01-12`."""
    numbers = re.fullmatch(r"(?:N2, )?([0-9]{2})-([0-9]{2})", words)
    if numbers:
        between = range(int(numbers[1]), int(numbers[2]) + 1)
        return frozenset(f"{number:02}" for number in between)
    bare = re.sub(r"^(AN?[0-9]+[:,] |one of )", "", words.split(";")[0])
    listed = frozenset(re.split(r",? or |, ", bare))
    spelled = all(re.fullmatch(r"[A-Za-z]+([_ ][A-Z]+)*", value) for value in listed)
    return listed if spelled and len(listed) > 1 and not listed & CHARACTERS else frozenset()


def values_in_rule(row: Mapping[str, str]) -> tuple[str, ...]:
    """The values that the first sentence of a rule lists: `M or F.`"""
    listed = tuple(re.split(r",? or |, ", row["rule"].split(". ")[0].removesuffix(".")))
    spelled = all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", value) for value in listed)
    return listed if spelled else ()


def _lengths_in(words: str) -> Limits | None:
    exactly = re.search(r"exactly (\d+)", words)
    if exactly:
        return Limits(int(exactly[1]), int(exactly[1]))
    between = re.search(r"(?:^|, )(\d+)-(\d+)\b", words)
    if between:
        return Limits(int(between[1]), int(between[2]))
    longest = re.match(r"(?:AN|A|N)(\d+)", words)
    return Limits(most=int(longest[1])) if longest else None

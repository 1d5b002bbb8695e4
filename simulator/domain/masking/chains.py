"""Numbers in a chain of digit groups: which of them may be card numbers.

A long group of digits stands for itself. Shorter ones are looked at together: a number begins with
a group and ends with a later one, or so that the group at its end is as long as the one beside it.
Each digit is looked at a few times at most, whatever the chain. Choice: D-94.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, groupby
from typing import NamedTuple

from simulator.catalogue.brands import BRANDS
from simulator.client.spelled_numbers import DIGITS_MAX, DIGITS_MIN, Group, plain_digits
from simulator.domain.core.card_ranges import (
    BIN_LENGTH,
    DOUBLED,
    ZERO,
    detected_brand,
    holds_card_number,
)

LENGTHS = range(DIGITS_MAX, DIGITS_MIN - 1, -1)
# The lengths of the numbers of a brand, the longest first.
LENGTHS_OF = {
    name: tuple(length for length in LENGTHS if length in row.lengths)
    for name, row in BRANDS.items()
}
# What stands between the groups of a number as people write it.
PLAIN_BETWEEN = frozenset({"", " ", "-"})


class Number(NamedTuple):
    """Its first place in the text, the one behind it, and its digits."""

    start: int
    stop: int
    digits: str


def numbers_in(text: str, groups: list[Group]) -> Iterator[Number]:
    """The numbers in these groups that may be card numbers, in the order of the text."""
    for is_long, some in groupby(groups, key=_is_long):
        if not is_long:
            yield from ShortGroups(text, [*some]).numbers()
            continue
        for start, stop in some:
            digits = plain_digits(text, [(start, stop)])
            if holds_card_number(digits):
                yield Number(start, stop, digits)


def _is_long(group: Group) -> bool:
    return group[1] - group[0] >= DIGITS_MIN


class ShortGroups:
    """Groups of digits in a text, each too short for a number of its own."""

    __slots__ = ("_before", "_digits", "_ending", "_groups", "_plain", "_sums")

    def __init__(self, text: str, groups: list[Group]):
        self._groups, self._digits = groups, plain_digits(text, groups)
        # The count of digits before each group, and of all.
        self._before = [*accumulate((end - start for start, end in groups), initial=0)]
        self._ending = self._ends()
        self._plain = _plain_reaches(text, groups)
        self._sums = _sums_of(self._digits)

    def numbers(self) -> Iterator[Number]:
        """The longest number that begins in each group, none of them in two."""
        group, left = 0, self._before[-1] - DIGITS_MIN
        while group < len(self._groups) and self._before[group] <= left:
            found = max(self._numbers_from(group), default=None)
            if found is None:
                group += 1
                continue
            last, end, before = found
            yield Number(self._place(-before), self._place(end - 1) + 1, self._digits[-before:end])
            group = last + 1

    def _numbers_from(self, group: int) -> Iterator[tuple[int, int, int]]:
        """Of the longest number from each digit where one may begin in this group: its last group,
        the digit behind it, and its first digit, negative: the largest is the longest.
        """
        for start in self._starts(group):
            end = next(self._ends_from(group, start), None)
            if end is not None:
                yield self._ending[end], end, -start

    def _ends_from(self, group: int, start: int) -> Iterator[int]:
        """The digits behind the numbers that begin with this one, the longest first."""
        brand = detected_brand(self._digits[start : start + BIN_LENGTH])
        lengths, plain = LENGTHS_OF.get(brand or "", ()), self._plain[group]
        for length in LENGTHS if plain > group else lengths:
            end = start + length
            last = self._ending.get(end, group)
            if last > group and (last <= plain or length in lengths):
                sums = self._sums[(end - 1) % 2]
                if (sums[end] - sums[start]) % 10 == 0:
                    yield end

    def _starts(self, group: int) -> tuple[int, ...]:
        """Where a number may begin: with the group, or as far before its end as the next is long,
        where other digits run into it.
        """
        start, end, *behind = self._before[group : group + 3]
        after = behind[0] - end if behind else 0
        return (start, end - after) if 0 < after < end - start else (start,)

    def _ends(self) -> dict[int, int]:
        """The group in which a number may end, by the digit behind it: with the group, or as far
        after its start as the one before is long.
        """
        ends, before = {}, 0
        for group, (start, end) in enumerate(zip(self._before, self._before[1:], strict=False)):
            if 0 < before < end - start:
                ends[start + before] = group
            ends[end] = group
            before = end - start
        return ends

    def _place(self, digit: int) -> int:
        """Where a digit stands in the text."""
        group = bisect_right(self._before, digit) - 1
        return self._groups[group][0] + digit - self._before[group]


def _plain_reaches(text: str, groups: list[Group]) -> list[int]:
    """Of each group the last one that follows it as in a number that people write."""
    reaches = [*range(len(groups))]
    for group in range(len(groups) - 2, -1, -1):
        if text[groups[group][1] : groups[group + 1][0]] in PLAIN_BETWEEN:
            reaches[group] = reaches[group + 1]
    return reaches


def _sums_of(digits: str) -> tuple[list[int], list[int]]:
    """The sums up to each digit as it counts in a number whose last one is at an even place, and at
    an odd one.
    """
    even, odd = bytearray(digits.encode()), bytearray(digits.encode())
    even[1::2], odd[::2] = even[1::2].translate(DOUBLED), odd[::2].translate(DOUBLED)
    return _sums_up(even), _sums_up(odd)


def _sums_up(signs: bytearray) -> list[int]:
    return [*accumulate((sign - ZERO for sign in signs), initial=0)]

"""Card numbers in texts of others: a till or a person may put one where none belongs.

A number has 13 to 19 digits, begins as cards of banks do (3 to 6, 2221 to 2720), is as long as
those of its brand, and passes its check digit. It is found however it is spelled: see
`simulator.client.spelled_numbers`, which the gateway follows too. Times and counters begin
otherwise. Choice: D-487.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

from simulator.client.spelled_numbers import (
    FINDERS,
    FindChains,
    Group,
    mask_as_read,
    may_hold_chain,
    plain_digits,
    read_digits,
)

DIGITS_MIN, DIGITS_MAX, SHOWN = 13, 19, 4
# Those of brands with one length, or a few, have that; the others any.
FORM = re.compile(
    r"4(?:.{12}|.{15}|.{18})|5[1-5].{14}|(?:222[1-9]|22[3-9].|2[3-6]..|27[01].|2720).{12}"
    r"|3[47].{13}|3[0-35689].{11,17}|5[06-9].{11,17}|6.{12,18}"
)
DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


class MaskedError(Exception):
    """An error that shows no card number, whatever its message quotes."""

    def __init__(self, message: str = "") -> None:
        super().__init__(without_card_numbers(message))


def has_card_number(text: str) -> bool:
    """Whether a card number stands in a text, in digits of any script, also where an address or a
    language writes them out.
    """
    return may_hold_chain(text) and any(
        True for each in {text, read_digits(text)} for find in FINDERS for _ in _numbers(each, find)
    )


def without_card_numbers(text: str) -> str:
    """A text that shows of a card number, and of digits around it, the last four digits. Where
    these were written out the whole text is shown with plain ones.
    """
    return mask_as_read(text, _masked) if may_hold_chain(text) else text


def _masked(text: str) -> str:
    for find in FINDERS:
        signs = [*text]
        for places in _numbers(text, find):
            for place in places[:-SHOWN]:
                signs[place] = "*"
        text = "".join(signs)
    return text


def has_card_number_inside(value: object) -> bool:
    """Whether a card number stands in what was read of JSON: in texts, numbers and names."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            left += [*each, *each.values()]
        elif isinstance(each, list):
            left += each
        elif has_card_number(str(each)):
            return True
    return False


def _numbers(text: str, find: FindChains) -> Iterator[list[int]]:
    """The places of the digits of each chain of groups that holds a number."""
    for groups in find(text):
        if _holds_number(plain_digits(text, groups), groups):
            yield [place for group in groups for place in range(*group)]


def _holds_number(digits: str, groups: list[Group]) -> bool:
    """Whether groups of digits that follow each other are a number."""
    before = [0, *accumulate(end - start for start, end in groups)]
    return any(
        _is_number(digits[before[first] : end])
        for first in range(len(groups))
        for end in before[first + 1 : first + 1 + DIGITS_MAX]
        if DIGITS_MIN <= end - before[first] <= DIGITS_MAX
    )


def _is_number(digits: str) -> bool:
    return FORM.fullmatch(digits) is not None and _check_sum(map(int, reversed(digits))) % 10 == 0


def _check_sum(digits: Iterable[int]) -> int:
    return sum(DOUBLED[digit] if place % 2 else digit for place, digit in enumerate(digits))

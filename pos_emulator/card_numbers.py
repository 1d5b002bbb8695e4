"""Card numbers in texts of others: a till or a person may put one where none belongs.

A number has 13 to 19 digits, begins as cards of banks do (3 to 6, 2221 to 2720) and passes its
check digit; blanks, dashes, dots and slashes may stand between its digits. Times and counters begin
otherwise. Choice: D-487.
"""

import re
from collections.abc import Iterable

DIGITS_MIN, DIGITS_MAX, SHOWN = 13, 19, 4
CHAIN = re.compile(r"[0-9](?:[ ./-]?[0-9]){12,}")
GROUP = re.compile(r"[0-9]+")
ANY_DIGIT = re.compile(r"\d")
DIGIT = re.compile(r"[0-9]")
FIRST = re.compile(r"[3-6]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720")
DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def has_card_number(text: str) -> bool:
    """Whether a card number stands in a text, in digits of any script."""
    return any(_holds_number(found[0]) for found in CHAIN.finditer(_plain(text)))


def without_card_numbers(text: str) -> str:
    """A text that shows of a card number the last four digits."""
    if not has_card_number(text):
        return text
    return CHAIN.sub(lambda found: _masked(found[0]), _plain(text))


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


def _plain(text: str) -> str:
    """A text with the digits of every script as those of ASCII."""
    return text if text.isascii() else ANY_DIGIT.sub(lambda found: str(int(found[0])), text)


def _holds_number(chain: str) -> bool:
    """Whether groups of digits that follow each other are a number."""
    groups = GROUP.findall(chain)
    for start in range(len(groups)):
        digits = ""
        for group in groups[start : start + DIGITS_MAX]:
            digits += group
            if _is_number(digits):
                return True
    return False


def _is_number(digits: str) -> bool:
    if not DIGITS_MIN <= len(digits) <= DIGITS_MAX or not FIRST.match(digits):
        return False
    return _check_sum(map(int, reversed(digits))) % 10 == 0


def _check_sum(digits: Iterable[int]) -> int:
    return sum(DOUBLED[digit] if place % 2 else digit for place, digit in enumerate(digits))


def _masked(chain: str) -> str:
    return DIGIT.sub("*", chain[:-SHOWN]) + chain[-SHOWN:] if _holds_number(chain) else chain

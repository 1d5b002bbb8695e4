"""Card numbers beyond doubt: in what a program reads no reference may be taken for one.

Such a number has the first digits, the length and the check digit of a brand, and no other digit
beside it. References of settlement, traces of 12 digits and long words of hex digits have not.
Choice: D-697.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import accumulate

from simulator.catalogue.brands import BRANDS
from simulator.client.spelled_numbers import (
    DIGITS_MAX,
    TRACK_2,
    Group,
    mask_as_read,
    may_hold_chain,
    plain_digits,
)
from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand, passes_luhn
from simulator.domain.masking.card_numbers import mask_numbers
from simulator.domain.masking.chains import Number

# Those of 12 digits have the length of references.
SURE_DIGITS_MIN = 13
# A key, a hash or an id: one in some thousands has the digits of a card in it.
LONG_WORD = re.compile(
    rf"((?<![0-9A-Za-z])(?=[0-9]*[A-Za-z])(?!{TRACK_2})[0-9A-Za-z]{{32,}}(?![0-9A-Za-z]))"
)


def mask_sure_numbers(text: str) -> str:
    """The text with each number masked that is that of a card beyond doubt, however spelled."""
    if not may_hold_chain(text):
        return text
    parts = LONG_WORD.split(text)
    parts[::2] = [mask_as_read(part, partial(mask_numbers, _numbers)) for part in parts[::2]]
    return "".join(parts)


def _numbers(text: str, groups: list[Group]) -> Iterator[Number]:
    """The numbers that whole groups are, none of them in two."""
    digits = plain_digits(text, groups)
    before = [0, *accumulate(end - start for start, end in groups)]
    group = 0
    while group < len(groups):
        last = _last_of(digits, before, group)
        if last >= group:
            number = digits[before[group] : before[last + 1]]
            yield Number(groups[group][0], groups[last][1], number)
        group = max(last, group) + 1


def _last_of(digits: str, before: list[int], group: int) -> int:
    """The group in which a number ends that begins with this one; -1 where none does."""
    start = before[group]
    for last in range(group, min(group + DIGITS_MAX, len(before) - 1)):
        length = before[last + 1] - start
        if length > DIGITS_MAX:
            break
        if length >= SURE_DIGITS_MIN and _is_of_brand(digits[start : start + length]):
            return last
    return -1


def _is_of_brand(number: str) -> bool:
    brand = BRANDS.get(detected_brand(number[:BIN_LENGTH]) or "")
    return brand is not None and len(number) in brand.lengths and passes_luhn(number)

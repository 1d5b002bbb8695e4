"""What the digits of a card number say by themselves: its brand, and whether they can be one."""

from functools import lru_cache

from simulator.catalogue.brands import BRANDS
from simulator.client.spelled_numbers import DIGITS_MAX, DIGITS_MIN

BIN_LENGTH = 6
FIRST_DIGITS = frozenset(low[0] for brand in BRANDS.values() for low, _ in brand.ranges)
ZERO = ord("0")
DOUBLED = bytes.maketrans(b"0123456789", b"0246813579")


@lru_cache(maxsize=4096)
def detected_brand(prefix: str) -> str | None:
    """The brand whose range holds a number that begins with `prefix`, the longest prefix first;
    or None.
    """
    fitting = (
        (len(first), row.value)
        for row in BRANDS.values()
        if row.detected
        for first, last in row.ranges
        if first <= prefix[: len(first)] <= last
    )
    return max(fitting, default=(0, None))[1]


def passes_luhn(digits: str) -> bool:
    """The check of the last digit. On the way of every payment, twice, so it sums bytes."""
    signs = digits.encode()
    doubled = signs[-2::-2].translate(DOUBLED)
    return (sum(signs[::-2]) + sum(doubled) - ZERO * len(signs)) % 10 == 0


def holds_card_number(digits: str) -> bool:
    """Whether a run of digits is a card number or holds one of a known brand."""
    if len(digits) > DIGITS_MAX or passes_luhn(digits):
        return True
    return any(
        _begins_with_number(digits[start:])
        for start in range(len(digits) - DIGITS_MIN + 1)
        if digits[start] in FIRST_DIGITS
    )


def _begins_with_number(digits: str) -> bool:
    brand = BRANDS.get(detected_brand(digits[:BIN_LENGTH]) or "")
    if brand is None:
        return False
    if not brand.luhn:
        return len(digits) in brand.lengths
    return any(length <= len(digits) and passes_luhn(digits[:length]) for length in brand.lengths)

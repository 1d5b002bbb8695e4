"""What the digits of a card number say by themselves: its brand, and whether they can be one."""

from functools import lru_cache

from simulator.catalogue.brands import BRANDS

BIN_LENGTH = 6
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
